import { Minimatch } from 'minimatch';
import { IS_WINDOWS } from './paths.ts';

/** A segment of a pattern as minimatch compiles it; `**` is a symbol. */
type Part = ReturnType<Minimatch['parse']>;

/**
 * How a pattern stands after some segments of a path: the numbers of the parts that may be next. Empty
 * once nothing below can match.
 */
export type Progress = readonly number[];

/** How a pattern is to be understood. */
export interface Reading {
  /** Whether wildcards match names that begin with a dot. */
  readonly matchesHidden: boolean;
  /** Whether the pattern as a whole matches a file, rather than only what lies below a folder. */
  readonly matchesFiles: boolean;
}

/**
 * An absolute pattern that is matched name by name on the way down, so that a walk asks of each name
 * only what is new. As in @actions/glob, a folder stands for all that lies below it.
 */
export class WalkPattern {
  readonly #parts: readonly Part[];
  readonly #reading: Reading;
  /** The place behind the last part: the path is what the pattern names. Below it comes one more. */
  readonly #whole: number;

  /** `parts` without a `**` at their end, which is understood. */
  constructor(parts: readonly Part[], reading: Reading) {
    this.#parts = parts;
    this.#reading = reading;
    this.#whole = parts.length;
  }

  /** The progress at a path. */
  reach(path: string): Progress {
    const names = path.split(IS_WINDOWS ? /[/\\]/ : '/');
    // A root has an empty name behind its separator.
    if (names.length > 1 && names.at(-1) === '') names.pop();
    return names.reduce<Progress>((progress, name) => this.step(progress, name), this.start());
  }

  /** The progress before the first name of a path. */
  start(): Progress {
    return this.#withEmpty(0);
  }

  /** The progress after one more name. */
  step(progress: Progress, name: string): Progress {
    const next = new Set<number>();
    for (const at of progress) {
      if (!this.#fits(at, name)) continue;
      for (const place of this.#withEmpty(this.#isRepeated(at) ? at : at + 1)) next.add(place);
    }
    return [...next];
  }

  /** Whether a file of this name is matched, where `progress` is that of its folder. */
  matchesFile(progress: Progress, name: string): boolean {
    return progress.some((at) => this.#ends(at) && this.#fits(at, name));
  }

  /** Whether what lies at this very place is matched if it is a file. */
  matchesHere(progress: Progress): boolean {
    return progress.some(
      (at) => at > this.#whole || (at === this.#whole && this.#reading.matchesFiles),
    );
  }

  /** Whether the place is a folder that the pattern names, or below one: only hidden names may not match. */
  isInside(progress: Progress): boolean {
    return progress.some((at) => at >= this.#whole);
  }

  #ends(at: number): boolean {
    return at >= this.#whole || (this.#reading.matchesFiles && at === this.#whole - 1);
  }

  #isRepeated(at: number): boolean {
    return at > this.#whole || typeof this.#parts[at] === 'symbol';
  }

  /** A place, and the one behind it where `**` may stand for no name at all. */
  #withEmpty(at: number): Progress {
    return typeof this.#parts[at] === 'symbol' ? [at, at + 1] : [at];
  }

  #fits(at: number, name: string): boolean {
    const part = this.#parts[at];
    if (part === undefined || typeof part === 'symbol') {
      return this.#reading.matchesHidden || !name.startsWith('.');
    }
    if (typeof part === 'object') return part.test(name);
    // Minimatch leaves the drive, and the host and share, as they are written.
    return part === name || (IS_WINDOWS && part !== false && equalsIgnoringCase(part, name));
  }
}

/** A pattern without wildcards, whose path is known: all that lies below it, and itself if it is a file. */
export function createLiteral(reading: Reading): WalkPattern {
  return new WalkPattern([], reading);
}

/** Compiles an absolute pattern of @actions/glob's language. */
export function compilePattern(text: string, matchesHidden: boolean): WalkPattern {
  const pattern = IS_WINDOWS ? text.replaceAll('\\', '/') : text;
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

function equalsIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
