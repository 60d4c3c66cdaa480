import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { setImmediate as endTurn } from 'node:timers/promises';
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

/** A directory that may contain wanted files, or a link, which may lead to one or be a wanted file. */
interface Place {
  readonly path: string;
  /** The real path of the directory; of a link, that of the directory it is in. */
  readonly real: string;
  readonly isLink: boolean;
  /** Target and name of the link that led to the directory. */
  readonly link?: string;
}

const MAX_PATHS = 100_000;
/** How many directories are read at the same time. */
const MAX_PARALLEL = 64;
/** After how many names timers and signals can run: with hundreds of excludes a name takes a millisecond. */
const NAMES_PER_TURN = 100;
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
  signal?: AbortSignal,
  workspace = '',
): Promise<readonly string[]> {
  const paths: string[] = [];
  const failures: { readonly path: string; readonly text: string }[] = [];
  const followed = new Set<string>();
  const places: Place[] = [{ path: glob.searchPath, real: '', isLink: true }];
  while (places.length > 0) {
    const batch = places.splice(-MAX_PARALLEL).filter(isNew);
    const inside = await Promise.all(batch.map(visit));
    for (const place of inside.flat()) places.push(place);
  }
  if (failures.length === 0) return paths.toSorted();
  // What was found elsewhere may be an old copy of a file that cannot be reached, or only one of two.
  const sorted = failures.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const listed = listSome(
    sorted.map(({ text }) => text),
    MAX_FAILURES,
  );
  const excluded = sorted
    .slice(0, MAX_FAILURES)
    .map(({ path }) => `\`!${displayPath(path, workspace)}/**\``);
  const fix = `If no scan is there, add to the lines below the pattern: ${excluded.join(', ')}.`;
  throw refuse(`cannot be searched: ${listed}.`, fix, READ_FIX);

  function isNew({ link }: Place): boolean {
    const isKnown = link !== undefined && followed.has(link);
    if (link !== undefined) followed.add(link);
    return !isKnown;
  }

  /** Adds the wanted files at a place, and returns the places that it leads to. */
  async function visit(place: Place): Promise<readonly Place[]> {
    signal?.throwIfAborted();
    // Excludes come first: what they match need not be readable.
    const isExcluded = excludes.some((exclude) => exclude.matchesAbove(join(place.path, 'any')));
    try {
      if (place.isLink) return await follow(place, isExcluded);
      return isExcluded ? [] : await list(place);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StepError) throw error;
      const code = errorCode(error) ?? '';
      const leadsNowhere = place.isLink && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code);
      if (!isExcluded && !leadsNowhere)
        failures.push({ path: place.path, text: errorMessage(error) });
      return [];
    }
  }

  async function follow({ path, real: above }: Place, isExcluded: boolean) {
    if (!(await stat(path)).isDirectory()) {
      addFile(path);
      return [];
    }
    const real = await realpath(path);
    if (isExcluded || (above !== '' && isWithin(above, real))) return [];
    return [{ path, real, isLink: false, link: join(real, basename(path)) }];
  }

  async function list({ path, real }: Place): Promise<readonly Place[]> {
    const isCovered = glob.matchesAbove(join(path, 'any'));
    const prefix = join(path, sep);
    const inside: Place[] = [];
    for (const [index, entry] of (await readdir(path, { withFileTypes: true })).entries()) {
      if (index % NAMES_PER_TURN === NAMES_PER_TURN - 1) await endTurn();
      signal?.throwIfAborted();
      if (entry.name.includes(REPLACEMENT)) continue;
      const own = `${prefix}${entry.name}`;
      const isLink = entry.isSymbolicLink();
      if (!isLink && !entry.isDirectory()) addFile(own, isCovered);
      else if (glob.mayMatchBelow(own)) {
        inside.push({ path: own, real: isLink ? real : join(real, entry.name), isLink });
      }
    }
    return inside;
  }

  /** Adds a wanted file. `isCovered`: whether the pattern may match a directory above it. */
  function addFile(path: string, isCovered = true): void {
    if (!glob.matches(path) && !(isCovered && glob.matchesAbove(path))) return;
    if (excludes.some((exclude) => exclude.matches(path) || exclude.matchesAbove(path))) return;
    paths.push(path);
    if (paths.length > MAX_PATHS)
      throw refuse(`matches more than ${MAX_PATHS} paths.`, EXCLUDE_FIX);
  }

  function refuse(problem: string, ...fixes: readonly string[]): StepError {
    return new StepError('files', `The pattern '${glob.text}' ${problem}`, fixes);
  }
}
