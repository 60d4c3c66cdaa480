import { afterEach } from '@jest/globals';

/** What one test or one case opened, closed at its end. */
export class Scope {
  readonly #cleanups: (() => Promise<void> | void)[] = [];

  /** Runs something at the end; what was added last runs first. */
  defer(cleanup: () => Promise<void> | void): void {
    this.#cleanups.push(cleanup);
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).toReversed()) await cleanup();
  }
}

/** Closed after each test. Tests that run at once need a scope of their own. */
export const TEST_SCOPE = new Scope();

afterEach(() => TEST_SCOPE.close());

/** Runs something after the test; what was added last runs first. */
export function cleanUp(cleanup: () => Promise<void> | void): void {
  TEST_SCOPE.defer(cleanup);
}
