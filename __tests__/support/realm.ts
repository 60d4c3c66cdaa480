import { types } from 'node:util';

// Makes `instanceof Error` true for Node's own errors, as in the action: jest runs modules in a
// realm with a separate `Error`, and Node's errors come from another realm. Jest loads this file
// before each test file.
recognise(Error);
recognise(AggregateError, 'AggregateError');

function recognise(constructor: ErrorConstructor | AggregateErrorConstructor, name?: string): void {
  const inherited = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(constructor, Symbol.hasInstance, {
    configurable: true,
    value(this: unknown, value: unknown): boolean {
      const isNative = types.isNativeError(value) && (name === undefined || value.name === name);
      return (this === constructor && isNative) || Reflect.apply(inherited, this, [value]);
    },
  });
}
