import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isTurnDue, takeTurn } from '../turns.ts';
import type { Scope } from './search.ts';

const MAX_NAMES = 3;
/** The limits of the search, which only serves a message: entries of each search, milliseconds of all in a step. */
const MAX_ENTRIES = 20_000;
const MAX_MS = 1000;
const LEFT_OUT = 'node_modules';

/** How many milliseconds the searches of a step have taken; hundreds of scans may have missing files. */
const spentMs = new WeakMap<Scope, number>();

interface Candidate {
  readonly path: string;
  /** 0 for the same name in another directory, else how many characters differ. */
  readonly distance: number;
}

/**
 * Returns up to three files of the workspace with a similar name to a path that does not exist: files of
 * the same name elsewhere, and files whose names differ in few characters. The paths are relative, with
 * `/`. Hidden names, `node_modules` and the files in `taken` are left out. Reads at most 20,000 entries. All
 * calls with one scope together take at most a second; later calls return no files.
 */
export async function findNearNames(
  path: string,
  scope: Scope,
  taken: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { workspace } = scope;
  const start = performance.now();
  const spent = spentMs.get(scope) ?? 0;
  // Even one directory may take long to read.
  if (spent > MAX_MS) return [];
  const name = basename(path);
  const most = Math.max(1, Math.floor(name.length / 4));
  const near: Candidate[] = [];
  for await (const file of listFiles(workspace, start + MAX_MS - spent)) {
    if (isTurnDue()) await takeTurn();
    // The path itself exists if an exclude (`!`) leaves it out.
    if (file === path || taken.has(file)) continue;
    const distance = measureDistance(basename(file), name, most);
    if (distance <= most) near.push({ path: file, distance });
  }
  spentMs.set(scope, spent + performance.now() - start);
  const home = dirname(path);
  const rank = (candidate: Candidate): number =>
    candidate.distance * 2 + (dirname(candidate.path) === home ? 0 : 1);
  return near
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MAX_NAMES)
    .map((candidate) => relative(workspace, candidate.path).replaceAll(sep, '/'));
}

/**
 * The files below a directory; the files of a directory come before those of its subdirectories. Ends at
 * `end`, in milliseconds of `performance.now()`.
 */
async function* listFiles(root: string, end: number): AsyncGenerator<string> {
  const directories = [root];
  let entries = 0;
  for (const directory of directories) {
    for (const entry of await listEntries(directory)) {
      entries += 1;
      if (entries > MAX_ENTRIES || performance.now() > end) return;
      if (entry.name.startsWith('.') || entry.name === LEFT_OUT) continue;
      if (entry.isDirectory()) directories.push(join(directory, entry.name));
      else yield join(directory, entry.name);
    }
  }
}

async function listEntries(directory: string): Promise<readonly Dirent[]> {
  // An unreadable directory has no names to propose.
  return readdir(directory, { withFileTypes: true }).catch(() => []);
}

/** How many characters are inserted, deleted or replaced from one name to another; Infinity beyond `most`. */
function measureDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? Number.POSITIVE_INFINITY;
}
