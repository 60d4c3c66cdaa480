import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { readScans } from '../../src/inputs/scans.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { SECRET, catchLaterProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

const MIB = 1024 * 1024;
const SCANS = JSON.stringify([{ name: 'billing', 'scan-key': SCAN_KEY, 'scan-file': 'a.json' }]);
const SELECTION = [{ input: 'scan-file', text: 'a.json' }];
const READ = [{ label: 'billing', name: 'billing', scanKey: SCAN_KEY, selection: SELECTION }];

/** A workspace, in which `s.json` has this content, with directories beside it. */
async function makeWorkspace(content: string | Buffer = ''): Promise<string> {
  const root = await makeFolder({
    'workspace/in/scans.json': SCANS,
    'workspace/.scans.json': SCANS,
    'workspace/s.json': content,
    'outside/scans.json': SCANS,
    // Its path begins with that of the workspace.
    'workspace-2/scans.json': SCANS,
  });
  return join(root, 'workspace');
}

/** In a path, `$` is the directory of the workspace and of those beside it. */
function locate(path: string, workspace: string): string {
  return path.replace('$', join(workspace, '..'));
}

async function expectRead(path: string, workspace: string): Promise<void> {
  expect(await readScans(locate(path, workspace), workspace)).toMatchObject(READ);
}

/** Expects that a path is refused, and that the only problem names it. */
async function expectProblem(path: string, problem: string, workspace: string): Promise<void> {
  const located = locate(path, workspace);
  expect(await catchLaterProblems(readScans(located, workspace))).toEqual([
    `\`scans\`: the file '${located}' ${locate(problem, workspace)}`,
  ]);
}

const OUTSIDE = 'cannot be read (outside the workspace).';
const IRREGULAR = 'cannot be read (not a regular file).';
const MISSING =
  'does not exist in the workspace. Create it, or check out the repository, before this step.';
const SEVERAL = 'put its documents into one array (`jq --slurp`).';
const UTF_16 =
  "cannot be read (UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8).";
const IN_UTF_16 = Buffer.from(`\uFEFF${SCANS}`, 'utf16le');

describe('readScans with a path', () => {
  test.each([
    'in/scans.json',
    './in/../in/scans.json',
    '$/workspace/in/scans.json',
    '$/outside/scans.json',
    '$/outside/../outside/scans.json',
    '$/workspace-2/scans.json',
  ])('reads %s', async (path) => {
    await expectRead(path, await makeWorkspace());
  });

  test.each<[string, string]>([
    ['in', IRREGULAR],
    ['../outside/scans.json', OUTSIDE],
    ['../workspace-2/scans.json', OUTSIDE],
    ['a\0b', 'cannot be read (ERR_INVALID_ARG_VALUE).'],
    ['not - there', MISSING],
    ['$/outside/missing.json', 'does not exist. Correct the path.'],
  ])('refuses %j', async (path, problem) => {
    await expectProblem(path, problem, await makeWorkspace());
  });

  test('refuses a pattern', async () => {
    expect(await catchLaterProblems(readScans('in/*.json', await makeWorkspace()))).toEqual([
      '`scans` is the path of one file, not a pattern.',
    ]);
  });

  test.each([
    ['white space around it', `\r\n\t ${SCANS}\n`],
    ['a byte order mark and white space', `\uFEFF\n${SCANS}`],
    ['an object around the array', `{"$schema": "scans.schema.json", "scans": ${SCANS}}`],
  ])('reads a file with %s', async (_, content) => {
    await expectRead('s.json', await makeWorkspace(content));
  });

  test.each<[string, string | Buffer, string]>([
    ['malformed JSON', `{"token":\n  ${SECRET}}`, 'is not valid JSON (line 2, column 3).'],
    ['several documents', '{"a":1}\n{}', `is not valid JSON (line 2, column 1): ${SEVERAL}`],
    ['truncated JSON', '[{', 'is not valid JSON (line 1, column 3).'],
    ['a byte order mark', '\uFEFF[\n1 2]', 'is not valid JSON (line 2, column 3).'],
    ['UTF-16, little endian', IN_UTF_16, UTF_16],
    ['UTF-16, big endian', Buffer.from(IN_UTF_16).swap16(), UTF_16],
    ['UTF-16 without a byte order mark', IN_UTF_16.subarray(2), UTF_16],
  ])('says what is wrong with a file, without repeating it: %s', async (_, content, problem) => {
    await expectProblem('s.json', problem, await makeWorkspace(content));
  });

  test('refuses a file of more than 16 MiB', async () => {
    const workspace = await makeWorkspace(
      Buffer.concat([Buffer.from(SCANS)], 16 * MIB).fill(' ', SCANS.length),
    );
    await expectRead('s.json', workspace);
    await truncate(join(workspace, 's.json'), 16 * MIB + 1);
    await expectProblem('s.json', 'cannot be read (too large).', workspace);
  });
});

/** The targets of links in the directory of the workspace. */
const LINKS = {
  workspace: {
    l: 'in/scans.json',
    dir: 'in',
    hidden: '.scans.json',
    loop: 'loop',
    no: 'missing',
    out: '../outside',
  },
  outside: { l: 'scans.json', back: '../workspace/in/scans.json', out: '/etc/hosts' },
  '.': { 'workspace-link': 'workspace', 'outside-link': 'outside' },
};

async function makeLinks(): Promise<string> {
  const workspace = await makeWorkspace();
  for (const [directory, links] of Object.entries(LINKS)) {
    for (const [path, target] of Object.entries(links)) {
      await symlink(target, join(workspace, '..', directory, path));
    }
  }
  return workspace;
}

describePosix('readScans with the path of a link', () => {
  // Only files of a scan may not be hidden.
  test.each(['l', 'dir/scans.json', 'hidden', '$/outside/l', '$/outside-link/scans.json'])(
    'follows %s',
    async (path) => {
      await expectRead(path, await makeLinks());
    },
  );

  test('follows a link to the workspace', async () => {
    await expectRead('in/scans.json', `${await makeLinks()}-link`);
  });

  test.each<[string, string]>([
    ['out/scans.json', OUTSIDE],
    ['$/workspace/out/scans.json', OUTSIDE],
    ['$/outside/back', "cannot be read (outside '$/outside')."],
    ['$/outside/out', "cannot be read (outside '$/outside')."],
    ['loop', 'cannot be read (ELOOP).'],
    ['no', MISSING],
    // Windows reports both as missing.
    ['in/scans.json/more', 'cannot be read (ENOTDIR).'],
  ])('refuses %s', async (path, problem) => {
    await expectProblem(path, problem, await makeLinks());
  });

  test('refuses a path that is too long', async () => {
    await expectProblem('a'.repeat(5000), 'cannot be read (ENAMETOOLONG).', await makeWorkspace());
  });

  test('does not wait for a FIFO', async () => {
    const workspace = await makeWorkspace();
    execFileSync('mkfifo', [join(workspace, 'fifo')]);
    await expectProblem('fifo', IRREGULAR, workspace);
  });
});
