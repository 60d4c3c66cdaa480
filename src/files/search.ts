import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { setImmediate as endTurn } from 'node:timers/promises';
import { StepError, errorCode, errorMessage } from '../errors.ts';
import { listSome } from '../text.ts';
import type { Glob } from './glob.ts';
import { displayPath, isWithin } from './paths.ts';
import { READ_FIX } from './regular-file.ts';

/** Where patterns start, and which names wildcards match. */
export interface Scope {
  /** The absolute path where relative patterns start. */
  readonly workspace: string;
  /** Whether wildcards match names that begin with a dot, and links may lead to such names. */
  readonly includeHidden: boolean;
}

/** A directory to read. */
interface Directory {
  readonly path: string;
  readonly real: string;
  /** The target and the name of the link that led to it. */
  readonly link?: string;
}

/** What may lead to a directory, or be a wanted file: a link, or where a search starts. */
interface Unresolved {
  readonly path: string;
  /** Of a link, the real path of the directory that it is in. */
  readonly above?: string;
}

type Branch = Directory | Unresolved;

const MAX_PATHS = 100_000;
/** How many directories are read at the same time. */
const MAX_PARALLEL = 64;
/** How many times names of a directory are matched before timers and signals have their turn. */
const MATCHES_PER_TURN = 1000;
/** How many paths that cannot be read a message lists. */
const MAX_FAILURES = 3;
/** Node writes it for bytes that are not UTF-8: such a name leads nowhere. It may also be a character of the name. */
const REPLACEMENT = '\uFFFD';

const EXCLUDE_FIX = 'Exclude directories without scans in lines below the pattern (`!dir/**`).';

/**
 * Returns the sorted absolute paths of all but directories that match a pattern and none of the excludes. Every search
 * ends, because it follows no link to a directory above, and only one of the links with the same name and target.
 * Throws a StepError for what cannot be read and may be or contain a match, and for more than 100,000 paths. Rejects
 * with the signal's reason once it fires. `workspace` is that of paths in messages. The search of `@actions/glob` takes
 * ten times as long, and `fdir` and `tinyglobby` lose files beside links.
 */
export async function searchGlob(
  glob: Glob,
  excludes: readonly Glob[],
  workspace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const search = new Search(glob, excludes, signal);
  const branches: Branch[] = [{ path: glob.searchPath }];
  while (branches.length > 0) {
    const visits = branches.splice(-MAX_PARALLEL).map(async (branch) => search.visit(branch));
    for (const branch of (await Promise.all(visits)).flat()) branches.push(branch);
  }
  if (search.failures.size > 0) throw explainFailures(glob, search.failures, workspace);
  return search.paths.toSorted();
}

/** What a search has found so far. */
class Search {
  readonly #glob: Glob;
  readonly #excludes: readonly Glob[];
  readonly #signal: AbortSignal;
  /** The links to directories that were followed, as a target with the name of its link. */
  readonly #followed = new Set<string>();
  /** The files that match. */
  readonly paths: string[] = [];
  /** Why a path that may be or contain a match could not be read. */
  readonly failures = new Map<string, string>();

  constructor(glob: Glob, excludes: readonly Glob[], signal: AbortSignal) {
    this.#glob = glob;
    this.#excludes = excludes;
    this.#signal = signal;
  }

  /** Adds the matching files of a branch, and returns the branches that it leads to. */
  async visit(branch: Branch): Promise<readonly Branch[]> {
    this.#signal.throwIfAborted();
    const { path } = branch;
    const isUnresolved = !('real' in branch);
    // The excludes come first, because nothing that they match needs to be readable.
    const isExcluded = this.#excludes.some((exclude) => exclude.matchesAbove(join(path, 'any')));
    try {
      if (isUnresolved) return await this.#resolve(branch, isExcluded);
      return isExcluded || this.#isRepeated(branch) ? [] : await this.#list(branch);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof StepError) throw error;
      const leadsNowhere = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
      if (!isExcluded && !(isUnresolved && leadsNowhere))
        this.failures.set(path, errorMessage(error));
      return [];
    }
  }

  /** Adds the file that a path leads to, or returns the directory. */
  async #resolve({ path, above }: Unresolved, isExcluded: boolean): Promise<readonly Directory[]> {
    if (!(await stat(path)).isDirectory()) {
      this.#addFile(path);
      return [];
    }
    const real = await realpath(path);
    const isAbove = above !== undefined && isWithin(above, real);
    return isExcluded || isAbove ? [] : [{ path, real, link: join(real, basename(path)) }];
  }

  /** Whether a link with the same name and target led to the directory before. */
  #isRepeated({ link }: Directory): boolean {
    if (link === undefined) return false;
    const isKnown = this.#followed.has(link);
    this.#followed.add(link);
    return isKnown;
  }

  /** Adds the files in a directory, and returns its directories and links that may contain a match. */
  async #list({ path, real }: Directory): Promise<readonly Branch[]> {
    const isCovered = this.#glob.matchesAbove(join(path, 'any'));
    const prefix = join(path, sep);
    const namesPerTurn = Math.ceil(MATCHES_PER_TURN / (1 + this.#excludes.length));
    const inside: Branch[] = [];
    for (const [index, entry] of (await readdir(path, { withFileTypes: true })).entries()) {
      if (index % namesPerTurn === namesPerTurn - 1) await endTurn();
      this.#signal.throwIfAborted();
      const own = `${prefix}${entry.name}`;
      if (entry.name.includes(REPLACEMENT) && !(await exists(own))) continue;
      const isLink = entry.isSymbolicLink();
      if (!isLink && !entry.isDirectory()) this.#addFile(own, isCovered);
      else if (this.#glob.mayMatchBelow(own)) {
        const directory = { path: own, real: join(real, entry.name) };
        inside.push(isLink ? { path: own, above: real } : directory);
      }
    }
    return inside;
  }

  /** Adds a file if it matches. `isCovered` says whether the pattern may match a directory above it. */
  #addFile(path: string, isCovered = true): void {
    const { matches, matchesAbove, text } = this.#glob;
    if (!matches(path) && !(isCovered && matchesAbove(path))) return;
    if (this.#excludes.some((each) => each.matches(path) || each.matchesAbove(path))) return;
    this.paths.push(path);
    if (this.paths.length <= MAX_PATHS) return;
    const problem = `The pattern '${text}' matches more than ${MAX_PATHS} paths.`;
    throw new StepError('files', problem, EXCLUDE_FIX);
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Returns an error, because what was found may be an old copy of a file that cannot be read, or only one of two. */
function explainFailures(
  { text }: Glob,
  failures: ReadonlyMap<string, string>,
  workspace: string,
): StepError {
  const sorted = [...failures].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const reasons = sorted.map(([, reason]) => reason);
  const lines = sorted.map(([path]) => `\`!${displayPath(path, workspace)}/**\``);
  const shown = lines.slice(0, MAX_FAILURES).join(', ');
  const problem = `The pattern '${text}' cannot be searched: ${listSome(reasons, MAX_FAILURES)}.`;
  const fix = `If no scan is there, add to the lines below the pattern: ${shown}.`;
  return new StepError('files', problem, [fix, READ_FIX]);
}
