import { create } from '@actions/glob';
import { Minimatch } from 'minimatch';
import { StepError, errorMessage } from '../errors.ts';
import { IS_MACOS, IS_WINDOWS } from './paths.ts';
import { makeAbsolute } from './patterns.ts';

/** A segment of a pattern: it matches one name, or as `**` any number of them. */
interface Segment {
  readonly isGlobstar: boolean;
  readonly fits: (name: string) => boolean;
}

/** A pattern of @actions/glob, compiled. As there, a directory matches all files below it. */
export interface Glob {
  readonly text: string;
  /** The part before the first wildcard: a directory, or the one path that the pattern names. */
  readonly searchPath: string;
  /** The last one is the `**` for the files below a match. */
  readonly segments: readonly Segment[];
  /** Whether the whole pattern may match a file, not only a directory with files below it. */
  readonly matchesFiles: boolean;
}

/**
 * Compiles a pattern; @actions/glob reads it first. `matchesHidden`: whether wildcards match names that
 * begin with a dot. Throws a StepError for a pattern that @actions/glob refuses.
 */
export async function compileGlob(
  text: string,
  workspace: string,
  matchesHidden: boolean,
): Promise<Glob> {
  const absolute = makeAbsolute(text, workspace);
  const searchPath = await findSearchPath(text, absolute);
  const pattern = compose(IS_WINDOWS ? absolute.replaceAll('\\', '/') : absolute);
  const trimmed = pattern.replace(/\/+$/, '');
  const options = { nobrace: true, nocomment: true, noext: true, nonegate: true };
  const flags = { dot: matchesHidden, nocase: IS_WINDOWS };
  const { set } = new Minimatch(`${trimmed}/**`, { ...options, ...flags });
  return {
    text,
    searchPath,
    segments: (set[0] ?? []).map((segment) => compileSegment(segment, matchesHidden)),
    // In @actions/glob `x/**` also matches the file x; the filter for hidden names does not.
    matchesFiles: trimmed === pattern && (matchesHidden || !trimmed.endsWith('/**')),
  };
}

async function findSearchPath(text: string, absolute: string): Promise<string> {
  // Made absolute, an empty pattern would be the whole workspace.
  if (text === '') throw refuse(text, ' (it is empty)');
  try {
    return String((await create(absolute)).getSearchPaths()[0]);
  } catch (error) {
    // The message of @actions/glob has the absolute pattern.
    const isDotted = errorMessage(error).includes('Relative pathing');
    if (isDotted) {
      throw refuse(text, " (it must not contain '..', nor '.' after its start)", DOTS_FIX);
    }
    throw refuse(text, text.includes('[:') ? ' (write [0-9] instead of [[:digit:]])' : '');
  }
}

function refuse(text: string, reason: string, fix = 'Correct the pattern.'): StepError {
  return new StepError('files', `The pattern '${text}' is not valid${reason}.`, fix);
}

/** Compiles a segment as minimatch has parsed it; `**` is a symbol. */
function compileSegment(parsed: ReturnType<Minimatch['parse']>, matchesHidden: boolean): Segment {
  const isGlobstar = typeof parsed === 'symbol';
  if (isGlobstar) return { isGlobstar, fits: (name) => matchesHidden || !name.startsWith('.') };
  if (parsed instanceof RegExp) {
    const linear = makeLinear(parsed);
    return { isGlobstar, fits: (name) => linear.test(compose(name)) };
  }
  return { isGlobstar, fits: (name) => parsed !== false && fold(name) === fold(parsed) };
}

/** On Windows, minimatch leaves a drive, and a host and share, as they are written. */
function fold(name: string): string {
  return IS_WINDOWS ? name.toLowerCase() : compose(name);
}

const DOTS_FIX =
  'Write a path from the workspace, or for a file outside of it an absolute one, such as `${{ runner.temp }}/report.json`.';

const STAR = '[^/]*?';

/**
 * Makes the time to match a name linear in its length and in that of the pattern. What stands between two
 * `*` needs to match only where it does first, because the last `*` takes any rest. Otherwise each `*` is
 * tried at every character: with three of them a name of 250 characters could take 8 ms, with five half a
 * minute.
 */
function makeLinear(segment: RegExp): RegExp {
  const pieces = segment.source.split(STAR);
  if (pieces.length < 3) return segment;
  const shortest = pieces
    .slice(1, -1)
    .map((piece, index) => `(?=(?<s${index}>${STAR}${piece}))\\k<s${index}>`);
  return new RegExp([pieces[0], ...shortest, STAR, pieces.at(-1)].join(''), segment.flags);
}

/** Composes letters on macOS, where composed and decomposed ones are the same and either may be listed. */
function compose(text: string): string {
  return IS_MACOS ? text.normalize() : text;
}

/** A pattern in a directory, which may match the names in it. */
export interface Position {
  readonly glob: Glob;
  /** The indexes of the segments that may be next. */
  readonly next: readonly number[];
}

/** A pattern before the first name of a path, which is its root. */
export function begin(glob: Glob): Position {
  return skipGlobstars(glob, [0]);
}

/** The pattern in a directory; `next` is empty if it matches no file there or below. */
export function enter({ glob, next }: Position, name: string): Position {
  const { segments } = glob;
  const fitting = next.filter((at) => segments[at]?.fits(name));
  return skipGlobstars(
    glob,
    fitting.map((at) => (segments[at]?.isGlobstar ? at : at + 1)),
  );
}

/** Whether a file with this name matches. */
export function matches({ glob, next }: Position, name: string): boolean {
  const { segments, matchesFiles } = glob;
  const last = segments.length - (matchesFiles ? 2 : 1);
  return next.some((at) => at >= last && segments[at]?.fits(name));
}

/** Whether the pattern matches this directory, or one above it: only hidden names may not match. */
export function coversBelow({ glob, next }: Position): boolean {
  return next.includes(glob.segments.length - 1);
}

/** Adds the segments after a `**`, which may match no name at all. */
function skipGlobstars(glob: Glob, next: readonly number[]): Position {
  const all = next.flatMap((at) => (glob.segments[at]?.isGlobstar ? [at, at + 1] : [at]));
  return { glob, next: [...new Set(all)] };
}
