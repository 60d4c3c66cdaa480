import { create } from '@actions/glob';
import { Minimatch } from 'minimatch';
import { basename } from 'node:path';
import { StepError } from '../errors.ts';
import { IS_MACOS, IS_WINDOWS } from './paths.ts';
import { makeAbsolute } from './patterns.ts';

const VALID_FIX =
  "Write a path from the workspace, or an absolute one, such as `${{ runner.temp }}/report.json`, without '.' and '..' in it.";

/** A compiled pattern, which matches absolute paths as @actions/glob does: a directory matches all files below it. */
export interface Glob {
  readonly text: string;
  /** The part before the first wildcard: a directory, or the one path that the pattern names. */
  readonly searchPath: string;
  /** Whether it matches a path itself. */
  readonly matches: (path: string) => boolean;
  /** Whether it matches a directory above a path, and so the path. */
  readonly matchesAbove: (path: string) => boolean;
  /** Whether it may match a path, or one below it. */
  readonly mayMatchBelow: (path: string) => boolean;
}

/**
 * Compiles a pattern. With `dot`, wildcards match names that begin with a dot. Throws a StepError for a pattern that
 * @actions/glob refuses.
 */
export async function compileGlob(text: string, workspace: string, dot: boolean): Promise<Glob> {
  const pattern = makeAbsolute(text, workspace);
  const searchPath = await findSearchPath(text, pattern);
  const itself = parse(pattern, dot);
  const below = parse(`${pattern}/**`, dot);
  // Asked about a part of a path, minimatch may accept a hidden name that no wildcard matches.
  const namesHidden = dot || /(?:^|[/[\\])\./.test(pattern.slice(searchPath.length));
  return {
    text,
    searchPath,
    matches: (path) => itself.match(compose(path)),
    matchesAbove: (path) => below.match(compose(path)),
    mayMatchBelow: (path) =>
      (namesHidden || !basename(path).startsWith('.')) && below.match(compose(path), true),
  };
}

async function findSearchPath(text: string, pattern: string): Promise<string> {
  try {
    // Made absolute, an empty pattern would be the whole workspace.
    if (text === '') throw new Error('empty');
    return String((await create(pattern)).getSearchPaths()[0]);
  } catch {
    throw new StepError('files', `The pattern '${text}' is not valid.`, VALID_FIX);
  }
}

/** Composes letters on macOS, whose file systems take composed and decomposed ones for the same and list either. */
function compose(text: string): string {
  return IS_MACOS ? text.normalize() : text;
}

function parse(pattern: string, dot: boolean): Minimatch {
  const options = { nobrace: true, noext: true, nocase: IS_WINDOWS, dot };
  const parsed = new Minimatch(compose(pattern), options);
  for (const name of parsed.set.flat()) if (name instanceof RegExp) makeLinear(name);
  return parsed;
}

/** The source of the regular expression that minimatch makes of `*`. */
const STAR = '[^/]*?';

/**
 * Makes the time to match a name linear in its length. It searches each text between two `*` where the one before it
 * ends. A regular expression tries each `*` at every character, which takes half a minute for five of them and a name
 * of 250 characters.
 */
function makeLinear(name: RegExp): void {
  const texts = name.source.split(STAR).map((text) => new RegExp(text, `${name.flags}g`));
  // For some patterns minimatch sets a test of its own, which is fast.
  if (texts.length < 3 || Object.hasOwn(name, 'test')) return;
  name.test = (tested) => {
    let end = 0;
    return texts.every((text) => {
      text.lastIndex = end;
      const isFound = text.test(tested);
      end = text.lastIndex;
      return isFound;
    });
  };
}
