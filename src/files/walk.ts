import { readdir, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { errorCode } from '../errors.ts';
import type { Place, WalkFilter } from './walk-filter.ts';
import { sortByOrder } from './walk-order.ts';
import type { Ordered } from './walk-order.ts';

/** What could not be read, although something that is wanted may lie there. */
export interface WalkFailure {
  readonly path: string;
  readonly error: unknown;
}

/** What a walk found; both in the order of the walk. */
interface WalkResult {
  readonly paths: readonly string[];
  readonly failures: readonly WalkFailure[];
}

interface Folder {
  readonly path: string;
  /** With every link on the way resolved. */
  readonly real: string;
  readonly parent: Folder | undefined;
  readonly place: Place;
  readonly order: readonly number[];
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/**
 * Folders that are read at a time. Node has four threads for this: while a file system does not answer,
 * the one that is left writes the report.
 */
const MAX_READS = 3;
/** What stands in a name for bytes that are no UTF-8: such a path leads nowhere. */
const REPLACEMENT = '\uFFFD';
/** What the system says of a path where nothing is, or where no folder is any more. */
const GONE = ['ENOENT', 'ENOTDIR'];
/** What it says of a link that leads to no file and no folder. */
const LEADS_NOWHERE = [...GONE, 'ELOOP'];

/**
 * Walks down from a path, depth first and in the order in which the system lists names: links are
 * followed, but not into a folder they lie in, and dangling ones are nothing. Once the signal fires no
 * further folder is read, and it rejects with the signal's reason when the calls under way have ended.
 */
export async function walk(
  start: { readonly path: string; readonly place: Place },
  filter: WalkFilter,
  signal?: AbortSignal,
): Promise<WalkResult> {
  const { path, place } = start;
  try {
    signal?.throwIfAborted();
    const stats = await stat(path);
    if (!stats.isDirectory()) {
      return { paths: filter.matchesHere(place) ? [path] : [], failures: [] };
    }
    if (!filter.mayHold(place)) return { paths: [], failures: [] };
    const root = { path, real: await realpath(path), parent: undefined, place, order: [] };
    return await new Walk(filter, signal).run(root);
  } catch (error) {
    signal?.throwIfAborted();
    return { paths: [], failures: failsWith(error, ['ENOENT']) ? [] : [{ path, error }] };
  }
}

class Walk {
  readonly #filter: WalkFilter;
  readonly #signal: AbortSignal | undefined;
  readonly #pending: Folder[] = [];
  readonly #found: Ordered<string>[] = [];
  readonly #failures: Ordered<WalkFailure>[] = [];
  #reading = 0;

  constructor(filter: WalkFilter, signal: AbortSignal | undefined) {
    this.#filter = filter;
    this.#signal = signal;
  }

  async run(root: Folder): Promise<WalkResult> {
    this.#pending.push(root);
    await new Promise<void>((resolve) => {
      this.#advance(resolve);
    });
    this.#signal?.throwIfAborted();
    return { paths: sortByOrder(this.#found), failures: sortByOrder(this.#failures) };
  }

  #advance(done: () => void): void {
    while (this.#reading < MAX_READS && this.#signal?.aborted !== true) {
      const folder = this.#pending.pop();
      if (folder === undefined) break;
      this.#reading += 1;
      void this.#visit(folder).finally(() => {
        this.#reading -= 1;
        this.#advance(done);
      });
    }
    if (this.#reading === 0) done();
  }

  async #visit(folder: Folder): Promise<void> {
    try {
      const entries = await readFolder(folder.path);
      const open: { readonly name: string; readonly index: number }[] = [];
      entries.forEach((entry, index) => {
        if (this.#leavesOpen(folder, entry, index)) open.push({ name: entry.name, index });
      });
      for (const { name, index } of open) {
        if (this.#signal?.aborted === true) return;
        await this.#look(folder, name, index);
      }
    } catch (error) {
      // A folder that is gone holds nothing, and neither does what is no folder any more.
      if (!failsWith(error, GONE)) {
        this.#failures.push({ order: folder.order, value: { path: folder.path, error } });
      }
    }
  }

  /** Takes what the listing tells all of; true for what has to be looked at. */
  #leavesOpen(folder: Folder, entry: Entry, index: number): boolean {
    const { name } = entry;
    if (entry.isSymbolicLink()) return true;
    if (entry.isDirectory()) {
      const place = this.#filter.enter(folder.place, name);
      if (place !== undefined) this.#descend(folder, name, index, place, join(folder.real, name));
      return false;
    }
    if (!this.#filter.matchesFile(folder.place, name)) return false;
    if (name.includes(REPLACEMENT)) return true;
    this.#take(folder, name, index);
    return false;
  }

  /** Follows a link, if what it may lead to is wanted. */
  async #look(folder: Folder, name: string, index: number): Promise<void> {
    const isWanted = this.#filter.matchesFile(folder.place, name);
    const place = this.#filter.enter(folder.place, name);
    if (!isWanted && place === undefined) return;
    const path = join(folder.path, name);
    try {
      const isFolder = (await stat(path)).isDirectory();
      if (!isFolder && isWanted) this.#take(folder, name, index);
      if (!isFolder || place === undefined) return;
      this.#descend(folder, name, index, place, await realpath(path));
    } catch (error) {
      if (failsWith(error, isWanted ? ['ENOENT'] : LEADS_NOWHERE)) return;
      this.#failures.push({ order: [...folder.order, index], value: { path, error } });
    }
  }

  #take(folder: Folder, name: string, index: number): void {
    this.#found.push({ order: [...folder.order, index], value: join(folder.path, name) });
  }

  #descend(parent: Folder, name: string, index: number, place: Place, real: string): void {
    // Behind a link that leads up, also what is no link may be a folder on the way here.
    if (liesIn(real, parent)) return;
    const path = join(parent.path, name);
    this.#pending.push({ path, real, parent, place, order: [...parent.order, index] });
  }
}

async function readFolder(path: string): Promise<readonly Entry[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (!failsWith(error, ['ENOENT'])) throw error;
    // Where the file system tells no types Node asks for each, and one file that is gone by then
    // would hide the folder: the names alone are as good.
    const names = await readdir(path);
    return names.map((name) => ({ name, isDirectory: () => false, isSymbolicLink: () => true }));
  }
}

function failsWith(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(errorCode(error) ?? '');
}

/** Whether a folder is the one at a real path, or lies below it on the way that was taken. */
function liesIn(real: string, folder: Folder): boolean {
  for (let each: Folder | undefined = folder; each !== undefined; each = each.parent) {
    if (each.real === real) return true;
  }
  return false;
}

/** Joins as node:path does, without looking for what a listing does not have. */
function join(folder: string, name: string): string {
  return folder.endsWith(sep) ? `${folder}${name}` : `${folder}${sep}${name}`;
}
