import { homedir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import { IS_WINDOWS } from './paths.ts';
import { splitLines } from '../text.ts';

/** One line that includes files, with the later lines that exclude some of them. */
export interface IncludePattern {
  /** As written, without surrounding white space. */
  readonly text: string;
  /** The patterns of later lines with `!`, in their order; earlier ones do not apply to this line. */
  readonly excludes: readonly string[];
}

interface Line {
  readonly negated: boolean;
  readonly text: string;
}

/**
 * The most `*` in one path segment. Matching a hostile name of 250 characters takes up to 8 ms with three,
 * 0.4 s with four and half a minute with five.
 */
const MAX_STARS = 3;

/** Reads patterns, one per line: `!` excludes, `#` comments, the last line that matches a file wins. */
export function parsePatterns(text: string): readonly IncludePattern[] {
  const lines = readLines(text);
  return lines.flatMap(({ negated, text: include }, index) => {
    if (negated) return [];
    const later = lines.slice(index + 1).filter((line) => line.negated);
    return [{ text: include, excludes: later.map((line) => line.text) }];
  });
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
    return [escapeGlob(workspace), ...splitSegments(text).filter(isNamed)].join('/') + tail(text);
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

/** The patterns that would be too slow to match, includes and excludes. */
export function listSlowPatterns(text: string): readonly string[] {
  return readLines(text)
    .map((line) => line.text)
    .filter((pattern) => splitSegments(pattern).some(hasManyStars));
}

function hasManyStars(segment: string): boolean {
  return segment.split('*').length - 1 > MAX_STARS;
}

function readLines(text: string): readonly Line[] {
  return splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(splitNegation);
}

function splitNegation(line: string): Line {
  const marks = /^(?:!\s*)*/.exec(line)?.[0] ?? '';
  return { negated: (marks.match(/!/g) ?? []).length % 2 === 1, text: line.slice(marks.length) };
}

/** A leading `.` is the workspace itself; anywhere else it stays, and @actions/glob refuses it. */
function isNamed(segment: string, index: number): boolean {
  return segment !== '.' || index > 0;
}

function tail(text: string): string {
  return /[^.]\/$/.test(text) || (IS_WINDOWS && /[^.]\\$/.test(text)) ? '/' : '';
}

/**
 * A path as a pattern that matches only this path: brackets make wildcards literal; a backslash is escaped
 * unless it is a separator.
 */
export function escapeGlob(path: string): string {
  return (IS_WINDOWS ? path : path.replaceAll('\\', '\\\\')).replace(/[[?*]/g, '[$&]');
}
