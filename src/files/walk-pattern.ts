import { Minimatch } from 'minimatch';
import { IS_MACOS, IS_WINDOWS } from './paths.ts';

/** A segment of a pattern as minimatch compiles it; `**` is a symbol. */
type Part = ReturnType<Minimatch['parse']>;

/** The options of a pattern. */
interface Reading {
  /** Whether wildcards match names that begin with a dot. */
  readonly matchesHidden: boolean;
  /** Whether the whole pattern may match a file, not only a directory with files below it. */
  readonly matchesFiles: boolean;
}

/**
 * An absolute pattern that is matched name by name, so that a walk matches each name of a path only once.
 * As in @actions/glob, a directory matches all files below it. Each step returns a new pattern, which
 * knows the parts that may be next.
 */
export class WalkPattern {
  readonly #parts: readonly Part[];
  readonly #reading: Reading;
  /** The indexes of the parts that may be next; the index after the last one means that all parts matched. */
  readonly #next: readonly number[];

  /** `parts` without the `**` at their end. */
  constructor(parts: readonly Part[], reading: Reading, next: readonly number[] = [0]) {
    this.#parts = parts;
    this.#reading = reading;
    // `**` may match no name at all.
    this.#next = next.flatMap((at) => (typeof parts[at] === 'symbol' ? [at, at + 1] : [at]));
  }

  /** The pattern after a path. */
  advance(path: string): WalkPattern {
    const names = path.split(IS_WINDOWS ? /[/\\]/ : '/');
    // A root has an empty name after its separator.
    if (names.length > 1 && names.at(-1) === '') names.pop();
    return names.reduce<WalkPattern>((pattern, name) => pattern.step(name), this);
  }

  /** The pattern after one more name. */
  step(name: string): WalkPattern {
    const next = this.#next
      .filter((at) => this.#fits(at, name))
      .map((at) => (this.#isRepeated(at) ? at : at + 1));
    return new WalkPattern(this.#parts, this.#reading, [...new Set(next)]);
  }

  /** Whether a file of this name in this directory matches. */
  matchesFile(name: string): boolean {
    return this.#next.some((at) => this.#isLast(at) && this.#fits(at, name));
  }

  /** Whether the path itself matches if it is a file. */
  matchesHere(): boolean {
    const whole = this.#parts.length;
    return this.#next.some((at) => at > whole || (at === whole && this.#reading.matchesFiles));
  }

  /** Whether a file below this directory can match. */
  mayMatch(): boolean {
    return this.#next.length > 0;
  }

  /** Whether this is a directory that the pattern names, or below one: only hidden names may not match. */
  isInside(): boolean {
    return this.#next.some((at) => at >= this.#parts.length);
  }

  #isLast(at: number): boolean {
    const whole = this.#parts.length;
    return at >= whole || (this.#reading.matchesFiles && at === whole - 1);
  }

  #isRepeated(at: number): boolean {
    return at > this.#parts.length || typeof this.#parts[at] === 'symbol';
  }

  #fits(at: number, listed: string): boolean {
    const part = this.#parts[at];
    const name = compose(listed);
    if (part === undefined || typeof part === 'symbol') {
      return this.#reading.matchesHidden || !name.startsWith('.');
    }
    if (typeof part === 'object') return part.test(name);
    // Minimatch does not compile a drive, or a host and share.
    return part === name || (IS_WINDOWS && part !== false && equalsIgnoringCase(part, name));
  }
}

/** Minimatch's `*` in a segment. */
const STAR = '[^/]*?';

/**
 * Makes the time to match a name linear in its length and in that of the pattern. What stands between two
 * `*` needs to match only where it does first, because the last `*` takes any rest. Otherwise each `*` is
 * tried at every character: with three of them a name of 250 characters could take 8 ms, with five half a
 * minute.
 */
function makeLinear(part: Part): Part {
  if (!(part instanceof RegExp)) return part;
  const pieces = part.source.split(STAR);
  const shortest = pieces
    .slice(1, -1)
    .map((piece, index) => `(?=(?<s${index}>${STAR}${piece}))\\k<s${index}>`);
  if (shortest.length === 0) return part;
  return new RegExp([pieces[0], ...shortest, STAR, pieces.at(-1)].join(''), part.flags);
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
  const parts: readonly Part[] = matcher.set[0]?.slice(0, -1).map(makeLinear) ?? [false];
  // In @actions/glob `x/**` also matches the file x; the filter for hidden names does not.
  const matchesFiles = trimmed === pattern && (matchesHidden || !trimmed.endsWith('/**'));
  return new WalkPattern(parts, { matchesHidden, matchesFiles });
}

/** Composes letters on macOS, where composed and decomposed ones are the same and either may be listed. */
function compose(text: string): string {
  return IS_MACOS ? text.normalize() : text;
}

function equalsIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
