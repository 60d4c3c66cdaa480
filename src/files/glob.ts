import { create } from '@actions/glob';
import { Minimatch } from 'minimatch';
import { StepError } from '../errors.ts';
import { IS_MACOS, IS_WINDOWS } from './paths.ts';
import { isRelativePattern, makeAbsolute } from './patterns.ts';

/** A segment of a pattern as minimatch compiles it; `**` is a symbol. */
type Segment = ReturnType<Minimatch['parse']>;

/** A pattern of @actions/glob, compiled. As there, a directory matches all files below it. */
export interface Glob {
  readonly text: string;
  /** The part before the first wildcard: a directory, or the one path that the pattern names. */
  readonly searchPath: string;
  /** Without the `**` at the end. */
  readonly segments: readonly Segment[];
  /** Whether wildcards match names that begin with a dot. */
  readonly matchesHidden: boolean;
  /** Whether the whole pattern may match a file, not only a directory with files below it. */
  readonly matchesFiles: boolean;
}

/** Compiles a pattern; @actions/glob reads it first. Throws a StepError for one that it refuses. */
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
    segments: set[0]?.slice(0, -1).map(makeLinear) ?? [false],
    matchesHidden,
    // In @actions/glob `x/**` also matches the file x; the filter for hidden names does not.
    matchesFiles: trimmed === pattern && (matchesHidden || !trimmed.endsWith('/**')),
  };
}

async function findSearchPath(text: string, absolute: string): Promise<string> {
  try {
    const [searchPath] = (await create(absolute)).getSearchPaths();
    // Made absolute, an empty pattern would be the whole workspace.
    if (searchPath !== undefined && text !== '') return searchPath;
  } catch {
    // The message of @actions/glob has the absolute pattern.
  }
  const isDotted =
    isRelativePattern(text) && text.split(/[/\\]/).some((name) => /^\.\.?$/.test(name));
  const rule = isDotted ? " (a relative path must not contain '..', nor '.' after its start)" : '';
  const advice = text.includes('[:') ? ' (write [0-9] instead of [[:digit:]])' : '';
  const problem = `The pattern '${text}' is not valid${rule || advice}.`;
  throw new StepError('files', problem, 'Correct the pattern.');
}

const STAR = '[^/]*?';

/**
 * Makes the time to match a name linear in its length and in that of the pattern. What stands between two
 * `*` needs to match only where it does first, because the last `*` takes any rest. Otherwise each `*` is
 * tried at every character: with three of them a name of 250 characters could take 8 ms, with five half a
 * minute.
 */
function makeLinear(segment: Segment): Segment {
  if (!(segment instanceof RegExp)) return segment;
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
  /** The indexes of the segments that may be next; the one after the last means that all matched. */
  readonly next: readonly number[];
}

/** A pattern before the first name of a path, which is its root. */
export function begin(glob: Glob): Position {
  return expand(glob, [0]);
}

/** The pattern in a directory; `next` is empty if it matches no file there or below. */
export function enter({ glob, next }: Position, name: string): Position {
  const { segments } = glob;
  const stays = (at: number): boolean => at === segments.length || typeof segments[at] === 'symbol';
  const fitting = next.filter((at) => fits(glob, at, name));
  return expand(
    glob,
    fitting.map((at) => (stays(at) ? at : at + 1)),
  );
}

/** Whether a file with this name matches. */
export function matches({ glob, next }: Position, name: string): boolean {
  const last = glob.segments.length - (glob.matchesFiles ? 1 : 0);
  return next.some((at) => at >= last && fits(glob, at, name));
}

/** Whether the pattern matches this directory, or one above it: only hidden names may not match. */
export function coversBelow({ glob, next }: Position): boolean {
  return next.includes(glob.segments.length);
}

function expand(glob: Glob, next: readonly number[]): Position {
  // `**` may match no name at all.
  const all = next.flatMap((at) => (typeof glob.segments[at] === 'symbol' ? [at, at + 1] : [at]));
  return { glob, next: [...new Set(all)] };
}

function fits({ segments, matchesHidden }: Glob, at: number, listed: string): boolean {
  const segment = segments[at];
  if (segment === undefined || typeof segment === 'symbol') {
    return matchesHidden || !listed.startsWith('.');
  }
  const name = compose(listed);
  if (typeof segment === 'object') return segment.test(name);
  // Minimatch does not compile a drive, or a host and share.
  if (segment === name || !IS_WINDOWS || segment === false) return segment === name;
  return segment.toLowerCase() === name.toLowerCase();
}
