import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readScans } from '../../src/inputs/scans.ts';
import { makeFolder } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { SECRET, catchProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

const MIB = 1024 * 1024;
const SCANS = JSON.stringify([{ name: 'billing', 'scan-key': SCAN_KEY, 'scan-file': 'a.json' }]);
const READ = [
  {
    label: 'billing',
    name: 'billing',
    scanKey: SCAN_KEY,
    selection: [{ input: 'scan-file', text: 'a.json' }],
  },
];

/** A workspace, and beside it a folder that is not meant. */
async function makeWorkspace(tree: Tree = {}): Promise<string> {
  const root = await makeFolder({ 'workspace/in/scans.json': SCANS, 'outside/scans.json': SCANS });
  const workspace = join(root, 'workspace');
  await mkdir(workspace, { recursive: true });
  for (const [path, content] of Object.entries(tree))
    await writeFile(join(workspace, path), content);
  return workspace;
}

function listProblems(path: string, workspace: string): readonly string[] {
  return catchProblems(() => readScans(path, workspace));
}

describe('readScans, given a path', () => {
  test('reads the file there, from the workspace on', async () => {
    const workspace = await makeWorkspace();
    for (const path of [
      'in/scans.json',
      './in/../in/scans.json',
      join(workspace, 'in/scans.json'),
    ]) {
      expect(readScans(path, workspace)).toEqual(READ);
    }
  });

  test.each([
    ['a byte order mark', `\uFEFF${SCANS}`],
    ['white space around it', `\r\n\t ${SCANS}\n`],
    ['a byte order mark and white space', `\uFEFF\n${SCANS}`],
  ])('reads a file with %s', async (_, content) => {
    expect(readScans('s.json', await makeWorkspace({ 's.json': content }))).toEqual(READ);
  });

  test.each<[string, string, string]>([
    ['no JSON', `{"token":\n  ${SECRET}}`, 'scans is not valid JSON (line 2, column 3).'],
    ['cut JSON', '[{', 'scans is not valid JSON (line 1, column 3).'],
    ['JSON after a mark', '\uFEFF[\n,]', 'scans is not valid JSON (line 2, column 1).'],
    ['nothing', '', 'scans is not valid JSON (line 1, column 1).'],
    ['YAML', `- name: ${SECRET}\n`, 'scans is not valid JSON (line 1, column 2).'],
    ['an object', `{"a":"${SECRET}"}`, 'scans must be a JSON array, an entry per scan.'],
    ['a text', `"${SECRET}"`, 'scans must be a JSON array, an entry per scan.'],
    ['null', 'null', 'scans must be a JSON array, an entry per scan.'],
  ])('shows nothing of a file with %s', async (_, content, message) => {
    const workspace = await makeWorkspace({ 's.json': content });
    expect(listProblems('s.json', workspace)).toEqual([message]);
  });

  test('shows nothing of a file in another encoding', async () => {
    const workspace = await makeWorkspace({ 's.json': Buffer.from(`\uFEFF${SCANS}`, 'utf16le') });
    expect(listProblems('s.json', workspace)).toEqual([
      expect.stringMatching(/^scans is not valid JSON \(line 1, column \d+\)\.$/),
    ]);
  });

  test.each([
    ['missing.json', 'ENOENT'],
    ['in/scans.json/more', 'ENOTDIR'],
    ['in', 'not a regular file'],
    ['.', 'not a regular file'],
    ['..', 'outside the workspace'],
    ['../outside/scans.json', 'outside the workspace'],
    ['a\0b', 'ERR_INVALID_ARG_VALUE'],
    ['a'.repeat(5000), 'ENAMETOOLONG'],
  ])('names a path that cannot be read: %j', async (path, reason) => {
    expect(listProblems(path, await makeWorkspace())).toEqual([
      `scans: '${path}' cannot be read (${reason}).`,
    ]);
  });

  test('refuses an absolute path outside the workspace', async () => {
    const workspace = await makeWorkspace();
    const path = join(workspace, '..', 'outside', 'scans.json');
    expect(listProblems(path, workspace)).toEqual([
      `scans: '${path}' cannot be read (outside the workspace).`,
    ]);
  });

  test('refuses a folder beside the workspace whose name begins like its own', async () => {
    const workspace = await makeWorkspace();
    await mkdir(`${workspace}-2`);
    await writeFile(`${workspace}-2${sep}scans.json`, SCANS);
    expect(listProblems('../workspace-2/scans.json', workspace)).toEqual([
      "scans: '../workspace-2/scans.json' cannot be read (outside the workspace).",
    ]);
  });

  test('reads a file of 16 MiB, and none that is larger', async () => {
    const workspace = await makeWorkspace({ 's.json': SCANS.padEnd(16 * MIB, ' ') });
    expect(readScans('s.json', workspace)).toEqual(READ);
    await truncate(join(workspace, 's.json'), 16 * MIB + 1);
    expect(listProblems('s.json', workspace)).toEqual([
      "scans: 's.json' cannot be read (too large).",
    ]);
  });

  test.each(['- name: a\n  files: b', 'a.json\nb.json', 'a\r\nb', 'a\rb'])(
    'takes several lines that are no JSON for no path: %j',
    async (text) => {
      expect(listProblems(text, await makeWorkspace())).toEqual([
        'scans is neither a JSON array nor the path of a file with one.',
      ]);
    },
  );
});

describePosix('readScans, given a path that leads elsewhere', () => {
  test('follows links within the workspace, and one to the workspace itself', async () => {
    const workspace = await makeWorkspace();
    await symlink('in/scans.json', join(workspace, 'link.json'));
    await symlink('in', join(workspace, 'folder'));
    expect(readScans('link.json', workspace)).toEqual(READ);
    expect(readScans('folder/scans.json', workspace)).toEqual(READ);
    await symlink(workspace, `${workspace}-link`);
    expect(readScans('in/scans.json', `${workspace}-link`)).toEqual(READ);
  });

  test.each([
    ['a link', 'link.json', '../outside/scans.json'],
    ['a folder that is a link', 'folder/scans.json', '../outside'],
  ])('refuses %s out of the workspace', async (_, path, target) => {
    const workspace = await makeWorkspace();
    await symlink(target, join(workspace, String(path.split('/')[0])));
    expect(listProblems(path, workspace)).toEqual([
      `scans: '${path}' cannot be read (outside the workspace).`,
    ]);
  });

  test('refuses a link to itself, and one that leads nowhere', async () => {
    const workspace = await makeWorkspace();
    await symlink('loop', join(workspace, 'loop'));
    await symlink('missing', join(workspace, 'broken'));
    expect(listProblems('loop', workspace)).toEqual(["scans: 'loop' cannot be read (ELOOP)."]);
    expect(listProblems('broken', workspace)).toEqual(["scans: 'broken' cannot be read (ENOENT)."]);
  });

  test('does not wait for a FIFO', async () => {
    const workspace = await makeWorkspace();
    execFileSync('mkfifo', [join(workspace, 'fifo')]);
    expect(listProblems('fifo', workspace)).toEqual([
      "scans: 'fifo' cannot be read (not a regular file).",
    ]);
  });
});
