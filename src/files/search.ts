import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { StepError, errorCode, errorMessage } from '../errors.ts';
import { listSome } from '../text.ts';
import type { Glob } from './glob.ts';
import { displayPath, isWithin } from './paths.ts';
import { READ_FIX } from './regular-file.ts';

/** Where patterns start, and which names wildcards match. */
export interface Scope {
  /** Absolute; relative patterns start here. */
  readonly workspace: string;
  /** Whether wildcards match names that begin with a dot, and links may lead to such names. */
  readonly includeHidden: boolean;
}

/** A directory, or the start of a search or a link, which may lead to one or be a wanted file. */
interface Branch {
  readonly path: string;
  /** The real path of a directory. */
  readonly real?: string;
  /** The real path of the directory that a link is in. */
  readonly above?: string;
  /** Target and name of the link that led to a directory. */
  readonly link?: string;
}

const MAX_PATHS = 100_000;
/** How many directories are read at the same time. */
const MAX_PARALLEL = 64;
/** How many paths that cannot be read a message lists. */
const MAX_FAILURES = 3;
/** Stands for bytes that are not UTF-8 in a name, which then is not the name of the file. */
const REPLACEMENT = '\uFFFD';

const EXCLUDE_FIX = 'Exclude directories without scans in lines below the pattern (`!dir/**`).';

/**
 * Finds the files that match a pattern and none of the excludes: absolute paths of everything but directories, sorted.
 * Every search ends, since no link to a directory above it is followed, and only one of those with the same name and
 * target. Throws a StepError for what cannot be read and may be or contain a match, and for more than 100,000 paths.
 * Rejects with the signal's reason once it fires. `workspace` is that of paths in messages.
 */
export async function searchGlob(
  glob: Glob,
  excludes: readonly Glob[],
  workspace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const paths: string[] = [];
  const failures: { readonly path: string; readonly text: string }[] = [];
  const followed = new Set<string>();
  const branches: Branch[] = [{ path: glob.searchPath }];
  while (branches.length > 0) {
    const visits = branches.splice(-MAX_PARALLEL).map(visit);
    for (const branch of (await Promise.all(visits)).flat()) branches.push(branch);
  }
  if (failures.length === 0) return paths.toSorted();
  // What was found elsewhere may be an old copy of a file that cannot be reached, or only one of two.
  const sorted = failures.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const texts = sorted.map(({ text }) => text);
  const lines = sorted.map(({ path }) => `\`!${displayPath(path, workspace)}/**\``);
  const shown = lines.slice(0, MAX_FAILURES).join(', ');
  const fix = `If no scan is there, add to the lines below the pattern: ${shown}.`;
  throw refuse(`cannot be searched: ${listSome(texts, MAX_FAILURES)}.`, fix, READ_FIX);

  /** Adds the wanted files of a branch, and returns the branches that it leads to. */
  async function visit({ path, real, above, link }: Branch): Promise<readonly Branch[]> {
    signal.throwIfAborted();
    if (link !== undefined && followed.has(link)) return [];
    if (link !== undefined) followed.add(link);
    // Excludes come first: what they match need not be readable.
    const isExcluded = excludes.some((exclude) => exclude.matchesAbove(join(path, 'any')));
    try {
      if (real === undefined) return await follow(path, isExcluded, above);
      return isExcluded ? [] : await list(path, real);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StepError) throw error;
      const leadsNowhere = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
      if (!isExcluded && !(leadsNowhere && real === undefined)) {
        failures.push({ path, text: errorMessage(error) });
      }
      return [];
    }
  }

  async function follow(path: string, isExcluded: boolean, above?: string) {
    if (!(await stat(path)).isDirectory()) {
      addFile(path);
      return [];
    }
    const real = await realpath(path);
    const isAbove = above !== undefined && isWithin(above, real);
    return isExcluded || isAbove ? [] : [{ path, real, link: join(real, basename(path)) }];
  }

  async function list(path: string, real: string): Promise<readonly Branch[]> {
    const isCovered = glob.matchesAbove(join(path, 'any'));
    const prefix = join(path, sep);
    const inside: Branch[] = [];
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.name.includes(REPLACEMENT)) continue;
      const own = `${prefix}${entry.name}`;
      const isLink = entry.isSymbolicLink();
      if (!isLink && !entry.isDirectory()) addFile(own, isCovered);
      else if (glob.mayMatchBelow(own)) {
        inside.push(
          isLink ? { path: own, above: real } : { path: own, real: join(real, entry.name) },
        );
      }
    }
    return inside;
  }

  /** Adds a wanted file. `isCovered`: whether the pattern may match a directory above it. */
  function addFile(path: string, isCovered = true): void {
    if (!glob.matches(path) && !(isCovered && glob.matchesAbove(path))) return;
    if (excludes.some((exclude) => exclude.matches(path) || exclude.matchesAbove(path))) return;
    paths.push(path);
    if (paths.length <= MAX_PATHS) return;
    throw refuse(`matches more than ${MAX_PATHS} paths.`, EXCLUDE_FIX);
  }

  function refuse(problem: string, ...fixes: readonly string[]): StepError {
    return new StepError('files', `The pattern '${glob.text}' ${problem}`, fixes);
  }
}
