import { isTurnDue, mapInTurns, takeTurn } from '../turns.ts';
import type { WalkPattern } from './walk-pattern.ts';

/**
 * The patterns of a walk at one path: which files it takes, and which directories it may skip. Timers and
 * signals can run between two patterns.
 */
export class WalkFilter {
  readonly #include: WalkPattern;
  readonly #excludes: readonly WalkPattern[];

  constructor(include: WalkPattern, excludes: readonly WalkPattern[]) {
    this.#include = include;
    this.#excludes = excludes;
  }

  /** The filter at a path. */
  async advance(path: string): Promise<WalkFilter> {
    return this.#move((pattern) => pattern.advance(path));
  }

  /** The filter one name further down. */
  async step(name: string): Promise<WalkFilter> {
    return this.#move((pattern) => pattern.step(name));
  }

  /** Whether the path itself is wanted if it is a file. */
  async matchesHere(): Promise<boolean> {
    return this.#wants((pattern) => pattern.matchesHere());
  }

  /** Whether a file of this name in this directory is wanted. */
  async matchesFile(name: string): Promise<boolean> {
    return this.#wants((pattern) => pattern.matchesFile(name));
  }

  /** Whether a file below this directory can be wanted. */
  mayMatch(): boolean {
    return this.#include.mayMatch() && !this.#excludes.some((pattern) => pattern.isInside());
  }

  /** The filter with moved patterns, without excludes that cannot match any more. */
  async #move(move: (pattern: WalkPattern) => WalkPattern): Promise<WalkFilter> {
    const include = move(this.#include);
    if (!include.mayMatch()) return new WalkFilter(include, []);
    const excludes = await mapInTurns(this.#excludes, move);
    return new WalkFilter(
      include,
      excludes.filter((pattern) => pattern.mayMatch()),
    );
  }

  async #wants(matches: (pattern: WalkPattern) => boolean): Promise<boolean> {
    if (!matches(this.#include)) return false;
    for (const pattern of this.#excludes) {
      if (isTurnDue()) await takeTurn();
      if (matches(pattern)) return false;
    }
    return true;
  }
}
