import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkWorkflows } from '../../scripts/workflow-checks.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { readText } from '../support/workflows.ts';

const NOT_INSTALLED = 'zizmor is not installed (scripts/install-programs.sh)';

/** Checks workflows of a directory that may contain zizmor. Returns the result, then what is printed. */
async function check(
  directory: string,
  names: readonly string[] = [],
  requiresZizmor = false,
): Promise<readonly [boolean, ...string[]]> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const options = { directory, names, requiresZizmor, cache: directory, print };
  return [await checkWorkflows(options), ...lines];
}

/** A workflow whose step starts at line 6. */
function makeWorkflow(step: string): string {
  return `on: push\njobs:\n  scan:\n    runs-on: ubuntu-latest\n    steps:\n      ${step}\n`;
}

const GOOD = makeWorkflow('- run: exit');
const BAD = makeWorkflow('- run: echo "${{ steps.no.outputs.x }}"');

describe('npm run lint:workflows', () => {
  test('checks the examples and the workflows of a project', async () => {
    const tree = { 'examples/a.yml': BAD, '.github/workflows/b.yml': GOOD };
    const problem = expect.stringMatching(/^examples\/a\.yml:6:24: property "no" is not/);
    const count = '2 workflows, 1 problems';
    expect(await check(await makeFolder(tree))).toEqual([false, problem, NOT_INSTALLED, count]);
    expect((await check(await makeFolder()))[0]).toBe(false);
  });

  test('fails without zizmor if it is required', async () => {
    const directory = await makeFolder({ 'w.yml': GOOD });
    expect((await check(directory, ['w.yml']))[0]).toBe(true);
    expect((await check(directory, ['w.yml'], true))[0]).toBe(false);
  });
});

describePosix('npm run lint:workflows, with zizmor', () => {
  test.each([
    ['finds nothing', 0, true],
    ['finds something', 12, false],
  ])('runs the version of ci.yml, which %s', async (_, exitCode, isPassed) => {
    const [, version] =
      / zizmor==(\d+\.\d+\.\d+)$/m.exec(readText('.github/workflows/ci.yml')) ?? [];
    const zizmor = `scan-upload-action/zizmor-${version}/bin/zizmor`;
    const program = `#!/bin/sh\necho "$@" > calls\nexit ${exitCode}\n`;
    const directory = await makeFolder({ 'w.yml': GOOD, [zizmor]: program });
    chmodSync(join(directory, zizmor), 0o755);
    const problems = `1 workflows, ${isPassed ? 0 : 1} problems`;
    expect(await check(directory, ['w.yml'], true)).toEqual([isPassed, problems]);
    expect(readFileSync(join(directory, 'calls'), 'utf8')).toMatch(
      /^--offline .*--strict-collection --config \S+\.yml w\.yml\n$/,
    );
  });
});
