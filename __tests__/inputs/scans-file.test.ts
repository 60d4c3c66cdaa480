import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, realpath, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { readScans } from '../../src/inputs/scans.ts';
import { makeFolder } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { SECRET, catchLaterProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

const MIB = 1024 * 1024;
const SCANS = JSON.stringify([{ name: 'billing', 'scan-key': SCAN_KEY, 'scan-file': 'a.json' }]);
const SELECTION = [{ input: 'scan-file', text: 'a.json' }];
const READ = [{ label: 'billing', name: 'billing', scanKey: SCAN_KEY, selection: SELECTION }];

/** A workspace with another directory beside it. */
async function makeWorkspace(tree: Tree = {}): Promise<string> {
  const root = await makeFolder({ 'workspace/in/scans.json': SCANS, 'outside/scans.json': SCANS });
  const workspace = join(root, 'workspace');
  await mkdir(workspace, { recursive: true });
  for (const [path, content] of Object.entries(tree))
    await writeFile(join(workspace, path), content);
  return workspace;
}

async function listProblems(path: string, workspace: string): Promise<readonly string[]> {
  return catchLaterProblems(readScans(path, workspace));
}

// Windows reports both as missing.
const ON_POSIX =
  process.platform === 'win32'
    ? []
    : [
        ['in/scans.json/more', 'ENOTDIR'],
        ['a'.repeat(5000), 'ENAMETOOLONG'],
      ];
const FILE = "`scans`: the file 's.json'";
const SEVERAL = 'put its documents into one array (`jq --slurp`).';

describe('readScans with a path', () => {
  test('reads the file, relative to the workspace', async () => {
    const workspace = await makeWorkspace();
    const paths = ['in/scans.json', './in/../in/scans.json', join(workspace, 'in/scans.json')];
    for (const path of paths) expect(await readScans(path, workspace)).toMatchObject(READ);
  });

  test.each([
    ['white space around it', `\r\n\t ${SCANS}\n`],
    ['a byte order mark and white space', `\uFEFF\n${SCANS}`],
    ['an object around the array', `{"$schema": "scans.schema.json", "scans": ${SCANS}}`],
  ])('reads a file with %s', async (_, content) => {
    expect(await readScans('s.json', await makeWorkspace({ 's.json': content }))).toMatchObject(
      READ,
    );
  });

  test.each<[string, string, string]>([
    ['malformed JSON', `{"token":\n  ${SECRET}}`, ' is not valid JSON.'],
    ['several documents', '{"a":1}\n{}', ` is not valid JSON (line 2, column 1): ${SEVERAL}`],
    ['truncated JSON', '[{', ' is not valid JSON (line 1, column 3).'],
    ['a byte order mark', '\uFEFF[\n1 2]', ' is not valid JSON (line 2, column 3).'],
  ])('does not repeat the content of a file with %s', async (_, content, message) => {
    const workspace = await makeWorkspace({ 's.json': content });
    expect(await listProblems('s.json', workspace)).toEqual([`${FILE}${message}`]);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['little endian', (bytes) => bytes],
    ['big endian', (bytes) => bytes.swap16()],
    ['no byte order mark', (bytes) => bytes.subarray(2)],
  ])('says how to write a file that is UTF-16: %s', async (_, change) => {
    const content = change(Buffer.from(`\uFEFF${SCANS}`, 'utf16le'));
    expect(await listProblems('s.json', await makeWorkspace({ 's.json': content }))).toEqual([
      "`scans`: the file 's.json' cannot be read (UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8).",
    ]);
  });

  test.each([
    ['in', 'not a regular file'],
    ['../outside/scans.json', 'outside the workspace'],
    ['a\0b', 'ERR_INVALID_ARG_VALUE'],
    ...ON_POSIX,
  ])('reports a path that cannot be read: %j', async (path, reason) => {
    expect(await listProblems(path, await makeWorkspace())).toEqual([
      `\`scans\`: the file '${path}' cannot be read (${reason}).`,
    ]);
  });

  test('refuses a pattern', async () => {
    expect(await listProblems('in/*.json', await makeWorkspace())).toEqual([
      '`scans` is the path of one file, not a pattern.',
    ]);
  });

  test('refuses a relative path out of the workspace, even if the target has the workspace as a prefix', async () => {
    const workspace = await makeWorkspace();
    await mkdir(`${workspace}-2`);
    await writeFile(`${workspace}-2${sep}scans.json`, SCANS);
    expect(await listProblems('../workspace-2/scans.json', workspace)).toEqual([
      "`scans`: the file '../workspace-2/scans.json' cannot be read (outside the workspace).",
    ]);
    expect(await readScans(`${workspace}-2${sep}scans.json`, workspace)).toMatchObject(READ);
  });

  test('reads a file outside the workspace that an absolute path names', async () => {
    const workspace = await makeWorkspace();
    const outside = join(workspace, '..', 'outside');
    for (const path of [join(outside, 'scans.json'), `${outside}/../outside/scans.json`]) {
      expect(await readScans(path, workspace)).toMatchObject(READ);
    }
    const missing = join(outside, 'missing.json');
    expect(await listProblems(missing, workspace)).toEqual([
      `\`scans\`: the file '${missing}' does not exist. Correct the path.`,
    ]);
  });

  test('refuses a file of more than 16 MiB', async () => {
    const workspace = await makeWorkspace({ 's.json': SCANS.padEnd(16 * MIB, ' ') });
    expect(await readScans('s.json', workspace)).toMatchObject(READ);
    await truncate(join(workspace, 's.json'), 16 * MIB + 1);
    expect(await listProblems('s.json', workspace)).toEqual([
      "`scans`: the file 's.json' cannot be read (too large).",
    ]);
  });
});

describePosix('readScans with the path of a link', () => {
  test('follows links in the workspace, and to the workspace', async () => {
    const workspace = await makeWorkspace();
    await symlink('in/scans.json', join(workspace, 'link.json'));
    await symlink('in', join(workspace, 'directory'));
    expect(await readScans('link.json', workspace)).toMatchObject(READ);
    expect(await readScans('directory/scans.json', workspace)).toMatchObject(READ);
    await symlink(workspace, `${workspace}-link`);
    expect(await readScans('in/scans.json', `${workspace}-link`)).toMatchObject(READ);
  });

  test('follows a link to a hidden name, which only scan files may not be', async () => {
    const workspace = await makeWorkspace({ '.scans.json': SCANS });
    await symlink('.scans.json', join(workspace, 'link.json'));
    expect(await readScans('link.json', workspace)).toMatchObject(READ);
  });

  test.each([
    ['a file', 'link.json', '../outside/scans.json'],
    ['a directory', 'directory/scans.json', '../outside'],
  ])('refuses a link to %s outside the workspace', async (_, path, target) => {
    const workspace = await makeWorkspace();
    await symlink(target, join(workspace, String(path.split('/')[0])));
    for (const named of [path, join(workspace, path)]) {
      expect(await listProblems(named, workspace)).toEqual([
        `\`scans\`: the file '${named}' cannot be read (outside the workspace).`,
      ]);
    }
  });

  test('follows links in a directory outside the workspace, and to it, but not out of it', async () => {
    const workspace = await makeWorkspace();
    const outside = await realpath(join(workspace, '..', 'outside'));
    await symlink('scans.json', join(outside, 'link.json'));
    await symlink(outside, `${outside}-link`);
    for (const path of [join(outside, 'link.json'), join(`${outside}-link`, 'scans.json')]) {
      expect(await readScans(path, workspace)).toMatchObject(READ);
    }
    for (const target of ['../workspace/in/scans.json', '/etc/hosts']) {
      const path = join(outside, `${basename(target)}-out`);
      await symlink(target, path);
      expect(await listProblems(path, workspace)).toEqual([
        `\`scans\`: the file '${path}' cannot be read (outside '${outside}').`,
      ]);
    }
  });

  test('refuses circular and dangling links', async () => {
    const workspace = await makeWorkspace();
    await symlink('loop', join(workspace, 'loop'));
    await symlink('missing', join(workspace, 'broken'));
    expect(await listProblems('loop', workspace)).toEqual([
      "`scans`: the file 'loop' cannot be read (ELOOP).",
    ]);
    for (const missing of ['broken', 'not - there']) {
      expect(await listProblems(missing, workspace)).toEqual([
        `\`scans\`: the file '${missing}' does not exist in the workspace. Create it, or check out the repository, before this step.`,
      ]);
    }
  });

  test('does not wait for a FIFO', async () => {
    const workspace = await makeWorkspace();
    execFileSync('mkfifo', [join(workspace, 'fifo')]);
    expect(await listProblems('fifo', workspace)).toEqual([
      "`scans`: the file 'fifo' cannot be read (not a regular file).",
    ]);
  });
});
