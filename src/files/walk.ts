import { isUtf8 } from 'node:buffer';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setImmediate as endTurn } from 'node:timers/promises';
import { StepError, errorCode } from '../errors.ts';
import { advance, isWanted, mayMatch, step } from './walk-pattern.ts';
import type { WalkFilter } from './walk-pattern.ts';

/** A path that cannot be read, although it may be, or contain, a wanted file. */
interface WalkFailure {
  readonly path: string;
  readonly error: unknown;
}

export interface WalkResult {
  readonly paths: readonly string[];
  /** The first failures: every name in the workspace may be one. */
  readonly failures: readonly WalkFailure[];
  readonly failureCount: number;
}

/** A path that may lead to a file or to a directory. */
interface Target {
  readonly path: string;
  /** The path in bytes, if the name at its end is not UTF-8. */
  readonly bytes?: Buffer | undefined;
  /** The directory that the walk came from. */
  readonly parent: Directory | undefined;
  readonly filter: WalkFilter;
}

interface Directory extends Target {
  /** With every link on the way resolved. */
  readonly real: string;
}

interface Entry {
  readonly name: string;
  /** The name in bytes, if it is not UTF-8. */
  readonly bytes?: Buffer;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** How many failures are kept. */
const MAX_FAILURES = 3;
/** How many paths a search may match. */
const MAX_PATHS = 100_000;
/** How often a search may visit directories that it has visited by another path: links multiply paths. */
const MAX_REPEATS = 10_000;
/** After how many names timers and signals can run: 20 excludes take 1.4 s for 200,000 names. */
const NAMES_PER_TURN = 100;
/** Replaces bytes in a name that are not UTF-8; a path with it does not exist. */
const REPLACEMENT = '\uFFFD';
/** The codes for a path that does not exist, or is no longer a directory. */
const GONE = ['ENOENT', 'ENOTDIR'];
/** The codes for a dangling link. */
const LEADS_NOWHERE = [...GONE, 'ELOOP'];

/**
 * Finds the wanted files below a path, depth first, in the order in which the system lists names. Links
 * are followed, except to a directory above them; dangling links are ignored. A wanted name that is not
 * UTF-8 is a failure, because it has no path. Rejects with the signal's reason once it fires, and with a
 * StepError that names the pattern `text` if there are too many paths.
 */
export async function walk(
  text: string,
  path: string,
  filter: WalkFilter,
  signal?: AbortSignal,
): Promise<WalkResult> {
  const walker = new Walker(text, signal);
  const start = await findStart(path);
  await walker.follow({ path: start, parent: undefined, filter: advance(filter, start) });
  return walker;
}

/**
 * The path itself, or, if it is a name that is not UTF-8 as far as it can be written, the directory above
 * it: only a listing has the bytes.
 */
async function findStart(path: string): Promise<string> {
  const at = path.indexOf(REPLACEMENT);
  if (at < 0) return path;
  const above = path.slice(0, path.lastIndexOf(sep, at) + 1);
  return stat(path).then(
    () => path,
    () => above,
  );
}

class Walker implements WalkResult {
  readonly paths: string[] = [];
  readonly failures: WalkFailure[] = [];
  failureCount = 0;
  readonly #text: string;
  readonly #signal: AbortSignal | undefined;
  /** The real paths of the directories that were visited. */
  readonly #visited = new Set<string>();
  #repeats = 0;

  constructor(text: string, signal: AbortSignal | undefined) {
    this.#text = text;
    this.#signal = signal;
  }

  async follow(target: Target): Promise<void> {
    const { path, bytes, parent, filter } = target;
    const isAsked = isWanted(filter) || parent === undefined;
    const real = await this.#ask(path, isAsked ? ['ENOENT'] : LEADS_NOWHERE, async () => {
      const isDirectory = (await stat(bytes ?? path)).isDirectory();
      if (isDirectory ? !mayMatch(filter) : !isWanted(filter)) return undefined;
      if (bytes !== undefined) throw new Error(`the name of '${path}' is not UTF-8: rename it`);
      if (!isDirectory) this.paths.push(path);
      return isDirectory ? realpath(path) : undefined;
    });
    if (real !== undefined) await this.#read({ ...target, real });
  }

  async #read(directory: Directory): Promise<void> {
    // After a link to a directory above, the walk may reach a directory a second time without a link.
    if (isPassed(directory)) return;
    this.#countVisit(directory);
    const list = (): Promise<readonly Entry[]> => listEntries(directory.path);
    const entries = (await this.#ask(directory.path, GONE, list)) ?? [];
    for (const [index, entry] of entries.entries()) {
      if (index % NAMES_PER_TURN === NAMES_PER_TURN - 1) await endTurn();
      this.#signal?.throwIfAborted();
      const filter = step(directory.filter, entry.name);
      if (isWanted(filter) || mayMatch(filter)) await this.#visit(directory, entry, filter);
      if (this.paths.length > MAX_PATHS)
        throw this.#refuse(`matches more than ${MAX_PATHS} paths.`);
    }
  }

  #countVisit({ path, real }: Directory): void {
    if (this.#visited.has(real)) this.#repeats += 1;
    this.#visited.add(real);
    if (this.#repeats <= MAX_REPEATS) return;
    throw this.#refuse(
      `visited directories again more than ${MAX_REPEATS} times, because links lead to them: at last '${path}'.`,
    );
  }

  #refuse(problem: string): StepError {
    return new StepError('files', `The pattern '${this.#text}' ${problem}`, [
      'Write a pattern that matches fewer paths, or exclude directories and links in lines below it (`!dir/**`).',
    ]);
  }

  async #visit(parent: Directory, entry: Entry, filter: WalkFilter): Promise<void> {
    const target = { path: join(parent.path, entry.name), parent, filter };
    if (entry.isSymbolicLink()) {
      const start = Buffer.from(join(parent.path, sep));
      await this.follow({ ...target, bytes: entry.bytes && Buffer.concat([start, entry.bytes]) });
    } else if (!entry.isDirectory()) {
      if (isWanted(filter)) this.paths.push(target.path);
    } else if (mayMatch(filter)) {
      await this.#read({ ...target, real: join(parent.real, entry.name) });
    }
  }

  #addFailure(failure: WalkFailure): void {
    this.failureCount += 1;
    if (this.failureCount <= MAX_FAILURES) this.failures.push(failure);
  }

  /** Asks the system about a path. Undefined if it fails; the error is kept unless its code is harmless. */
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
      if (!harmless.includes(errorCode(error) ?? '')) this.#addFailure({ path, error });
      return undefined;
    }
  }
}

async function listEntries(path: string): Promise<readonly Entry[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return entries;
  } catch (error) {
    // If the file system does not report types, Node asks for the type of each file and fails if one is
    // gone by then. Reading only the names avoids this.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const names = await readdir(path, { encoding: 'buffer' });
  return names.map((bytes) => ({
    name: bytes.toString(),
    ...(!isUtf8(bytes) && { bytes }),
    isDirectory: () => false,
    isSymbolicLink: () => true,
  }));
}

/** Whether the walk has already passed this directory on the way here. */
function isPassed({ real, parent }: Directory): boolean {
  for (let each = parent; each !== undefined; each = each.parent) {
    if (each.real === real) return true;
  }
  return false;
}
