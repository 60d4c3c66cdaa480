import { Minimatch } from 'minimatch';
import { IS_MACOS, IS_WINDOWS } from './paths.ts';

/** A segment of a pattern as minimatch compiles it; `**` is a symbol. */
type Part = ReturnType<Minimatch['parse']>;

/** How a pattern is to be understood. */
interface Reading {
  /** Whether wildcards match names that begin with a dot. */
  readonly matchesHidden: boolean;
  /** Whether the pattern as a whole matches a file, rather than only what lies below a directory. */
  readonly matchesFiles: boolean;
}

/**
 * An absolute pattern that is matched name by name on the way down, so that a walk asks of each name
 * only what is new. As in @actions/glob, a directory stands for all that lies below it. Each step is a
 * pattern of its own, which knows what may come next.
 */
export class WalkPattern {
  readonly #parts: readonly Part[];
  readonly #reading: Reading;
  /** The numbers of the parts that may be next; one behind the last stands for the whole pattern. */
  readonly #next: readonly number[];

  /** `parts` without a `**` at their end, which is understood. */
  constructor(parts: readonly Part[], reading: Reading, next: readonly number[] = [0]) {
    this.#parts = parts;
    this.#reading = reading;
    // `**` may stand for no name at all.
    this.#next = next.flatMap((at) => (typeof parts[at] === 'symbol' ? [at, at + 1] : [at]));
  }

  /** The pattern behind a path. */
  reach(path: string): WalkPattern {
    const names = path.split(IS_WINDOWS ? /[/\\]/ : '/');
    // A root has an empty name behind its separator.
    if (names.length > 1 && names.at(-1) === '') names.pop();
    return names.reduce<WalkPattern>((pattern, name) => pattern.step(name), this);
  }

  /** The pattern behind one more name. */
  step(name: string): WalkPattern {
    const next = this.#next
      .filter((at) => this.#fits(at, name))
      .map((at) => (this.#isRepeated(at) ? at : at + 1));
    return new WalkPattern(this.#parts, this.#reading, [...new Set(next)]);
  }

  /** Whether a file of this name is matched here. */
  matchesFile(name: string): boolean {
    return this.#next.some((at) => this.#isLast(at) && this.#fits(at, name));
  }

  /** Whether what lies at this very place is matched if it is a file. */
  matchesHere(): boolean {
    const whole = this.#parts.length;
    return this.#next.some((at) => at > whole || (at === whole && this.#reading.matchesFiles));
  }

  /** Whether something below can match. */
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
    // Minimatch leaves the drive, and the host and share, as they are written.
    return part === name || (IS_WINDOWS && part !== false && equalsIgnoringCase(part, name));
  }
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
  const parts: readonly Part[] = matcher.set[0]?.slice(0, -1) ?? [false];
  // @actions/glob takes `x/**` for the file x as well; the filter for hidden names never did.
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
