import { describe, expect, test } from '@jest/globals';
import { find, list, readWithinLimit, texts } from '../../src/formats/values.ts';

const DOCUMENT: unknown = JSON.parse(
  '{"a":{"b":[1,{"c":2},[{"c":3}]],"d":null},"e":{"c":[]},"":{"":5},"__proto__":{"c":6}}',
);

describe('find', () => {
  test.each([
    ['', [DOCUMENT]],
    ['a/b', [[1, { c: 2 }, [{ c: 3 }]]]],
    ['a/b/c', [2]],
    ['a/d', [null]],
    ['*/c', [[], 6]],
    ['/', [5]],
    ['__proto__/c', [6]],
  ])('finds the values at %j', (path, values) => {
    expect(find(DOCUMENT, path)).toEqual(values);
  });

  test.each(['b', 'a/b/0', 'a/b/length', 'a/d/e', 'constructor', 'e/c/*', 'a/b/c/d'])(
    'finds nothing at %j',
    (path) => {
      expect(find(DOCUMENT, path)).toEqual([]);
    },
  );

  test('searches the first values of a list', () => {
    expect(find([{ a: 1 }, { a: 2 }, 0], 'a', 1)).toEqual([1]);
  });
});

describe('readWithinLimit', () => {
  const MANY = Array.from({ length: 250_000 }, () => ({ a: [] }));
  const NAMED = Object.fromEntries(MANY.entries());

  test.each<[string, (half: readonly object[]) => readonly (readonly unknown[])[]]>([
    ['two paths', (half) => [find(half, 'a'), list(half, '')]],
    ['members of any name', (half) => [find(NAMED, '*/a'), list(half, '')]],
    ['what is only searched', (half) => [half.flatMap(() => texts([0, 1], '', 1)), list(half, '')]],
  ])('reads 500,000 items of %s, and no more', (_, read) => {
    expect(readWithinLimit(() => read(MANY).flat().length)).toBe(500_000);
    expect(readWithinLimit(() => [read(MANY), find([0], 'a')])).toBeUndefined();
  });

  test('limits each document by itself', () => {
    expect(
      readWithinLimit(() => [find(MANY, 'a'), find(MANY, 'a'), find([0], 'a')]),
    ).toBeUndefined();
    expect(readWithinLimit(() => find(MANY, 'a').length)).toBe(250_000);
    expect([MANY, MANY, MANY].flatMap((each) => find(each, 'a'))).toHaveLength(750_000);
  });

  test('throws other errors', () => {
    expect(() => readWithinLimit((): unknown => JSON.parse('{'))).toThrow(SyntaxError);
  });
});

test('list returns the items of lists, and objects', () => {
  expect(list(DOCUMENT, 'a/b')).toEqual([1, { c: 2 }, [{ c: 3 }]]);
  expect(list(DOCUMENT, '*')).toEqual([
    { b: expect.anything(), d: null },
    { c: [] },
    { '': 5 },
    { c: 6 },
  ]);
  expect(['a/d', 'e/c', '/'].flatMap((path) => list(DOCUMENT, path))).toEqual([]);
});

test('texts returns the texts and numbers of at most 512 characters, or what matches of them', () => {
  const values: unknown = JSON.parse('["a","",1,-2.50,1e400,true,null,{},[]]');
  expect(texts(values, '')).toEqual(['a', '', '1', '-2.5']);
  expect(texts(['é'.repeat(512), 'é'.repeat(513)], '')).toEqual(['é'.repeat(512)]);
  expect(texts(['ab', 'b', 'ac'], ['', /^a(.)/])).toEqual(['b', 'c']);
  expect(texts(['ab', 'b'], ['', /^a./])).toEqual(['ab']);
});
