import { homedir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import { IS_WINDOWS } from './paths.ts';
import { listLines } from '../text.ts';

/** The patterns of an input, each as written, without surrounding white space and `!`. */
export interface PatternList {
  readonly includes: readonly IncludePattern[];
  /** The patterns of the lines with `!` below the first include, in their order. */
  readonly excludes: readonly string[];
}

export interface IncludePattern {
  readonly text: string;
  /** How many of the excludes are in earlier lines: they do not apply to this one. */
  readonly skippedExcludes: number;
}

/** The limits of an input with patterns: within them nothing that is done with one pattern takes 0.1 s. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_PATTERNS = 1000;
/** PATH_MAX of Linux. */
const MAX_PATTERN_CHARACTERS = 4096;
/**
 * The most `*` and `[` in a pattern. The glob libraries read the rest of a segment for each `[` without its
 * `]`, and compiling thousands of `*` takes long. A pattern for a UUID has 36.
 */
const MAX_WILDCARDS = 64;

/** Reads patterns, one per line: `!` excludes, `#` comments, the last line that matches a file wins. */
export function parsePatterns(text: string): PatternList {
  const includes: IncludePattern[] = [];
  const excludes: string[] = [];
  for (const line of listPatterns(text)) {
    const marks = /^(?:!\s*)*/.exec(line)?.[0] ?? '';
    const pattern = line.slice(marks.length);
    const isNegated = marks.split('!').length % 2 === 0;
    if (!isNegated) includes.push({ text: pattern, skippedExcludes: excludes.length });
    else if (includes.length > 0) excludes.push(pattern);
  }
  return { includes, excludes };
}

/** Describes patterns that would take too long: `has 1001 patterns, more than 1000`. */
export function describeExcess(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) {
    return `has ${text.length} characters, more than ${MAX_CHARACTERS}`;
  }
  const lines = listPatterns(text);
  if (lines.length > MAX_PATTERNS) return `has ${lines.length} patterns, more than ${MAX_PATTERNS}`;
  const isExceeded = lines.some(
    (line) => line.length > MAX_PATTERN_CHARACTERS || line.split(/[*[]/).length - 1 > MAX_WILDCARDS,
  );
  if (!isExceeded) return undefined;
  return `has a pattern with more than ${MAX_PATTERN_CHARACTERS} characters or ${MAX_WILDCARDS} \`*\` and \`[\``;
}

/** The lines that are neither blank nor comments. */
function listPatterns(text: string): readonly string[] {
  return listLines(text).filter((line) => !line.startsWith('#'));
}

/** Whether a pattern starts at the workspace, rather than at a root or the home directory. */
export function isRelativePattern(text: string): boolean {
  if (isAbsolute(text) || /^~(?:$|[/\\])/.test(text)) return false;
  return !(IS_WINDOWS && /^[a-z]:/i.test(text));
}

/** The segments of a pattern; on Windows both separators count, elsewhere `\` escapes. */
export function splitSegments(text: string): readonly string[] {
  return text.split(IS_WINDOWS ? /[/\\]+/ : /\/+/).filter((segment) => segment !== '');
}

/** The pattern with its start written out: the workspace for a relative one, the home directory for `~`. */
export function makeAbsolute(text: string, workspace: string): string {
  const below = cutWorkspace(text, workspace);
  if (below !== undefined) return `${escapeGlob(workspace)}/${below}`;
  if (isRelativePattern(text)) {
    // A leading `.` is the workspace itself; anywhere else it stays, and @actions/glob refuses it.
    const names = splitSegments(text).filter((name, index) => name !== '.' || index > 0);
    const isDirectory = (IS_WINDOWS ? /[^.][/\\]$/ : /[^.]\/$/).test(text);
    return [escapeGlob(workspace), ...names, ...(isDirectory ? [''] : [])].join('/');
  }
  if (text.startsWith('~')) return `${escapeGlob(homedir())}${text.slice(1)}`;
  return IS_WINDOWS ? expandRoot(text) : text;
}

/** The rest of a pattern after the workspace's path, which is literal even if it contains wildcards. */
function cutWorkspace(text: string, workspace: string): string | undefined {
  const start = `${workspace}${sep}`;
  // Some letters have more characters in lower case.
  const isThere = foldPath(text.slice(0, start.length)) === foldPath(start);
  return isThere ? text.slice(start.length) : undefined;
}

/** A path for comparison: Windows takes either slash, and either case. */
function foldPath(path: string): string {
  return IS_WINDOWS ? path.replaceAll('/', '\\').toLowerCase() : path;
}

/** On Windows a path without a drive is on the current drive, and `C:a` is in the current directory. */
function expandRoot(text: string): string {
  const root = /^(?:[a-z]:(?![/\\])|[/\\](?![/\\]))/i.exec(text)?.[0];
  if (root === undefined) return text;
  const rest = text.slice(root.length);
  return [escapeGlob(resolve(root)).replace(/\\$/, ''), rest].join('\\');
}

/**
 * A path as a pattern that matches only this path: brackets make wildcards literal; a backslash is escaped
 * unless it is a separator.
 */
export function escapeGlob(path: string): string {
  return (IS_WINDOWS ? path : path.replaceAll('\\', '\\\\')).replace(/[[?*]/g, '[$&]');
}
