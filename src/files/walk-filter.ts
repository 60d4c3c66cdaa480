import type { WalkPattern } from './walk-pattern.ts';

/** What a walk is to find at some place, and which directories it need not read. */
export class WalkFilter {
  readonly #include: WalkPattern;
  readonly #excludes: readonly WalkPattern[];

  constructor(include: WalkPattern, excludes: readonly WalkPattern[]) {
    this.#include = include;
    this.#excludes = excludes;
  }

  /** The filter at a path. */
  reach(path: string): WalkFilter {
    const excludes = this.#excludes.map((pattern) => pattern.reach(path));
    return new WalkFilter(this.#include.reach(path), excludes);
  }

  /** The filter behind one more name. */
  step(name: string): WalkFilter {
    const excludes = this.#excludes.map((pattern) => pattern.step(name));
    return new WalkFilter(this.#include.step(name), excludes);
  }

  /** Whether a file at this very place is wanted. */
  matchesHere(): boolean {
    return this.#include.matchesHere() && !this.#excludes.some((pattern) => pattern.matchesHere());
  }

  /** Whether a file of this name is wanted here. */
  matchesFile(name: string): boolean {
    if (!this.#include.matchesFile(name)) return false;
    return !this.#excludes.some((pattern) => pattern.matchesFile(name));
  }

  /** Whether something below can be wanted. */
  mayMatch(): boolean {
    return this.#include.mayMatch() && !this.#excludes.some((pattern) => pattern.isInside());
  }
}
