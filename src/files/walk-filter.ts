import type { Progress, WalkPattern } from './walk-pattern.ts';

/** Where a walk stands: how far each pattern has come. */
export interface Place {
  readonly include: Progress;
  readonly excludes: readonly Progress[];
}

/** What a walk is to find and which folders it need not read. */
export class WalkFilter {
  readonly #include: WalkPattern;
  readonly #excludes: readonly WalkPattern[];
  readonly #skipsHidden: boolean;

  /** Excludes match hidden names. With `skipsHidden`, no name below the start may begin with a dot. */
  constructor(include: WalkPattern, excludes: readonly WalkPattern[], skipsHidden: boolean) {
    this.#include = include;
    this.#excludes = excludes;
    this.#skipsHidden = skipsHidden;
  }

  /** The place of the path that a walk begins at, where `include` is known. */
  begin(path: string, include: Progress): Place {
    return { include, excludes: this.#excludes.map((pattern) => pattern.reach(path)) };
  }

  /** Whether a file at this very place is wanted. */
  matchesHere({ include, excludes }: Place): boolean {
    const isExcluded = (pattern: WalkPattern, index: number): boolean =>
      pattern.matchesHere(excludes[index] ?? []);
    return this.#include.matchesHere(include) && !this.#excludes.some(isExcluded);
  }

  /** Whether a file of this name in a folder is wanted. */
  matchesFile({ include, excludes }: Place, name: string): boolean {
    if (this.#skips(name) || !this.#include.matchesFile(include, name)) return false;
    return !this.#excludes.some((pattern, index) =>
      pattern.matchesFile(excludes[index] ?? [], name),
    );
  }

  /** The place of a folder in a folder; undefined if nothing below it can be wanted. */
  enter(place: Place, name: string): Place | undefined {
    if (this.#skips(name)) return undefined;
    const include = this.#include.step(place.include, name);
    if (include.length === 0) return undefined;
    const excludes = this.#excludes.map((pattern, index) =>
      pattern.step(place.excludes[index] ?? [], name),
    );
    const inside = { include, excludes };
    return this.mayHold(inside) ? inside : undefined;
  }

  /** Whether something below a folder can be wanted. */
  mayHold({ include, excludes }: Place): boolean {
    if (include.length === 0) return false;
    return !this.#excludes.some((pattern, index) => pattern.isInside(excludes[index] ?? []));
  }

  #skips(name: string): boolean {
    return this.#skipsHidden && name.startsWith('.');
  }
}
