import { symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readStepScans } from '../../src/inputs/scans.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import {
  SECRET,
  catchLaterProblems,
  collect,
  isolateEnvironment,
  setInputs,
} from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

isolateEnvironment();

const MIB = 1024 * 1024;
const SCANS = JSON.stringify([{ name: 'billing', 'scan-key': SCAN_KEY, 'scan-file': 'a.json' }]);
const SELECTION = [{ input: 'scan-file', text: 'a.json' }];
const READ = [{ label: 'billing', name: 'billing', scanKey: SCAN_KEY, selection: SELECTION }];

/** A workspace, in which `s.json` has this content, with a directory beside it. */
async function makeWorkspace(content: string | Buffer = ''): Promise<string> {
  const root = await makeFolder({
    'workspace/in/scans.json': SCANS,
    'workspace/s.json': content,
    'outside/scans.json': SCANS,
  });
  return join(root, 'workspace');
}

async function read(path: string, workspace: string): Promise<unknown> {
  setInputs({ scans: path });
  return collect(readStepScans, { workspace });
}

/** Expects that a path is refused, and that the only problem names it. */
async function expectProblem(path: string, problem: string, workspace: string): Promise<void> {
  expect(await catchLaterProblems(read(path, workspace))).toEqual([
    `\`scans\`: the file '${path}' ${problem}`,
  ]);
}

const MISSING = 'does not exist. Create it, or check out the repository, before this step.';

describe('a file of scans', () => {
  test.each([
    'in/scans.json',
    './in/../in/scans.json',
    '../outside/scans.json',
    '/outside/scans.json',
  ])('is read: %s', async (path) => {
    const workspace = await makeWorkspace();
    const located = path.startsWith('/') ? join(workspace, '..', path) : path;
    expect(await read(located, workspace)).toMatchObject(READ);
  });

  test.each<[string, string]>([
    ['in', 'cannot be read (not a regular file).'],
    ['a\0b', 'cannot be read (ERR_INVALID_ARG_VALUE).'],
    ['not - there', MISSING],
    ['*.json', MISSING],
  ])('is refused: %j', async (path, problem) => {
    await expectProblem(path, problem, await makeWorkspace());
  });

  test.each([
    ['white space around it', `\r\n\t ${SCANS}\n`],
    ['a byte order mark and white space', `\uFEFF\n${SCANS}`],
    ['an object around the array', `{"$schema": "scans.schema.json", "scans": ${SCANS}}`],
  ])('is read with %s', async (_, content) => {
    expect(await read('s.json', await makeWorkspace(content))).toMatchObject(READ);
  });

  test.each<[string, string]>([
    [`{"token":\n  ${SECRET}}`, 'is not valid JSON'],
    ['[{', 'is not valid JSON (line 1, column 3).'],
    ['\uFEFF[\n1 2]', 'is not valid JSON (line 2, column 3).'],
  ])('is refused without repeating it: %j', async (content, problem) => {
    const problems = await catchLaterProblems(read('s.json', await makeWorkspace(content)));
    expect(problems.join()).toContain(`\`scans\`: the file 's.json' ${problem}`);
  });

  test('has no expressions that could be empty', async () => {
    const content = '[{"files": "a.json"}]';
    const problems = ['scans[0]: `scan-key` is empty. Set it to the UUID of the scan.'];
    const reading = read('s.json', await makeWorkspace(content));
    await expect(reading).rejects.toMatchObject({ problems, fixes: [] });
    const fixes = [expect.stringContaining('An expression with `vars`')];
    await expect(read(content, '')).rejects.toMatchObject({ problems, fixes });
  });

  test('has at most 16 MiB', async () => {
    const workspace = await makeWorkspace(
      Buffer.concat([Buffer.from(SCANS)], 16 * MIB).fill(' ', SCANS.length),
    );
    expect(await read('s.json', workspace)).toMatchObject(READ);
    await truncate(join(workspace, 's.json'), 16 * MIB + 1);
    await expectProblem('s.json', 'cannot be read (too large).', workspace);
  });
});

describePosix('a file of scans that is a link', () => {
  test('is the file that the link leads to', async () => {
    const workspace = await makeWorkspace();
    await symlink('../outside/scans.json', join(workspace, 'link'));
    expect(await read('link', workspace)).toMatchObject(READ);
  });
});
