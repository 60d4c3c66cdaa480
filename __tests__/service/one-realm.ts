import { types } from 'node:util';

/**
 * Makes `instanceof Error` hold for Node's own errors, as it does in the action: jest gives modules a
 * realm with an `Error` of its own, and Node's errors come from another one.
 */
export function joinRealms(): void {
  recognise(Error);
  recognise(AggregateError, 'AggregateError');
}

function recognise(constructor: ErrorConstructor | AggregateErrorConstructor, name?: string): void {
  const inherited = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(constructor, Symbol.hasInstance, {
    configurable: true,
    value(this: unknown, value: unknown): boolean {
      if (this !== constructor) return Reflect.apply(inherited, this, [value]);
      return types.isNativeError(value) && (name === undefined || value.name === name);
    },
  });
}
