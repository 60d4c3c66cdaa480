import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TEST_SCOPE } from './scope.ts';

/** The files below a directory: contents by relative path, with `/`. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** Empty files of these paths. */
export function makeTree(paths: readonly string[]): Tree {
  return Object.fromEntries(paths.map((path) => [path, '']));
}

/** Creates a directory with files, removed with its scope. Returns its real path. */
export async function makeFolder(tree: Tree = {}, scope = TEST_SCOPE): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'scan-test-')));
  scope.defer(() => rm(directory, { recursive: true, force: true }));
  await writeTree(directory, tree);
  return directory;
}

export async function writeTree(directory: string, tree: Tree): Promise<void> {
  const files = Object.entries(tree).map(
    ([path, content]) => [join(directory, path), content] as const,
  );
  for (const parent of new Set(files.map(([path]) => dirname(path)))) {
    await mkdir(parent, { recursive: true });
  }
  for (const [path, content] of files) await writeFile(path, content);
}
