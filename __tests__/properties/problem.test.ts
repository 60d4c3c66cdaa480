import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json, ProblemDetails } from '../../src/service/problem.ts';
import { parseProblem } from '../../src/service/problem.ts';
import { anyCase, anyText } from './arbitraries.ts';

const PROBLEM_TYPE = 'application/problem+json';
const MAX_DEPTH = 32;
const NAMES = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'traceId', '__proto__'];

type Members = Readonly<Record<string, Json>>;

/** Members' names, among them those of a problem and those that objects have anyway. */
const NAME = fc.oneof(
  fc.constantFrom(...NAMES, 'constructor', 'toString', 'hasOwnProperty', 'length', '', '0', '-1'),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
/** Numbers that survive JavaScript. */
const NUMBER = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e15, max: 1e15, noDefaultInfinity: true }),
);

const { value: VALUE } = fc.letrec<{ value: Json; list: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(anyText(10), NUMBER, fc.boolean(), fc.constant(null)),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(NAME, tie('value')), { maxLength: 4 }).map(makeObject),
}));
const MEMBERS = fc.array(fc.tuple(NAME, VALUE), { maxLength: 6 }).map(makeObject);

/** A value inside so many lists and objects. */
const DEEP = fc
  .tuple(fc.array(fc.boolean(), { minLength: 25, maxLength: 45, size: 'max' }), VALUE)
  .map(([levels, core]) =>
    levels.reduce<Json>((inner, listed) => (listed ? [1, inner, 2] : { inner, after: 3 }), core),
  );

/** Defines what it is given, so that `__proto__` is a name like any other. */
function makeObject(entries: readonly (readonly [string, Json])[]): Members {
  return Object.fromEntries(entries);
}

/** What is left of a value once nothing is nested deeper than it may be, written differently. */
function prune(value: Json, depth: number): Json | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return undefined;
  if (isList(value)) {
    const kept: Json[] = [];
    for (const entry of value) {
      const pruned = prune(entry, depth + 1);
      if (pruned !== undefined) kept.push(pruned);
    }
    return kept;
  }
  return pruneObject(value, depth);
}

function pruneObject(value: Members, depth: number): Members {
  const kept = {};
  for (const [name, member] of Object.entries(value)) {
    const pruned = prune(member, depth + 1);
    const descriptor = { configurable: true, enumerable: true, writable: true, value: pruned };
    if (pruned !== undefined) Object.defineProperty(kept, name, descriptor);
  }
  return kept;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Members as JSON has them: an own property stays one, whatever it is called. */
function parseMembers(text: string): Members {
  const value: unknown = JSON.parse(text);
  if (isMembers(value)) return value;
  throw new Error(`No object: ${text}`);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): ProblemDetails {
  const problem = parseProblem(PROBLEM_TYPE, text);
  if (problem === undefined) throw new Error(`No problem: ${text}`);
  return problem;
}

/** Compares by JSON, which shows own members alone, in order, `__proto__` among them. */
function expectMembers(problem: ProblemDetails, expected: Members): void {
  expect(JSON.stringify(problem.members)).toBe(JSON.stringify(expected));
}

describe('parseProblem', () => {
  test('never throws, whatever the text and the type', () => {
    const text = fc.oneof(anyText(), fc.json(), fc.json().chain(cutAnywhere), nested());
    fc.assert(
      fc.property(fc.option(anyText(), { nil: undefined }), text, (contentType, body) => {
        expect(() => parseProblem(contentType, body)).not.toThrow();
      }),
      { numRuns: 750 },
    );
  });

  test('copies every own member to the depth of 32', () => {
    fc.assert(
      fc.property(MEMBERS, fc.option(DEEP, { nil: undefined }), (members, deep) => {
        const text = JSON.stringify(deep === undefined ? members : { ...members, deep });
        expectMembers(parse(text), pruneObject(parseMembers(text), 1));
      }),
      { numRuns: 750 },
    );
  });

  test('takes __proto__ for a name and pollutes nothing', () => {
    fc.assert(
      fc.property(VALUE, MEMBERS, (value, others) => {
        const text = `{"__proto__":${JSON.stringify(value)},${JSON.stringify(others).slice(1)}`;
        const { members } = parse(text.replace(/,\}$/, '}'));
        expect(Object.getPrototypeOf(members)).toBe(Object.prototype);
        expect(Object.getOwnPropertyNames(members)).toContain('__proto__');
        expect(Object.keys({})).toEqual([]);
        expect(Object.getOwnPropertyDescriptor(Object.prototype, 'detail')).toBeUndefined();
      }),
      { numRuns: 250 },
    );
  });

  test('reads nothing that is not an own member', () => {
    const name = fc.constantFrom('detail', 'title', 'type', 'instance', 'traceId');
    fc.assert(
      fc.property(name, fc.string({ minLength: 1 }), (inherited, text) => {
        const prototype = JSON.stringify({ [inherited]: text });
        const problem = parse(`{"status":1,"__proto__":${prototype}}`);
        expect(problem[inherited]).toBeUndefined();
      }),
    );
  });

  test('comes to the same once its members are written and read again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          MEMBERS,
          DEEP.map((deep) => makeObject([['deep', deep]])),
        ),
        (members) => {
          const problem = parse(JSON.stringify(members));
          expect(parse(JSON.stringify(problem.members))).toEqual(problem);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('is told by its members or by its type, in any case', () => {
    const type = anyCase(PROBLEM_TYPE).chain((text) =>
      fc.constantFrom(text, `${text}; charset=utf-8`, ` ${text}`),
    );
    fc.assert(
      fc.property(type, fc.constantFrom(...NAMES), VALUE, (declared, name, value) => {
        const known = JSON.stringify(makeObject([[name, value]]));
        const other = JSON.stringify(makeObject([['unheard-of', value]]));
        const isKnown = name !== '__proto__';
        expect(parseProblem('text/plain', known) !== undefined).toBe(isKnown);
        expect(parseProblem(undefined, other)).toBeUndefined();
        expect(parseProblem(declared, other)).toBeDefined();
      }),
    );
  });

  test('reads its texts, however deep the members beside them are nested', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32_000 }), fc.boolean(), (characters, listed) => {
        const [open, close] = listed ? ['[', ']'] : ['{"a":', '}'];
        const depth = Math.ceil(characters / open.length);
        const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
        expect(parse(`{"deep":${deep},"detail":"why"}`).detail).toBe('why');
      }),
      { numRuns: 40 },
    );
  });

  test.each([4000, 10_000, 32_000])('reads the detail beside lists nested %i deep', (depth) => {
    const text = `{"detail":"why","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(parseProblem('application/json', text)?.detail).toBe('why');
  });
});

describe('numbers in a problem', () => {
  test('are numbers as long as they stay what they are', () => {
    fc.assert(
      fc.property(NUMBER, (number) => {
        fc.pre(Number.isSafeInteger(number) || !Number.isInteger(number));
        const text = JSON.stringify(number);
        expect(parse(`{"a":${text},"b":[${text}]}`).members).toEqual({
          a: Number(text),
          b: [Number(text)],
        });
      }),
    );
  });

  test('are texts with all their digits beyond 2^53', () => {
    const beyond = fc.oneof(
      fc.bigInt({ min: 2n ** 53n, max: 10n ** 60n }),
      fc.bigInt({ min: -(10n ** 60n), max: -(2n ** 53n) }),
    );
    fc.assert(
      fc.property(beyond, (number) => {
        const problem = parse(`{"a":${number},"b":{"c":[${number}]},"status":${number}}`);
        const text = String(number);
        expect(problem.members).toEqual({ a: text, b: { c: [text] }, status: text });
        expect(problem.status).toBeUndefined();
      }),
    );
  });

  test('are texts as they came where they are infinite', () => {
    const infinite = fc.tuple(
      fc.integer({ min: 1, max: 999 }),
      fc.integer({ min: 310, max: 9999 }),
    );
    fc.assert(
      fc.property(infinite, fc.constantFrom('', '-'), ([digits, power], sign) => {
        const text = `${sign}${digits}e${power}`;
        expect(parse(`{"a":${text}}`).members).toEqual({ a: text });
      }),
    );
  });
});

/** A JSON text that ends anywhere. */
function cutAnywhere(text: string): fc.Arbitrary<string> {
  return fc.nat({ max: text.length }).map((end) => text.slice(0, end));
}

function nested(): fc.Arbitrary<string> {
  const opening = fc.constantFrom('{"a":', '[', '{"detail":[', '{"errors":{"a":');
  return fc
    .tuple(opening, fc.nat({ max: 3000 }))
    .map(([open, depth]) => `{"detail":${open.repeat(depth)}`);
}
