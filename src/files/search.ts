import { basename, dirname, normalize, parse, relative, sep } from 'node:path';
import { create } from '@actions/glob';
import { FileError, errorMessage } from '../errors.ts';
import { IS_WINDOWS, isInside } from './paths.ts';
import { escapeGlob, isRelativePattern, makeAbsolute, splitSegments } from './patterns.ts';
import type { IncludePattern } from './patterns.ts';
import { WalkFilter } from './walk-filter.ts';
import { compilePattern, createLiteral } from './walk-pattern.ts';
import type { WalkPattern } from './walk-pattern.ts';
import { walk } from './walk.ts';
import type { WalkFailure } from './walk.ts';

/** Where and how patterns are searched. */
export interface SearchOptions {
  /** Absolute; relative patterns start here. */
  readonly workspace: string;
  /** Whether wildcards match names that begin with a dot. */
  readonly includeHidden: boolean;
  /** Ends a search, which then rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** What one pattern matched. */
interface SearchResult {
  /** Absolute paths of everything but folders, in the order of the walk. */
  readonly paths: readonly string[];
  /** The part of the pattern before its first wildcard: a folder, or the one path it names. */
  readonly searchPath: string;
}

/** How many unreadable folders a message lists. */
const MAX_LISTED = 3;

/**
 * Searches in the pattern language of @actions/glob: a folder stands for the files below it, links
 * are followed, dangling ones match nothing. Throws a FileError for a pattern it cannot use, and for
 * what it cannot read although a match may lie there.
 */
export async function searchPattern(
  pattern: IncludePattern,
  { workspace, includeHidden, signal }: SearchOptions,
): Promise<SearchResult> {
  const { text } = pattern;
  const absolute = makeAbsolute(text, workspace);
  const literal = findLiteral(text, workspace);
  const searchPath = literal ?? (await findSearchPath(text, workspace));
  const include =
    literal === undefined
      ? compilePattern(absolute, includeHidden)
      : createLiteral({ matchesHidden: includeHidden, matchesFiles: !/[/\\]$/.test(absolute) });
  const excludes: WalkPattern[] = [];
  for (const exclude of pattern.excludes) {
    if (findLiteral(exclude, workspace) === undefined) await findSearchPath(exclude, workspace);
    excludes.push(compilePattern(makeAbsolute(exclude, workspace), true));
  }
  const skipsHidden = !includeHidden && !namesHidden(text, searchPath);
  const filter = new WalkFilter(include, excludes, skipsHidden);
  const progress = literal === undefined ? include.reach(searchPath) : include.start();
  const start = { path: searchPath, place: filter.begin(searchPath, progress) };
  const { paths, failures } = await walk(start, filter, signal);
  if (failures.length > 0) throw explainFailures(failures, text, searchPath, workspace);
  return { paths, searchPath };
}

/**
 * The path that a pattern without wildcards names, as @actions/glob writes it; undefined for a pattern
 * that is left to @actions/glob, which also knows what is not valid.
 */
function findLiteral(text: string, workspace: string): string | undefined {
  const absolute = makeAbsolute(text, workspace);
  const isPlain = IS_WINDOWS ? /^[a-z]:[/\\][^*?[]*$/i : /^\/[^*?[\\]*$/;
  const isRelative = splitSegments(absolute).some((segment) => segment === '.' || segment === '..');
  if (text === '' || isRelative || !isPlain.test(absolute)) return undefined;
  const path = normalize(absolute);
  return path.endsWith(sep) && path !== parse(path).root ? path.slice(0, -1) : path;
}

/** A pattern's search path; throws a FileError for one that @actions/glob refuses. */
async function findSearchPath(text: string, workspace: string): Promise<string> {
  try {
    // Made absolute, an empty pattern would be the whole workspace.
    if (text === '') throw new TypeError('empty pattern');
    const globber = await create(makeAbsolute(text, workspace));
    return globber.getSearchPaths()[0] ?? workspace;
  } catch {
    const rule = ' (relative paths with . or .. are not allowed)';
    const hint = isRelativePattern(text) ? rule : '';
    throw new FileError(`The pattern '${text}' is not a valid pattern${hint}.`);
  }
}

/**
 * What could not be read may hold the file that is meant: one that was found elsewhere may be an old
 * copy of it, and one of two files would go out as if it were all. So the pattern fails, whatever it
 * found, until the author says that nothing is meant there.
 */
function explainFailures(
  failures: readonly WalkFailure[],
  text: string,
  searchPath: string,
  workspace: string,
): FileError {
  const listed = failures.slice(0, MAX_LISTED);
  const reasons = listed.map(({ error }) => errorMessage(error)).join('; ');
  const more = failures.length > MAX_LISTED ? `; and ${failures.length - MAX_LISTED} more` : '';
  const problem = `The pattern '${text}' cannot be searched: ${reasons}${more}.`;
  const below = listed.filter(({ path }) => path !== searchPath);
  const excludes = below.map(({ path }) => `'!${writePattern(path, workspace)}'`).join(', ');
  const advice = `If nothing is meant there, leave it out in a line of its own below the pattern: ${excludes}.`;
  return new FileError(problem, ...(excludes === '' ? [] : [advice]));
}

/** The pattern that means one path. */
function writePattern(path: string, workspace: string): string {
  const shown = isInside(path, workspace) ? relative(workspace, path) : path;
  return escapeGlob(IS_WINDOWS ? shown.replaceAll('\\', '/') : shown);
}

/** The folder whose contents a match belongs to, as the author wrote it. */
export function findFolder(path: string, searchPath: string): string {
  return path === searchPath ? dirname(path) : searchPath;
}

/**
 * A name with a dot in front that stands behind a wildcard is found only if it is written without
 * brackets and escapes; elsewhere all hidden names are passed over, .git and the like unread.
 */
function namesHidden(text: string, searchPath: string): boolean {
  return basename(searchPath).startsWith('.') || splitSegments(text).some(isHiddenName);
}

function isHiddenName(segment: string): boolean {
  return segment.startsWith('.') && segment !== '.';
}
