import { homedir } from 'node:os';
import { isAbsolute, parse, resolve } from 'node:path';
import { listLines } from '../text.ts';
import { IS_WINDOWS } from './paths.ts';

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
    if (!line.startsWith('!')) includes.push({ text: line, excludes: [] });
    else for (const { excludes } of includes) excludes.push(line.slice(1).trim());
  }
  return includes;
}

/**
 * The pattern with its start written out: the workspace for a relative one, the home directory for `~`, and on Windows
 * the current drive for `/`. Names are separated by `/`.
 */
export function makeAbsolute(text: string, workspace: string): string {
  const pattern = useSlashes(text);
  if (pattern === '~' || pattern.startsWith('~/')) {
    return `${escapePath(homedir())}${pattern.slice(1)}`;
  }
  // The workspace at the start of a pattern is literal, even if its name contains wildcards.
  const inside = `${useSlashes(workspace)}/`;
  const isInside = pattern.startsWith(inside);
  if (isAbsolute(pattern) && !isInside) {
    const { root } = parse(pattern);
    return `${useSlashes(resolve(root))}${pattern.slice(root.length)}`;
  }
  const below = isInside ? pattern.slice(inside.length) : pattern;
  // A leading `.` is the workspace itself; anywhere else it stays, and @actions/glob refuses it.
  return `${escapePath(workspace)}/${below.replace(/^\.(?:\/+|$)/, '')}`;
}

/** A path as a pattern that matches only this path: brackets make wildcards literal, and elsewhere than on Windows `\` escapes. */
function escapePath(path: string): string {
  return useSlashes(IS_WINDOWS ? path : path.replaceAll('\\', '\\\\')).replace(/[[?*]/g, '[$&]');
}

function useSlashes(path: string): string {
  return IS_WINDOWS ? path.replaceAll('\\', '/') : path;
}
