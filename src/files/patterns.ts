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

/** Reads patterns, one per line: `!` excludes, `#` comments, the last line that matches a file wins. */
export function parsePatterns(text: string): PatternList {
  const includes: IncludePattern[] = [];
  const excludes: string[] = [];
  for (const line of listLines(text)) {
    if (line.startsWith('#')) continue;
    const marks = /^(?:!\s*)*/.exec(line)?.[0] ?? '';
    const pattern = line.slice(marks.length);
    const isNegated = marks.split('!').length % 2 === 0;
    if (!isNegated) includes.push({ text: pattern, skippedExcludes: excludes.length });
    else if (includes.length > 0) excludes.push(pattern);
  }
  return { includes, excludes };
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
