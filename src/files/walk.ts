import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as takeTurns } from 'node:timers/promises';
import { errorCode } from '../errors.ts';
import type { WalkFilter } from './walk-filter.ts';

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

interface Directory {
  readonly path: string;
  /** With every link on the way resolved. */
  readonly real: string;
  /** The directory that the walk came from. */
  readonly parent: Directory | undefined;
  readonly filter: WalkFilter;
}

/** A path that may lead to a file or to a directory. */
interface Target {
  readonly path: string;
  readonly parent: Directory | undefined;
  /** Whether it is taken if it is a file. */
  readonly isWanted: boolean;
  readonly filter: WalkFilter;
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What stands in a name for bytes that are no UTF-8: such a path leads nowhere. */
const REPLACEMENT = '\uFFFD';
/** What the system says of a path where nothing is, or where no directory is any more. */
const GONE = ['ENOENT', 'ENOTDIR'];
/** What it says of a link that leads to no file and no directory. */
const LEADS_NOWHERE = [...GONE, 'ELOOP'];
/** How many entries are matched before timers and signals get their turn. */
const ENTRIES_PER_TURN = 100;

/**
 * Walks down from a path, depth first and in the order in which the system lists names: links are
 * followed, but not into a directory they lie in, and dangling ones are nothing. Rejects with the
 * signal's reason once that fires.
 */
export async function walk(
  path: string,
  filter: WalkFilter,
  signal?: AbortSignal,
): Promise<WalkResult> {
  const walker = new Walker(signal);
  const here = filter.reach(path);
  await walker.follow({ path, parent: undefined, isWanted: here.matchesHere(), filter: here });
  return walker;
}

class Walker implements WalkResult {
  readonly paths: string[] = [];
  readonly failures: WalkFailure[] = [];
  readonly #signal: AbortSignal | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Takes what a path leads to. */
  async follow({ path, parent, isWanted, filter }: Target): Promise<void> {
    const isAsked = isWanted || parent === undefined;
    const real = await this.#ask(path, isAsked ? ['ENOENT'] : LEADS_NOWHERE, async () => {
      const isDirectory = (await stat(path)).isDirectory();
      if (!isDirectory && isWanted) this.paths.push(path);
      return isDirectory && filter.mayMatch() ? realpath(path) : undefined;
    });
    if (real !== undefined) await this.#read({ path, real, parent, filter });
  }

  async #read(directory: Directory): Promise<void> {
    // Behind a link that leads up, also what is no link may be a directory on the way here.
    if (isPassed(directory)) return;
    const list = (): Promise<readonly Entry[]> => listEntries(directory.path);
    const entries = (await this.#ask(directory.path, GONE, list)) ?? [];
    for (const [index, entry] of entries.entries()) {
      if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await takeTurns();
      this.#signal?.throwIfAborted();
      const { name } = entry;
      if (entry.isSymbolicLink() || name.includes(REPLACEMENT)) {
        await this.#followLink(directory, name);
      } else if (entry.isDirectory()) {
        await this.#enter(directory, name);
      } else if (directory.filter.matchesFile(name)) {
        this.paths.push(join(directory.path, name));
      }
    }
  }

  /** Follows a link, if what it may lead to is wanted. */
  async #followLink(parent: Directory, name: string): Promise<void> {
    const isWanted = parent.filter.matchesFile(name);
    const filter = parent.filter.step(name);
    if (!isWanted && !filter.mayMatch()) return;
    await this.follow({ path: join(parent.path, name), parent, isWanted, filter });
  }

  async #enter(parent: Directory, name: string): Promise<void> {
    const filter = parent.filter.step(name);
    if (!filter.mayMatch()) return;
    const [path, real] = [join(parent.path, name), join(parent.real, name)];
    await this.#read({ path, real, parent, filter });
  }

  /** Asks the system about a path; undefined if that fails, which is kept unless its code is harmless. */
  async #ask<T>(
    path: string,
    harmless: readonly string[],
    ask: () => Promise<T>,
  ): Promise<T | undefined> {
    this.#signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (!harmless.includes(errorCode(error) ?? '')) this.failures.push({ path, error });
      return undefined;
    }
  }
}

async function listEntries(path: string): Promise<readonly Entry[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    // Where the file system tells no types Node asks for each, and one file that is gone by then
    // would hide the directory: the names alone are as good.
    const names = await readdir(path);
    return names.map((name) => ({ name, isDirectory: () => false, isSymbolicLink: () => true }));
  }
}

/** Whether a directory is one that the walk already came through on its way here. */
function isPassed({ real, parent }: Directory): boolean {
  for (let each = parent; each !== undefined; each = each.parent) {
    if (each.real === real) return true;
  }
  return false;
}
