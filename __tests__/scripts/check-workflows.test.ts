import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describePosix } from '../support/files.ts';
import { ACTION, makeWorkspace } from '../support/run-action.ts';
import { readText } from '../support/workflows.ts';

const NOT_INSTALLED = 'zizmor is not installed (scripts/install-programs.sh)';

/** The exit code and the output of a check, in a directory that may contain zizmor. */
function check(
  directory: string,
  ...args: readonly string[]
): readonly [number | null, ...string[]] {
  const script = join(ACTION, 'scripts', 'check-workflows.ts');
  const env = { ...process.env, XDG_CACHE_HOME: directory };
  const options = { cwd: directory, encoding: 'utf8', env } as const;
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], options);
  return [status, ...stdout.trimEnd().split('\n')];
}

/** A workflow whose step starts at line 6. */
function makeWorkflow(...step: readonly string[]): string {
  const head = ['on: push', 'jobs:', '  scan:', '    runs-on: ubuntu-latest', '    steps:'];
  return [...head, ...step.map((line) => `      ${line}`), ''].join('\n');
}

const GOOD = makeWorkflow('- run: exit');
const WHOLE_ADDRESS = makeWorkflow(
  `- uses: https://github.com/actions/checkout@${'0a'.repeat(20)}`,
);

describe('npm run lint:workflows', () => {
  test("finds the project's workflows, and no problems in them", () => {
    const examples = readdirSync(join(ACTION, 'examples')).filter((name) => name.endsWith('.yml'));
    const count = examples.length + readdirSync(join(ACTION, '.github', 'workflows')).length;
    expect(check(ACTION)).toEqual([0, NOT_INSTALLED, `${count} workflows, 0 problems`]);
  });

  test.each([
    [makeWorkflow('- run: echo "${{ steps.no.outputs.x }}"'), /^w\.yml:6:24: property "no" is not/],
    [WHOLE_ADDRESS, /^w\.yml:6:15: specifying action "https:.* in invalid format/],
    ['on: push\njobs: [\n', /^w\.yml:2:0: could not parse as YAML/],
  ])('reports the location of a problem in a workflow (%#)', async (workflow, problem) => {
    const result = check(await makeWorkspace({ 'w.yml': workflow }), 'w.yml');
    const count = '1 workflows, 1 problems';
    expect(result).toEqual([1, expect.stringMatching(problem), NOT_INSTALLED, count]);
  });

  test('allows complete URLs in the example for Gitea and Forgejo', async () => {
    const directory = await makeWorkspace({ 'gitea-forgejo.yml': WHOLE_ADDRESS });
    expect(check(directory, 'gitea-forgejo.yml')[0]).toBe(0);
  });

  test('fails without workflows, and without zizmor if it is required', async () => {
    expect(check(await makeWorkspace({}))[0]).toBe(1);
    const directory = await makeWorkspace({ 'w.yml': GOOD });
    expect(check(directory, 'w.yml')[0]).toBe(0);
    expect(check(directory, 'w.yml', '--require-zizmor')[0]).toBe(1);
  });
});

describePosix('npm run lint:workflows, with zizmor', () => {
  test.each([
    ['finds nothing', 0, 0],
    ['finds something', 12, 1],
  ])('runs the version of ci.yml, which %s', async (_, zizmorCode, code) => {
    const [, version] =
      / zizmor==(\d+\.\d+\.\d+)$/m.exec(readText('.github/workflows/ci.yml')) ?? [];
    const zizmor = `scan-upload-action/zizmor-${version}/bin/zizmor`;
    const program = `#!/bin/sh\necho "$@"\nexit ${zizmorCode}\n`;
    const directory = await makeWorkspace({ 'w.yml': GOOD, [zizmor]: program });
    chmodSync(join(directory, zizmor), 0o755);
    const call = expect.stringMatching(
      /^--offline .*--strict-collection --config \S+\.yml w\.yml$/,
    );
    const result = check(directory, 'w.yml', '--require-zizmor');
    expect(result).toEqual([code, call, `1 workflows, ${code} problems`]);
  });
});
