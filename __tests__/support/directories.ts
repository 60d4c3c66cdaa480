import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TEST_SCOPE } from './scope.ts';

/** What is below a directory: contents by relative path, with `/`. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** A fresh directory with files in it, as a real path, removed with its scope. */
export async function makeFolder(tree: Tree = {}, scope = TEST_SCOPE): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'scan-test-')));
  scope.defer(() => rm(directory, { recursive: true, force: true }));
  await writeTree(directory, tree);
  return directory;
}

export async function writeTree(directory: string, tree: Tree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
}

/** Every file below a directory, as sorted relative paths with `/`. */
export async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
}
