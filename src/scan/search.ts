import { basename, dirname } from 'node:path';
import { create } from '@actions/glob';
import { Minimatch } from 'minimatch';
import { FileError, errorCode, errorMessage } from '../errors.ts';
import { isRelativePattern, makeAbsolute, splitSegments } from './patterns.ts';
import type { IncludePattern } from './patterns.ts';

const IS_WINDOWS = process.platform === 'win32';

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
  const excludes = pattern.excludes.map((text) => `!${makeAbsolute(text, options.workspace)}`);
  const text = [absolute, ...excludes].join('\n');
  try {
    // @actions/glob refuses a lone `!`, too; made absolute it would exclude the whole workspace.
    if ([pattern.text, ...pattern.excludes].includes('')) throw new TypeError('empty pattern');
    const searchPath = (await create(absolute)).getSearchPaths()[0] ?? options.workspace;
    const skipHidden = !options.includeHidden && !namesHidden(pattern.text, searchPath);
    const globber = await create(text, {
      matchDirectories: false,
      excludeHiddenFiles: skipHidden,
    });
    const isWanted = options.includeHidden ? () => true : createHiddenFilter(absolute);
    return { paths: (await globber.glob()).filter(isWanted), searchPath };
  } catch (error) {
    throw describeSearchError(pattern.text, error);
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

/** Keeps what a pattern matches when its wildcards, unlike its literal segments, skip hidden names. */
function createHiddenFilter(absolute: string): (path: string) => boolean {
  const normalise = (path: string): string => (IS_WINDOWS ? path.replaceAll('\\', '/') : path);
  const trimmed = normalise(absolute).replace(/\/+$/, '');
  const options = {
    nobrace: true,
    nocase: IS_WINDOWS,
    nocomment: true,
    noext: true,
    nonegate: true,
  };
  const matchers = [trimmed, `${trimmed}/**`].map((glob) => new Minimatch(glob, options));
  return (path) => matchers.some((matcher) => matcher.match(normalise(path)));
}

function describeSearchError(text: string, error: unknown): FileError {
  const kind = isRelativePattern(text) ? ' (relative paths with . or .. are not allowed)' : '';
  const code = errorCode(error);
  const reason =
    code === undefined || code === 'ERR_ASSERTION'
      ? `is not a valid pattern${kind}`
      : `cannot be searched: ${errorMessage(error)}`;
  return new FileError(`The pattern '${text}' ${reason}.`);
}
