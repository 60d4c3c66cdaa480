import { homedir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import { IS_WINDOWS } from './paths.ts';
import { listLines } from '../text.ts';

/** A line that includes files. */
export interface Include {
  /** As written, without surrounding white space. */
  readonly text: string;
  /** The patterns of the lines with `!` below it, in their order. */
  readonly excludes: readonly string[];
}

/** Reads patterns, one per line: `!` excludes, `#` comments, each excludes files of the patterns above it. */
export function parsePatterns(text: string): readonly Include[] {
  const includes: { readonly text: string; readonly excludes: string[] }[] = [];
  for (const line of listLines(text)) {
    if (line.startsWith('#')) continue;
    const marks = /^[!\s]*/.exec(line)?.[0] ?? '';
    const pattern = line.slice(marks.length);
    const isNegated = marks.split('!').length % 2 === 0;
    if (!isNegated) includes.push({ text: pattern, excludes: [] });
    else for (const { excludes } of includes) excludes.push(pattern);
  }
  return includes;
}

/** Whether a pattern starts at the workspace, rather than at a root or the home directory. */
function isRelativePattern(text: string): boolean {
  if (isAbsolute(text) || /^~(?:$|[/\\])/.test(text)) return false;
  return !(IS_WINDOWS && /^[a-z]:/i.test(text));
}

/** The pattern with its start written out: the workspace for a relative one, the home directory for `~`. */
export function makeAbsolute(text: string, workspace: string): string {
  // At the start of a pattern the workspace is literal, even if its name contains wildcards.
  const inside = `${workspace}${sep}`;
  const isInside = foldPath(text.slice(0, inside.length)) === foldPath(inside);
  if (isInside || isRelativePattern(text)) {
    const below = isInside ? text.slice(inside.length) : text;
    // A leading `.` is the workspace itself; anywhere else it stays, and @actions/glob refuses it.
    const start = IS_WINDOWS ? /^\.(?:[/\\]+|$)/ : /^\.(?:\/+|$)/;
    return `${escapeGlob(workspace)}/${below.replace(start, '')}`;
  }
  if (text.startsWith('~')) return `${escapeGlob(homedir())}${text.slice(1)}`;
  // On Windows a path without a drive is on the current drive, and `C:a` is in the current directory.
  const root = IS_WINDOWS && /^(?:[a-z]:(?![/\\])|[/\\](?![/\\]))/i.exec(text)?.[0];
  if (root === undefined || root === false) return text;
  return `${escapeGlob(resolve(root)).replace(/\\$/, '')}\\${text.slice(root.length)}`;
}

/** A path for comparison: Windows takes either slash, and either case. */
function foldPath(path: string): string {
  return IS_WINDOWS ? path.replaceAll('/', '\\').toLowerCase() : path;
}

/**
 * A path as a pattern that matches only this path: brackets make wildcards literal; a backslash is escaped
 * unless it is a separator.
 */
export function escapeGlob(path: string): string {
  return (IS_WINDOWS ? path : path.replaceAll('\\', '\\\\')).replace(/[[?*]/g, '[$&]');
}
