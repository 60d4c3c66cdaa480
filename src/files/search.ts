import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setImmediate as endTurn } from 'node:timers/promises';
import { StepError, errorCode } from '../errors.ts';
import { begin, coversBelow, enter, matches } from './glob.ts';
import type { Glob, Position } from './glob.ts';
import { requestEntries } from './entries.ts';
import type { DirectoryEntry, Listing } from './entries.ts';
import { IS_WINDOWS } from './paths.ts';
import { explainUnreadable } from './unreadable.ts';

/** Where patterns start, and which names wildcards match. */
export interface Scope {
  /** Absolute; relative patterns start here. */
  readonly workspace: string;
  /** Whether wildcards match names that begin with a dot, and links may lead to such names. */
  readonly includeHidden: boolean;
}

/** A directory that may contain wanted files. */
interface Directory {
  readonly path: string;
  /** With every link on the way resolved. */
  readonly real: string;
  /** The real paths of the directories that the search has passed on the way. */
  readonly passed: readonly string[];
  readonly include: Position;
  /** Those that may match below. */
  readonly excludes: readonly Position[];
}

/** How many failures a message lists: every name in the workspace may be one. */
const MAX_FAILURES = 3;
/** How many paths a search may match. */
const MAX_PATHS = 100_000;
/** How often a search may visit directories that it has visited by another path: links multiply paths. */
const MAX_REPEATS = 10_000;
/** How many names it may read in them. Directories of pnpm have some ten thousand. */
const MAX_NAMES_AGAIN = 1_000_000;
/** How many directories are read before it is their turn, of one directory and in all. */
const MAX_AHEAD = { siblings: 8, all: 64 };
/** After how many names timers and signals can run: 20 excludes take 1.4 s for 200,000 names. */
const NAMES_PER_TURN = 100;
/** Replaces bytes in a name that are not UTF-8; a path with it does not exist. */
const REPLACEMENT = '\uFFFD';
/** The codes for a path that does not exist, or is no longer a directory. */
const GONE = ['ENOENT', 'ENOTDIR'];
/** The codes for a dangling link. */
const LEADS_NOWHERE = [...GONE, 'ELOOP'];

/**
 * Finds the files that match a pattern and none of the excludes: absolute paths of everything but
 * directories, depth first, in the order in which the system lists names. Links are followed, except to a
 * directory above them; dangling links are ignored. Throws a StepError for a path that cannot be read, or
 * whose name is not UTF-8, if it could be or contain a match, and for a search that matches too many paths
 * or visits the same directories too often. Rejects with the signal's reason once it fires. `paths` has
 * what was found until then.
 */
export async function searchGlob(
  include: Glob,
  excludes: readonly Glob[],
  signal?: AbortSignal,
  paths: string[] = [],
): Promise<readonly string[]> {
  const search = new Search(include, signal, paths);
  await search.start(excludes);
  if (search.failureCount > 0) throw explainUnreadable(search, include);
  return paths;
}

class Search {
  /** The first of the paths that could not be read. */
  readonly failures: { readonly path: string; readonly error: unknown }[] = [];
  failureCount = 0;
  readonly #glob: Glob;
  readonly #signal: AbortSignal | undefined;
  readonly #paths: string[];
  /** The real paths of the directories that were visited. */
  readonly #visited = new Set<string>();
  #repeats = 0;
  #namesAgain = 0;
  #ahead = 0;

  constructor(glob: Glob, signal: AbortSignal | undefined, paths: string[]) {
    this.#glob = glob;
    this.#signal = signal;
    this.#paths = paths;
  }

  async start(excludes: readonly Glob[]): Promise<void> {
    const { searchPath } = this.#glob;
    // A name that is not UTF-8 has no path: only the listing of the directory above has its bytes.
    const at = searchPath.indexOf(REPLACEMENT);
    const isThere = at < 0 || (await stat(searchPath).then(Boolean, () => false));
    const path = isThere ? searchPath : searchPath.slice(0, searchPath.lastIndexOf(sep, at) + 1);
    const names = path.split(IS_WINDOWS ? /[/\\]/ : '/');
    // A root has an empty name after its separator.
    if (names.length > 1 && names.at(-1) === '') names.pop();
    const name = names.pop() ?? '';
    const advance = (glob: Glob): Position => names.reduce(enter, begin(glob));
    const outside = { path: '', real: '', passed: [] };
    const above = { ...outside, include: advance(this.#glob), excludes: excludes.map(advance) };
    await this.#follow(above, { name }, path);
  }

  /** Visits a path that may lead to a file or to a directory. */
  async #follow(
    above: Directory,
    { name, bytes }: Pick<DirectoryEntry, 'name' | 'bytes'>,
    path: string,
  ): Promise<void> {
    const isFileWanted = isWanted(above, name);
    const inside = enterDirectory(above, name, path);
    const isNamed = isFileWanted || above.real === '';
    if (!isNamed && inside === undefined) return;
    await this.#ask(path, isNamed ? ['ENOENT'] : LEADS_NOWHERE, async () => {
      const raw = bytes && Buffer.concat([Buffer.from(join(above.path, sep)), bytes]);
      const isDirectory = (await stat(raw ?? path)).isDirectory();
      if (isDirectory ? inside === undefined : !isFileWanted) return;
      if (bytes !== undefined) throw new Error(`the name of '${path}' is not UTF-8`);
      if (!isDirectory || inside === undefined) this.#add(path);
      else await this.#read({ ...inside, real: await realpath(path) }, requestEntries(path));
    });
  }

  async #read(directory: Directory, listing: Listing): Promise<void> {
    // After a link to a directory above, the search may reach a directory a second time without a link.
    if (directory.passed.includes(directory.real)) return;
    const entries = (await this.#ask(directory.path, GONE, () => listing)) ?? [];
    this.#countVisit(directory, entries.length);
    const prefix = join(directory.path, sep);
    const inside = new Map<DirectoryEntry, Directory>();
    for (const entry of entries.filter((each) => each.isDirectory())) {
      const next = enterDirectory(directory, entry.name, `${prefix}${entry.name}`);
      if (next !== undefined) inside.set(entry, next);
    }
    const readNext = this.#readAhead(inside.values());
    for (const [index, entry] of entries.entries()) {
      if (index % NAMES_PER_TURN === NAMES_PER_TURN - 1) await endTurn();
      this.#signal?.throwIfAborted();
      const path = `${prefix}${entry.name}`;
      const next = inside.get(entry);
      if (next !== undefined) await this.#read(next, readNext());
      else if (entry.isSymbolicLink()) await this.#follow(directory, entry, path);
      else if (!entry.isDirectory() && isWanted(directory, entry.name)) this.#add(path);
    }
  }

  /** Returns a function for the listings of directories, one after the other; some are requested ahead. */
  #readAhead(directories: Iterator<Directory>): () => Listing {
    const listings: Listing[] = [];
    return () => {
      while (listings.length < (this.#ahead < MAX_AHEAD.all ? MAX_AHEAD.siblings : 1)) {
        const next = directories.next();
        if (next.done === true) break;
        listings.push(requestEntries(next.value.path));
        this.#ahead += 1;
      }
      this.#ahead -= 1;
      return listings.shift() ?? Promise.resolve([]);
    };
  }

  #add(path: string): void {
    this.#paths.push(path);
    if (this.#paths.length > MAX_PATHS) throw this.#refuse(`matches more than ${MAX_PATHS} paths.`);
  }

  #countVisit({ path, real }: Directory, names: number): void {
    if (this.#visited.has(real)) {
      this.#repeats += 1;
      this.#namesAgain += names;
    }
    this.#visited.add(real);
    if (this.#repeats <= MAX_REPEATS && this.#namesAgain <= MAX_NAMES_AGAIN) return;
    const problem =
      this.#repeats > MAX_REPEATS
        ? `visited directories again more than ${MAX_REPEATS} times`
        : `read more than ${MAX_NAMES_AGAIN} names again`;
    throw this.#refuse(`${problem}, because links lead to them: at last '${path}'.`);
  }

  #refuse(problem: string): StepError {
    return new StepError(
      'files',
      `The pattern '${this.#glob.text}' ${problem}`,
      'Write a pattern that matches fewer paths, or exclude directories and links in lines below it (`!dir/**`).',
    );
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
      if (error instanceof StepError) throw error;
      if (harmless.includes(errorCode(error) ?? '')) return undefined;
      this.failureCount += 1;
      if (this.failureCount <= MAX_FAILURES) this.failures.push({ path, error });
      return undefined;
    }
  }
}

/** Whether a file with this name is wanted. */
function isWanted({ include, excludes }: Directory, name: string): boolean {
  return matches(include, name) && !excludes.some((exclude) => matches(exclude, name));
}

/** A directory in another one; undefined if nothing in it is wanted. */
function enterDirectory(above: Directory, name: string, path: string): Directory | undefined {
  const include = enter(above.include, name);
  if (include.next.length === 0) return undefined;
  const excludes = above.excludes
    .map((exclude) => enter(exclude, name))
    .filter(({ next }) => next.length > 0);
  if (excludes.some(coversBelow)) return undefined;
  const passed = [...above.passed, above.real];
  return { path, real: join(above.real, name), passed, include, excludes };
}
