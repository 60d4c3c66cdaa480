import type { WalkPattern } from './walk-pattern.ts';

/** The patterns of a walk at one path: which files it takes, and which directories it may skip. */
export class WalkFilter {
  readonly #include: WalkPattern;
  readonly #excludes: readonly WalkPattern[];

  constructor(include: WalkPattern, excludes: readonly WalkPattern[]) {
    this.#include = include;
    this.#excludes = excludes;
  }

  /** The filter at a path. */
  advance(path: string): WalkFilter {
    const excludes = this.#excludes.map((pattern) => pattern.advance(path));
    return new WalkFilter(this.#include.advance(path), excludes);
  }

  /** The filter one name further down. */
  step(name: string): WalkFilter {
    const excludes = this.#excludes.map((pattern) => pattern.step(name));
    return new WalkFilter(this.#include.step(name), excludes);
  }

  /** Whether the path itself is wanted if it is a file. */
  matchesHere(): boolean {
    return this.#include.matchesHere() && !this.#excludes.some((pattern) => pattern.matchesHere());
  }

  /** Whether a file of this name in this directory is wanted. */
  matchesFile(name: string): boolean {
    if (!this.#include.matchesFile(name)) return false;
    return !this.#excludes.some((pattern) => pattern.matchesFile(name));
  }

  /** Whether a file below this directory can be wanted. */
  mayMatch(): boolean {
    return this.#include.mayMatch() && !this.#excludes.some((pattern) => pattern.isInside());
  }
}
