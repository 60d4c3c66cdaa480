import { homedir } from 'node:os';
import { isAbsolute, parse, resolve } from 'node:path';
import { StepError } from '../errors.ts';
import { listLines } from '../text.ts';
import { IS_WINDOWS } from './paths.ts';

/** What begins a wildcard. */
const WILDCARDS = /[[?*]/g;

/** A line of an input. */
export interface Pattern {
  /** The text of the line, without white space around it and the `!` of an exclusion. */
  readonly text: string;
  /** Whether it excludes files of the patterns above it. */
  readonly isExclusion: boolean;
}

/** Reads the patterns of an input, one in each line. `!` begins an exclusion, and `#` a comment. */
export function parsePatterns(text: string): readonly Pattern[] {
  return listLines(text)
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const isExclusion = line.startsWith('!');
      return { text: isExclusion ? line.slice(1).trim() : line, isExclusion };
    });
}

/**
 * Returns a pattern with `/` between names and its start written out: the workspace for a relative one, the home
 * directory for `~`, and on Windows the current drive for `/`. Throws a StepError if the user has no home directory.
 */
export function makeAbsolute(text: string, workspace: string): string {
  const pattern = useSlashes(text);
  if (pattern === '~' || pattern.startsWith('~/')) {
    return `${escapePath(findHome(text))}${pattern.slice(1)}`;
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

function findHome(text: string): string {
  try {
    const home = homedir();
    if (isAbsolute(home)) return home;
  } catch {
    // A user of a container may have neither HOME nor an entry in the list of users.
  }
  throw new StepError(
    'files',
    `The pattern '${text}' begins with ~, but the user of this step has no home directory.`,
    'Write an absolute path, or set the environment variable `HOME`.',
  );
}

/** Whether a pattern may match several paths. */
export function isWild(text: string): boolean {
  return text.search(WILDCARDS) >= 0;
}

/** Returns a pattern that matches only this path. Brackets make wildcards literal, and `\` makes a `\` literal. */
function escapePath(path: string): string {
  return useSlashes(IS_WINDOWS ? path : path.replaceAll('\\', '\\\\')).replace(WILDCARDS, '[$&]');
}

function useSlashes(path: string): string {
  return IS_WINDOWS ? path.replaceAll('\\', '/') : path;
}
