import { afterAll, afterEach } from '@jest/globals';

/** The resources of one test or case, closed at its end. */
export class TestScope {
  readonly #cleanups: (() => Promise<void> | void)[] = [];

  /** Adds a function that runs at the end, in reverse order. */
  defer(cleanup: () => Promise<void> | void): void {
    this.#cleanups.push(cleanup);
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).toReversed()) await cleanup();
  }
}

/** Closed after each test. Concurrent tests need a scope each. */
export const TEST_SCOPE = new TestScope();

afterEach(() => TEST_SCOPE.close());
// Nothing runs after each concurrent test.
afterAll(() => TEST_SCOPE.close());

/** Adds a function that runs after the test, in reverse order. */
export function cleanUp(cleanup: () => Promise<void> | void): void {
  TEST_SCOPE.defer(cleanup);
}
