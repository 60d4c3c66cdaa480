import { basename, dirname } from 'node:path';
import { create } from '@actions/glob';
import { FileError, errorMessage } from '../errors.ts';
import { createMatcher, widenSlowSegments } from './matcher.ts';
import { isRelativePattern, makeAbsolute, splitSegments } from './patterns.ts';
import type { IncludePattern } from './patterns.ts';

/** Where and how patterns are searched. */
export interface SearchOptions {
  /** Absolute; relative patterns start here. */
  readonly workspace: string;
  /** Whether wildcards match names that begin with a dot. */
  readonly includeHidden: boolean;
}

/** What one pattern matched. */
export interface SearchResult {
  /** Absolute paths of everything but folders, in the order of the walk. */
  readonly paths: readonly string[];
  /** The part of the pattern before its first wildcard: a folder, or the one path it names. */
  readonly searchPath: string;
}

/**
 * Searches in the pattern language of @actions/glob: a folder stands for the files below it, links
 * are followed, dangling ones match nothing. Throws a FileError for a pattern or folder it cannot use.
 */
export async function searchPattern(
  pattern: IncludePattern,
  options: SearchOptions,
): Promise<SearchResult> {
  const absolute = makeAbsolute(pattern.text, options.workspace);
  const searchPath = await findSearchPath(pattern.text, options.workspace);
  for (const text of pattern.excludes) await findSearchPath(text, options.workspace);
  const excludes = pattern.excludes.map((text) => makeAbsolute(text, options.workspace));
  // What is slow to match is matched here: a hostile name would hold up @actions/glob for minutes.
  const [slow, quick] = partition(excludes, (text) => widenSlowSegments(text) !== text);
  const widened = widenSlowSegments(absolute);
  const globber = await create([widened, ...quick.map((text) => `!${text}`)].join('\n'), {
    matchDirectories: false,
    excludeHiddenFiles: !options.includeHidden && !namesHidden(pattern.text, searchPath),
  });
  const isExact = options.includeHidden && widened === absolute;
  const isIncluded = isExact ? () => true : createMatcher(absolute, options.includeHidden);
  const areExcluded = slow.map((text) => createMatcher(text, true));
  const isWanted = (path: string): boolean =>
    isIncluded(path) && !areExcluded.some((isExcluded) => isExcluded(path));
  try {
    return { paths: (await globber.glob()).filter(isWanted), searchPath };
  } catch (error) {
    const reason = errorMessage(error);
    throw new FileError(`The pattern '${pattern.text}' cannot be searched: ${reason}.`);
  }
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

/** The folder whose contents a match belongs to, as the author wrote it. */
export function findFolder(path: string, searchPath: string): string {
  return path === searchPath ? dirname(path) : searchPath;
}

/**
 * @actions/glob's `excludeHiddenFiles` drops what a pattern names literally, too. It only saves the
 * walk through .git and the like, so it is used where the pattern names nothing hidden.
 */
function namesHidden(text: string, searchPath: string): boolean {
  return basename(searchPath).startsWith('.') || splitSegments(text).some(isHiddenName);
}

function isHiddenName(segment: string): boolean {
  return segment.startsWith('.') && segment !== '.';
}

function partition<T>(
  items: readonly T[],
  isFirst: (item: T) => boolean,
): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
