import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { escapeUnits } from './encodings.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Members = Readonly<Record<string, Json>>;

/** Any object with names and values of these kinds; `__proto__` is a normal name. */
export function anyMembers(
  name: Arbitrary<string>,
  value: Arbitrary<Json>,
  maxLength = 4,
): Arbitrary<Members> {
  return fc
    .array(fc.tuple(name, value), { maxLength })
    .map((entries): Members => Object.fromEntries(entries));
}

/** Any JSON value with names and leaves of these kinds. */
export function anyJson(name: Arbitrary<string>, leaf: Arbitrary<Json>): Arbitrary<Json> {
  const { value } = fc.letrec<{ value: Json; list: Json; object: Json }>((tie) => ({
    value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: anyMembers(name, tie('value')),
  }));
  return value;
}

/** A JSON text of a value, with varying white space and escapes. */
export function jsonText(value: Arbitrary<Json>): Arbitrary<string> {
  const space = fc.constantFrom('', ' ', '\t', '\r\n ');
  return fc.tuple(value, space, fc.boolean()).map(([json, spaces, isEscaped]) => {
    const text = JSON.stringify(json, null, spaces);
    return isEscaped ? escapeUnits(text, /[\u007f-\uffff]/g) : text;
  });
}
