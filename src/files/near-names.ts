import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { measureDistance } from '../text.ts';
import { displayPath } from './paths.ts';
import { searchPattern } from './search.ts';
import type { Scope } from './search.ts';
import type { WalkPattern } from './walk-pattern.ts';

const MAX_NAMES = 3;
/** How long all searches of a step may take, in milliseconds: they only serve a message. */
const MAX_MS = 1000;

/** How many milliseconds the searches of a step have taken; hundreds of scans may have missing files. */
const spentMs = new WeakMap<Scope, number>();

/**
 * Returns up to three files of the workspace with a similar name to a path that does not exist: files of
 * the same name elsewhere, and files whose names differ in few characters. The paths are relative, with
 * `/`. Hidden names, `node_modules` and the files in `taken` are left out. All searches with one scope
 * together take at most a second; later ones return no files.
 */
export async function findNearNames(
  path: string,
  scope: Scope,
  taken: ReadonlySet<string>,
): Promise<readonly string[]> {
  return searchBriefly(scope, async (end) => rankNames(path, scope, taken, end));
}

/**
 * Returns up to three hidden files that a pattern would match if wildcards matched hidden names; the paths
 * and the time are as above.
 */
export async function findHiddenMatches(
  { text, excludes }: HiddenSearch,
  scope: Scope,
): Promise<readonly string[]> {
  if (scope.includeHidden) return [];
  return searchBriefly(scope, async (end) => {
    const all = { ...scope, includeHidden: true };
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(end - performance.now())));
    const { paths } = await searchPattern(text, excludes, all, signal).catch(() => ({ paths: [] }));
    return paths;
  });
}

/** A pattern, and the excludes that apply to it. */
interface HiddenSearch {
  readonly text: string;
  readonly excludes: readonly WalkPattern[];
}

/** Runs a search until `end`, in milliseconds of `performance.now()`; shows the first three files that it finds. */
async function searchBriefly(
  scope: Scope,
  search: (end: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const start = performance.now();
  const spent = spentMs.get(scope) ?? 0;
  // Even one directory may take long to read.
  if (spent > MAX_MS) return [];
  const found = await search(start + MAX_MS - spent);
  spentMs.set(scope, spent + performance.now() - start);
  return found.slice(0, MAX_NAMES).map((file) => displayPath(file, scope.workspace));
}

async function rankNames(
  path: string,
  { workspace }: Scope,
  taken: ReadonlySet<string>,
  end: number,
): Promise<readonly string[]> {
  const name = basename(path);
  const most = Math.max(1, Math.floor(name.length / 4));
  const near: { readonly file: string; readonly rank: number }[] = [];
  for await (const file of listFiles(workspace, end)) {
    // The path itself exists if an exclude (`!`) leaves it out.
    if (file === path || taken.has(file)) continue;
    const distance = measureDistance(basename(file), name, most);
    const rank = distance * 2 + (dirname(file) === dirname(path) ? 0 : 1);
    if (distance <= most) near.push({ file, rank });
  }
  return near.toSorted((one, other) => one.rank - other.rank).map(({ file }) => file);
}

/**
 * The files below a directory; the files of a directory come before those of its subdirectories. Ends at
 * `end`, in milliseconds of `performance.now()`.
 */
async function* listFiles(root: string, end: number): AsyncGenerator<string> {
  const directories = [root];
  for (const directory of directories) {
    // An unreadable directory has no names to propose.
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (performance.now() > end) return;
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) directories.push(join(directory, entry.name));
      else yield join(directory, entry.name);
    }
  }
}
