import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { FileError } from '../errors.ts';
import { identify, isInside } from './paths.ts';
import type { FoundFile } from './find.ts';

/** The folders that scan files may come from. */
export interface Roots {
  /** The workspace, absolute. */
  readonly workspace: string;
  /** The runner's temporary folder, absolute, if there is one. */
  readonly temp: string | undefined;
  /** Whether a link may lead to a hidden file. */
  readonly includeHidden?: boolean;
}

/** A root that is there. */
interface Root {
  /** The path as it was given, and its real path. */
  readonly names: readonly [string, string];
  /** Links and bind mounts give one folder further names. */
  readonly identity: string;
}

interface FoundRoots {
  readonly workspace: Root;
  readonly temp: Root | undefined;
}

/** Where a path, as it was written, comes into a root. */
interface Entry {
  readonly root: Root;
  readonly folder: string;
}

/**
 * Makes sure that a link which a pull request or an archive plants leads nowhere. A path in the
 * workspace, by any of its names, stays in the workspace; one in the runner's temporary folder stays
 * in the folder that the pattern names. Any other has no link below that folder, or leads into the
 * workspace. `real` is the file's real path. Throws a FileError.
 */
export async function checkBounds(found: FoundFile, real: string, roots: Roots): Promise<void> {
  const { path, folder } = found;
  const { workspace, temp } = await findRoots(roots);
  const entry = await findEntry(found, folder && temp ? [workspace, temp] : [workspace]);
  if (!entry && folder && (await isUnlinked(path, folder, real))) return;
  const base = await findRootFolder(real, entry?.root ?? workspace);
  const isTemp = folder !== undefined && entry !== undefined && entry.root === temp;
  if (base === undefined || (isTemp && !(await isBelow(real, folder, entry.folder)))) {
    const bound = folder === undefined ? 'the workspace' : 'the folder that is named';
    throw new FileError(
      `'${path}' leads to '${real}', outside ${bound}, and is not uploaded. Name the file itself, or copy it into the workspace.`,
    );
  }
  // A link's own name must not hide that it leads to .git/config or .env.
  if (roots.includeHidden === true || !isHidden(relative(base, real))) return;
  if (entry && (await isUnlinked(path, entry.folder, real))) return;
  throw new FileError(
    `'${path}' is a link to the hidden '${real}' and is not uploaded: name the file itself, or set include-hidden-files.`,
  );
}

/** The roots of each set that was asked for; they do not move while a step runs. */
const foundRoots = new WeakMap<Roots, FoundRoots>();

async function findRoots(roots: Roots): Promise<FoundRoots> {
  const found = foundRoots.get(roots) ?? {
    workspace: await findRoot(roots.workspace),
    temp: roots.temp ? await findRoot(roots.temp).catch(() => undefined) : undefined,
  };
  foundRoots.set(roots, found);
  return found;
}

async function findRoot(path: string): Promise<Root> {
  const identity = identify(await stat(path, { bigint: true }));
  return { names: [path, await realpath(path)], identity };
}

/**
 * Looks for a root's own names on the path, then for a link or bind mount into a root at or above
 * the folder that is named: below it, a link is not the author's word.
 */
async function findEntry(
  { path, folder }: FoundFile,
  roots: readonly Root[],
): Promise<Entry | undefined> {
  for (const root of roots) {
    const name = root.names.find((each) => isInside(path, each));
    if (name !== undefined) return { root, folder: name };
  }
  for (const ancestor of folder === undefined ? [] : listFolders(folder)) {
    const real = await realpath(ancestor);
    for (const root of roots) {
      if ((await findRootFolder(real, root)) !== undefined) return { root, folder: ancestor };
    }
  }
  return undefined;
}

/** The outermost folder on a real path that is this root. */
async function findRootFolder(
  path: string,
  { names, identity }: Root,
): Promise<string | undefined> {
  // Not every network file system gives a folder the same inode twice.
  if (path === names[1] || isInside(path, names[1])) return names[1];
  for (const folder of listFolders(path)) {
    const stats = await stat(folder, { bigint: true }).catch(() => undefined);
    if (stats && identify(stats) === identity) return folder;
  }
  return undefined;
}

/** A path and all that is above it, the outermost first. */
function listFolders(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [...listFolders(above), path];
}

/** Whether a real path lies in the folder named, and no link on the way there leads up or aside. */
async function isBelow(real: string, folder: string, top: string): Promise<boolean> {
  const steps = listFolders(folder).filter((step) => isInside(step, top));
  for (const step of steps) {
    if (!isInside(await realpath(step), await realpath(dirname(step)))) return false;
  }
  return isInside(real, await realpath(folder));
}

/** Whether no link lies between a folder and the end of a path in it. */
async function isUnlinked(path: string, folder: string, real: string): Promise<boolean> {
  return real === join(await realpath(folder), relative(folder, path));
}

function isHidden(way: string): boolean {
  return way.split(sep).some((segment) => segment.startsWith('.'));
}
