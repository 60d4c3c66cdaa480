import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ACTION, makeWorkspace } from '../support/run-action.ts';

const NOT_INSTALLED = 'zizmor is not installed (scripts/install-programs.sh)';

function check(
  directory: string,
  ...files: readonly string[]
): { readonly exitCode: number | null; readonly lines: readonly string[] } {
  const script = join(ACTION, 'scripts', 'check-workflows.ts');
  const { status, stdout } = spawnSync(process.execPath, [script, ...files], {
    cwd: directory,
    encoding: 'utf8',
    // The directory of programs, in which only some tests have zizmor.
    env: { ...process.env, XDG_CACHE_HOME: directory },
  });
  const lines = stdout.trimEnd().split('\n');
  return { exitCode: status, lines: lines.filter((line) => line !== NOT_INSTALLED) };
}

/** A workflow whose step starts at line 6. */
function makeWorkflow(...step: readonly string[]): string {
  const head = ['on: push', 'jobs:', '  scan:', '    runs-on: ubuntu-latest', '    steps:'];
  return [...head, ...step.map((line) => `      ${line}`), ''].join('\n');
}

const WHOLE_ADDRESS = makeWorkflow(
  `- uses: https://github.com/actions/checkout@${'0a'.repeat(20)}`,
);

describe('npm run lint:workflows', () => {
  test("finds the project's workflows, and no problems in them", () => {
    const examples = readdirSync(join(ACTION, 'examples')).filter((name) => name.endsWith('.yml'));
    const own = readdirSync(join(ACTION, '.github', 'workflows'));
    const count = examples.length + own.length;
    expect(check(ACTION)).toEqual({ exitCode: 0, lines: [`${count} workflows, 0 problems`] });
  });

  test.each([
    [makeWorkflow('- run: echo "${{ steps.no.outputs.x }}"'), /^w\.yml:6:24: property "no" is not/],
    [makeWorkflow('- run: exit', '  if-not: true'), /^w\.yml:7:9: unexpected key "if-not"/],
    [WHOLE_ADDRESS, /^w\.yml:6:15: specifying action "https:.* in invalid format/],
    ['on: push\njobs: [\n', /^w\.yml:2:0: could not parse as YAML/],
  ])('reports the location of a problem in a workflow (%#)', async (workflow, problem) => {
    const { exitCode, lines } = check(await makeWorkspace({ 'w.yml': workflow }), 'w.yml');
    expect(lines).toEqual([expect.stringMatching(problem), '1 workflows, 1 problems']);
    expect(exitCode).toBe(1);
  });

  test('allows complete URLs in the example for Gitea and Forgejo', async () => {
    const directory = await makeWorkspace({ 'gitea-forgejo.yml': WHOLE_ADDRESS });
    expect(check(directory, 'gitea-forgejo.yml').exitCode).toBe(0);
  });

  test('fails if zizmor is required and not installed', async () => {
    const directory = await makeWorkspace({ 'w.yml': makeWorkflow('- run: exit') });
    expect(check(directory, 'w.yml').exitCode).toBe(0);
    expect(check(directory, 'w.yml', '--require-zizmor').exitCode).toBe(1);
  });

  test.each([0, 12])('runs zizmor in the version of ci.yml, which exits with %i', async (code) => {
    const ci = readFileSync(join(ACTION, '.github', 'workflows', 'ci.yml'), 'utf8');
    const [, version] = / zizmor==(\d+\.\d+\.\d+)$/m.exec(ci) ?? [];
    const zizmor = `scan-upload-action/zizmor-${version}/bin/zizmor`;
    const directory = await makeWorkspace({
      'w.yml': makeWorkflow('- run: exit'),
      [zizmor]: `#!/bin/sh\necho "$@"\nexit ${code}\n`,
    });
    chmodSync(join(directory, zizmor), 0o755);
    const { exitCode, lines } = check(directory, 'w.yml', '--require-zizmor');
    expect(exitCode).toBe(code === 0 ? 0 : 1);
    expect(lines[0]).toMatch(/^--offline .*--strict-collection --config \S+\.yml w\.yml$/);
  });

  test('fails for a directory without workflows', async () => {
    const lines = ['0 workflows, 0 problems'];
    expect(check(await makeWorkspace({}))).toEqual({ exitCode: 1, lines });
  });
});
