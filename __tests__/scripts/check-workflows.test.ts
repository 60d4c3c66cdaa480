import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { ACTION } from '../support/run-action.ts';
import { readText } from '../support/workflows.ts';

const NOT_INSTALLED = 'zizmor is not installed (scripts/install-programs.sh)';
const [, VERSION] = / zizmor==(\d+\.\d+\.\d+)$/m.exec(readText('.github/workflows/ci.yml')) ?? [];
const ZIZMOR = `scan-upload-action/zizmor-${VERSION}/bin/zizmor`;

const [GOOD = '', BAD = ''] = ['exit', 'echo "${{ steps.no.outputs.x }}"'].map(
  (script) =>
    `on: push\njobs:\n  scan:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ${script}\n`,
);
const PROBLEM = expect.stringMatching(/^examples\/a\.yml:6:24: property "no" is not/);

/** Checks a directory, in which zizmor may be installed. Returns the exit code, then what is printed. */
function check(directory: string, required: boolean): readonly [number | null, ...string[]] {
  const script = join(ACTION, 'scripts', 'check-workflows.ts');
  const own = { XDG_CACHE_HOME: directory, REQUIRE_PROGRAMS: String(required) };
  const options = { cwd: directory, env: { ...process.env, ...own }, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(process.execPath, [script], options);
  return [status, ...stdout.trimEnd().split('\n')];
}

test.each<[Tree, boolean, ...unknown[]]>([
  [{ 'examples/a.yml': GOOD }, false, 0, '1 workflows, 0 problems'],
  [{ 'examples/a.yml': GOOD }, true, 1, '1 workflows, 1 problems'],
  [{ 'examples/a.yml': BAD, '.github/workflows/b.yml': GOOD }, false, 1, '2 workflows, 1 problems'],
  [{}, false, 1, '0 workflows, 0 problems'],
])('npm run lint:workflows checks %j without zizmor (required: %s)', async (...row) => {
  const [tree, required, exitCode, count] = row;
  const problems = tree['examples/a.yml'] === BAD ? [PROBLEM] : [];
  const printed = check(await makeFolder(tree), required);
  expect(printed).toEqual([exitCode, ...problems, NOT_INSTALLED, count]);
});

describePosix('npm run lint:workflows, with zizmor', () => {
  test.each([
    ['finds nothing', 0, 0],
    ['finds something', 12, 1],
  ])('runs the version of ci.yml, which %s', async (_, found, exitCode) => {
    const program = `#!/bin/sh\necho "$@" > calls\nexit ${found}\n`;
    const directory = await makeFolder({ 'examples/a.yml': GOOD, [ZIZMOR]: program });
    chmodSync(join(directory, ZIZMOR), 0o755);
    expect(check(directory, true)).toEqual([exitCode, `1 workflows, ${exitCode} problems`]);
    expect(readFileSync(join(directory, 'calls'), 'utf8')).toMatch(
      /^--offline .*--strict-collection --config \S+\.yml \. examples\/a\.yml\n$/,
    );
  });
});
