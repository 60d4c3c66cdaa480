import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { ProblemDetails } from '../../src/service/problem.ts';
import { stripInvisible } from '../../src/text.ts';
import { listMembers, readProblem } from '../support/attempts.ts';
import { anyText } from './arbitraries.ts';
import { anyJson, anyMembers } from './json-arbitraries.ts';
import type { Json, Members } from './json-arbitraries.ts';

const PROBLEM_TYPE = 'application/problem+json';
const MAX_DEPTH = 32;
const KNOWN = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'traceId'];

/** Names of members, including those of a problem and those that every object inherits. */
const NAME = fc.oneof(
  fc.constantFrom(...KNOWN, '__proto__', 'constructor', 'toString', 'length', '', '0', '-1'),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map(stripInvisible),
);
/** Numbers that JavaScript represents exactly. */
const NUMBER = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e15, max: 1e15, noDefaultInfinity: true }),
);
const LEAF = fc.oneof(anyText(10).map(stripInvisible), NUMBER, fc.boolean(), fc.constant(null));
const VALUE = anyJson(NAME, LEAF);

/** A value nested in 25 to 45 lists and objects. */
const DEEP = fc
  .tuple(fc.array(fc.boolean(), { minLength: 25, maxLength: 45, size: 'max' }), VALUE)
  .map(([levels, core]) =>
    levels.reduce<Json>((inner, listed) => (listed ? [1, inner, 2] : { inner, after: 3 }), core),
  );
const MEMBERS = fc
  .tuple(anyMembers(NAME, VALUE, 6), fc.option(DEEP, { nil: undefined }))
  .map(([members, deep]): Members => (deep === undefined ? members : { ...members, deep }));

/** The value with null for the parts that are nested too deep. */
function prune(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (isList(value)) return value.map((entry) => prune(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, prune(member, depth + 1)]),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function parse(text: string): ProblemDetails {
  const problem = readProblem(PROBLEM_TYPE, text);
  if (problem === undefined) throw new Error(`No problem: ${text}`);
  return problem;
}

describe('the problem of a response', () => {
  test('never throws for any text and content type', () => {
    const truncated = fc
      .tuple(fc.json(), fc.nat())
      .map(([text, at]) => text.slice(0, at % (text.length + 1)));
    const opening = fc.constantFrom('{"a":', '[', '{"detail":[', '{"errors":{"a":');
    const nested = fc
      .tuple(opening, fc.nat({ max: 3000 }))
      .map(([open, depth]) => `{"detail":${open.repeat(depth)}`);
    const text = fc.oneof(anyText(), fc.json(), truncated, nested);
    fc.assert(
      fc.property(fc.option(anyText(), { nil: undefined }), text, (contentType, body) => {
        expect(() => readProblem(contentType, body)).not.toThrow();
      }),
      { numRuns: 400 },
    );
  });

  test('copies every own member to a depth of 32, and reads the same from the copy', () => {
    fc.assert(
      fc.property(MEMBERS, (members) => {
        const problem = parse(JSON.stringify(members));
        // JSON contains only own members, in order, including `__proto__`.
        const written = problem.json;
        expect(written).toBe(JSON.stringify(prune(members, 1)));
        expect(parse(written)).toEqual(problem);
      }),
      { numRuns: 400 },
    );
  });

  test('reads its texts, even if other members are nested deeply', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32_000 }), fc.boolean(), (characters, listed) => {
        const [open, close] = listed ? ['[', ']'] : ['{"a":', '}'];
        const depth = Math.ceil(characters / open.length);
        const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
        expect(parse(`{"deep":${deep},"traceId":"why"}`).traceId).toBe('why');
      }),
      { numRuns: 40, examples: [[32_000, true]] },
    );
  });
});

describe('numbers in a problem', () => {
  test('become strings with all digits if they exceed 2^53 or are infinite', () => {
    const beyond = fc.oneof(
      fc.bigInt({ min: 2n ** 53n, max: 10n ** 60n }),
      fc.bigInt({ min: -(10n ** 60n), max: -(2n ** 53n) }),
      fc.integer({ min: 310, max: 9999 }).map((power) => `-7e${power}`),
    );
    fc.assert(
      fc.property(beyond, (number) => {
        const problem = parse(`{"a":${number},"b":{"c":[${number}]},"status":${number}}`);
        const text = String(number);
        expect(listMembers(problem)).toEqual({ a: text, b: { c: [text] }, status: text });
      }),
    );
  });
});
