import { types } from 'node:util';

/**
 * Makes `instanceof Error` true for the errors that Node itself throws. A test runs in a realm of its
 * own, where they are not, other than in the action.
 */
export function recogniseNodeErrors(): void {
  const isInstance = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Error, Symbol.hasInstance, {
    configurable: true,
    value(this: unknown, candidate: unknown): boolean {
      if (this === Error && types.isNativeError(candidate)) return true;
      return Reflect.apply(isInstance, this, [candidate]);
    },
  });
}
