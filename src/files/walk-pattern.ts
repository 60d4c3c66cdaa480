import { Minimatch } from 'minimatch';
import { IS_MACOS, IS_WINDOWS } from './paths.ts';

/** A segment of a pattern as minimatch compiles it; `**` is a symbol. */
type Segment = ReturnType<Minimatch['parse']>;

interface Compiled {
  /** Without the `**` at the end. */
  readonly segments: readonly Segment[];
  /** Whether wildcards match names that begin with a dot. */
  readonly matchesHidden: boolean;
  /** Whether the whole pattern may match a file, not only a directory with files below it. */
  readonly matchesFiles: boolean;
}

/**
 * An absolute pattern that is matched name by name, so that a walk matches each name of a path only once.
 * As in @actions/glob, a directory matches all files below it. Each step returns a new pattern, which
 * knows the segments that may be next.
 */
export class WalkPattern {
  readonly #compiled: Compiled;
  /** The indexes of the segments that may be next; the index after the last one means that all matched. */
  readonly #next: readonly number[];

  constructor(compiled: Compiled, next: readonly number[] = [0]) {
    this.#compiled = compiled;
    // `**` may match no name at all.
    this.#next = next.flatMap((at) =>
      typeof compiled.segments[at] === 'symbol' ? [at, at + 1] : [at],
    );
  }

  step(name: string): WalkPattern {
    const { segments } = this.#compiled;
    const next = this.#next
      .filter((at) => this.#fits(at, name))
      .map((at) => (at > segments.length || typeof segments[at] === 'symbol' ? at : at + 1));
    return new WalkPattern(this.#compiled, [...new Set(next)]);
  }

  matches(): boolean {
    const { segments, matchesFiles } = this.#compiled;
    const whole = segments.length;
    return this.#next.some((at) => at > whole || (at === whole && matchesFiles));
  }

  /** Whether a file at this path, or below it, can match. */
  mayMatch(): boolean {
    return this.#next.length > 0;
  }

  /** Whether this is a directory that the pattern names, or below one: only hidden names may not match. */
  coversBelow(): boolean {
    return this.#next.some((at) => at >= this.#compiled.segments.length);
  }

  #fits(at: number, listed: string): boolean {
    const segment = this.#compiled.segments[at];
    const name = compose(listed);
    if (segment === undefined || typeof segment === 'symbol') {
      return this.#compiled.matchesHidden || !name.startsWith('.');
    }
    if (typeof segment === 'object') return segment.test(name);
    // Minimatch does not compile a drive, or a host and share.
    if (segment === name || !IS_WINDOWS || segment === false) return segment === name;
    return segment.toLowerCase() === name.toLowerCase();
  }
}

export interface WalkFilter {
  readonly include: WalkPattern;
  readonly excludes: readonly WalkPattern[];
}

/** The filter one name further down, without excludes that cannot match any more. */
export function step({ include, excludes }: WalkFilter, name: string): WalkFilter {
  const next = include.step(name);
  if (!next.mayMatch()) return { include: next, excludes: [] };
  const moved = excludes.map((pattern) => pattern.step(name));
  return { include: next, excludes: moved.filter((pattern) => pattern.mayMatch()) };
}

export function advance(filter: WalkFilter, path: string): WalkFilter {
  const names = path.split(IS_WINDOWS ? /[/\\]/ : '/');
  // A root has an empty name after its separator.
  if (names.length > 1 && names.at(-1) === '') names.pop();
  return names.reduce(step, filter);
}

/** Whether a file at this path is wanted. */
export function isWanted({ include, excludes }: WalkFilter): boolean {
  return include.matches() && !excludes.some((pattern) => pattern.matches());
}

/** Whether a file below this path can be wanted. */
export function mayMatch({ include, excludes }: WalkFilter): boolean {
  return include.mayMatch() && !excludes.some((pattern) => pattern.coversBelow());
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

/** Compiles an absolute pattern of @actions/glob's language. */
export function compilePattern(text: string, matchesHidden: boolean): WalkPattern {
  const pattern = compose(IS_WINDOWS ? text.replaceAll('\\', '/') : text);
  const trimmed = pattern.replace(/\/+$/, '');
  const matcher = new Minimatch(`${trimmed}/**`, {
    dot: matchesHidden,
    nobrace: true,
    nocase: IS_WINDOWS,
    nocomment: true,
    noext: true,
    nonegate: true,
  });
  const segments: readonly Segment[] = matcher.set[0]?.slice(0, -1).map(makeLinear) ?? [false];
  // In @actions/glob `x/**` also matches the file x; the filter for hidden names does not.
  const matchesFiles = trimmed === pattern && (matchesHidden || !trimmed.endsWith('/**'));
  return new WalkPattern({ segments, matchesHidden, matchesFiles });
}

/** Composes letters on macOS, where composed and decomposed ones are the same and either may be listed. */
function compose(text: string): string {
  return IS_MACOS ? text.normalize() : text;
}
