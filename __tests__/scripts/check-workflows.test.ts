import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { ACTION } from '../support/run-action.ts';
import { readText } from '../support/workflows.ts';

const NOT_INSTALLED = 'zizmor is not installed (scripts/install-programs.sh)';
const [, VERSION] = / zizmor==(\d+\.\d+\.\d+)$/m.exec(readText('.github/workflows/ci.yml')) ?? [];
const ZIZMOR = `scan-upload-action/zizmor-${VERSION}/bin/zizmor`;

/** Checks a directory, in which zizmor may be installed. Returns the exit code, then what is printed. */
function check(
  directory: string,
  required: 'true' | 'false',
): readonly [number | null, ...string[]] {
  const script = join(ACTION, 'scripts', 'check-workflows.ts');
  const env = { ...process.env, XDG_CACHE_HOME: directory, REQUIRE_PROGRAMS: required };
  const options = { cwd: directory, env, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(process.execPath, [script], options);
  return [status, ...stdout.trimEnd().split('\n')];
}

/** A workflow whose step starts at line 6. */
function makeWorkflow(step: string): string {
  return `on: push\njobs:\n  scan:\n    runs-on: ubuntu-latest\n    steps:\n      ${step}\n`;
}

const GOOD = makeWorkflow('- run: exit');
const BAD = makeWorkflow('- run: echo "${{ steps.no.outputs.x }}"');

describe('npm run lint:workflows', () => {
  test('checks the examples and the workflows of a project', async () => {
    const directory = await makeFolder({ 'examples/a.yml': BAD, '.github/workflows/b.yml': GOOD });
    const problem = expect.stringMatching(/^examples\/a\.yml:6:24: property "no" is not/);
    const count = '2 workflows, 1 problems';
    expect(check(directory, 'false')).toEqual([1, problem, NOT_INSTALLED, count]);
  });

  test.each<[string, Tree]>([
    ['without zizmor if it is required', { 'examples/a.yml': GOOD }],
    ['without workflows', {}],
  ])('fails %s', async (_, tree) => {
    const required = 'examples/a.yml' in tree ? 'true' : 'false';
    expect(check(await makeFolder(tree), required)[0]).toBe(1);
  });
});

describePosix('npm run lint:workflows, with zizmor', () => {
  test.each([
    ['finds nothing', 0, 0],
    ['finds something', 12, 1],
  ])('runs the version of ci.yml, which %s', async (_, found, exitCode) => {
    const program = `#!/bin/sh\necho "$@" > calls\nexit ${found}\n`;
    const directory = await makeFolder({ 'examples/a.yml': GOOD, [ZIZMOR]: program });
    chmodSync(join(directory, ZIZMOR), 0o755);
    expect(check(directory, 'true')).toEqual([exitCode, `1 workflows, ${exitCode} problems`]);
    expect(readFileSync(join(directory, 'calls'), 'utf8')).toMatch(
      /^--offline .*--strict-collection --config \S+\.yml \. examples\/a\.yml\n$/,
    );
  });
});
