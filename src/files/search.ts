import { create } from '@actions/glob';
import { READ_FIX, StepError, errorMessage } from '../errors.ts';
import { IS_WINDOWS, displayPath } from './paths.ts';
import { escapeGlob, isRelativePattern, makeAbsolute, splitSegments } from './patterns.ts';
import { compilePattern } from './walk-pattern.ts';
import type { WalkPattern } from './walk-pattern.ts';
import { walk } from './walk.ts';
import type { WalkResult } from './walk.ts';

/** Where patterns start, and which names wildcards match. */
export interface Scope {
  /** Absolute; relative patterns start here. */
  readonly workspace: string;
  /** Whether wildcards match names that begin with a dot, and links may lead to such names. */
  readonly includeHidden: boolean;
}

interface SearchResult {
  /** Absolute paths of everything but directories, in the order of the walk. */
  readonly paths: readonly string[];
  /** The part of the pattern before its first wildcard: a directory, or the one path it names. */
  readonly searchPath: string;
}

/** Compiles the excludes of an input; they match hidden names too. Throws a StepError for an invalid one. */
export async function compileExcludes(
  texts: readonly string[],
  { workspace }: Scope,
): Promise<readonly WalkPattern[]> {
  return Promise.all(
    texts.map(async (text) => {
      await findSearchPath(text, workspace);
      return compilePattern(makeAbsolute(text, workspace), true);
    }),
  );
}

/**
 * Finds the files that match a pattern of @actions/glob: a directory matches all files below it, links are
 * followed, dangling links match nothing. Throws a StepError for an invalid pattern, and for an unreadable
 * directory, or one or a file whose name is not UTF-8, that could be or contain a match, and for a search
 * that matches too many paths or visits the same directories too often.
 */
export async function searchPattern(
  text: string,
  excludes: readonly WalkPattern[],
  { workspace, includeHidden }: Scope,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const searchPath = await findSearchPath(text, workspace);
  const include = compilePattern(makeAbsolute(text, workspace), includeHidden);
  const result = await walk(text, searchPath, { include, excludes }, signal);
  if (result.failureCount > 0) throw explainFailures(result, text, searchPath, workspace);
  return { paths: result.paths, searchPath };
}

/** A pattern's search path; throws a StepError for one that @actions/glob refuses. */
async function findSearchPath(text: string, workspace: string): Promise<string> {
  try {
    // Made absolute, an empty pattern would be the whole workspace.
    if (text === '') throw new TypeError('empty pattern');
    const globber = await create(makeAbsolute(text, workspace));
    return globber.getSearchPaths()[0] ?? workspace;
  } catch {
    throw new StepError(
      'files',
      `The pattern '${text}' is not valid${explainRefusal(text)}.`,
      'Correct the pattern.',
    );
  }
}

/** Why @actions/glob refuses a pattern, if it is known. */
function explainRefusal(text: string): string {
  if (isRelativePattern(text) && splitSegments(text).some((segment) => /^\.\.?$/.test(segment))) {
    return " (a relative path must not contain '..', nor '.' after its start)";
  }
  return text.includes('[:') ? ' (write [0-9] instead of [[:digit:]])' : '';
}

/**
 * The error for paths that cannot be read. They may be, or contain, the file that is meant: a file that was
 * found elsewhere may be an old copy of it, or only one of two files. So the pattern fails even if it
 * matched a file, unless the path is excluded.
 */
function explainFailures(
  { failures, failureCount }: WalkResult,
  text: string,
  searchPath: string,
  workspace: string,
): StepError {
  const reasons = failures.map(({ error }) => errorMessage(error)).join('; ');
  const hidden = failureCount - failures.length;
  const more = hidden > 0 ? `; and ${hidden} more` : '';
  const problem = `The pattern '${text}' cannot be searched: ${reasons}${more}.`;
  const below = failures.filter(({ path }) => path !== searchPath);
  const excludes = below.map(({ path }) => `'!${writePattern(path, workspace)}'`).join(', ');
  const advice = `If no file is expected there, exclude it in a line below the pattern: ${excludes}.`;
  return new StepError('files', excludes === '' ? problem : [problem, advice], READ_FIX);
}

/**
 * The pattern that matches only this path, as the rest of a line after `!`. For a character that messages
 * do not show, or that ends a line, it has any but the visible ones of ASCII.
 */
function writePattern(path: string, workspace: string): string {
  const shown = displayPath(path, workspace);
  return escapeGlob(IS_WINDOWS ? shown.replaceAll('\\', '/') : shown)
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, (hidden) =>
      '[! -~]'.repeat(hidden.length),
    )
    .replace(/^[!~]/, './$&')
    .replace(/^\s|\s$/g, '[$&]');
}
