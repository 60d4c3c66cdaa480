import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { IS_WINDOWS } from './paths.ts';
import { splitLines } from '../text.ts';

/** One line that includes files, with the lines after it that take some away again. */
export interface IncludePattern {
  /** As written, without surrounding white space. */
  readonly text: string;
  /** The patterns behind later `!`, in the order written; earlier ones take nothing from this one. */
  readonly excludes: readonly string[];
}

/** Reads patterns, one per line: `!` excludes, `#` comments, the last line that matches a file wins. */
export function parsePatterns(text: string): readonly IncludePattern[] {
  const lines = splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(splitNegation);
  return lines.flatMap(({ negated, text: include }, index) => {
    if (negated) return [];
    const later = lines.slice(index + 1).filter((line) => line.negated);
    return [{ text: include, excludes: later.map((line) => line.text) }];
  });
}

/** Whether a pattern starts at the workspace, rather than at a root or the home folder. */
export function isRelativePattern(text: string): boolean {
  if (isAbsolute(text) || /^~(?:$|[/\\])/.test(text)) return false;
  return !(IS_WINDOWS && /^[a-z]:/i.test(text));
}

/** The segments of a pattern; on Windows both separators count, elsewhere `\` escapes. */
export function splitSegments(text: string): readonly string[] {
  return text.split(IS_WINDOWS ? /[/\\]+/ : /\/+/).filter((segment) => segment !== '');
}

/** The pattern with its start written out: the workspace for a relative one, the home folder for `~`. */
export function makeAbsolute(text: string, workspace: string): string {
  if (isRelativePattern(text)) {
    return [escapeGlob(workspace), ...splitSegments(text).filter(isNamed)].join('/') + tail(text);
  }
  if (text.startsWith('~')) return `${escapeGlob(homedir())}${text.slice(1)}`;
  return IS_WINDOWS ? expandRoot(text) : text;
}

/** On Windows a path without a drive begins at the current one, and `C:a` in the folder one stands in. */
function expandRoot(text: string): string {
  const root = /^(?:[a-z]:(?![/\\])|[/\\](?![/\\]))/i.exec(text)?.[0];
  if (root === undefined) return text;
  const rest = text.slice(root.length);
  return [escapeGlob(resolve(root)).replace(/\\$/, ''), rest].join('\\');
}

function splitNegation(line: string): { negated: boolean; text: string } {
  const marks = /^(?:!\s*)*/.exec(line)?.[0] ?? '';
  return { negated: (marks.match(/!/g) ?? []).length % 2 === 1, text: line.slice(marks.length) };
}

/** A leading `.` is the workspace itself; anywhere else @actions/glob refuses it, and so it stays. */
function isNamed(segment: string, index: number): boolean {
  return segment !== '.' || index > 0;
}

function tail(text: string): string {
  return /[^.]\/$/.test(text) || (IS_WINDOWS && /[^.]\\$/.test(text)) ? '/' : '';
}

/**
 * A path as a pattern that means it alone: brackets make any wildcard literal; a backslash escapes only
 * where it is no separator.
 */
export function escapeGlob(path: string): string {
  return (IS_WINDOWS ? path : path.replaceAll('\\', '\\\\')).replace(/[[?*]/g, '[$&]');
}
