import { describe, expect, test } from '@jest/globals';
import {
  findText,
  select,
  selectItems,
  readWithinLimit,
  selectTexts,
} from '../../src/formats/values.ts';

const DOCUMENT: unknown = JSON.parse(
  '{"a":{"b":[1,{"c":2},[{"c":3}]],"d":null},"e":{"c":[]},"":{"":5},"__proto__":{"c":6}}',
);

describe('select', () => {
  test.each([
    ['', [DOCUMENT]],
    ['a/b', [[1, { c: 2 }, [{ c: 3 }]]]],
    ['a/b/c', [2]],
    ['a/d', [null]],
    ['*/c', [[], 6]],
    ['/', [5]],
    ['__proto__/c', [6]],
  ])('finds the values at %j', (path, values) => {
    expect(select(DOCUMENT, path)).toEqual(values);
  });

  test.each(['b', 'a/b/0', 'a/b/length', 'a/d/e', 'constructor', 'e/c/*', 'a/b/c/d'])(
    'finds nothing at %j',
    (path) => {
      expect(select(DOCUMENT, path)).toEqual([]);
    },
  );

  test('searches the first values of a list', () => {
    expect(select([{ a: 1 }, { a: 2 }, 0], 'a', 1)).toEqual([1]);
  });
});

describe('readWithinLimit', () => {
  const HALF = Array.from({ length: 250_000 }, () => 0);
  const NAMED = Object.fromEntries(HALF.entries());

  test.each<[string, (half: readonly unknown[]) => unknown]>([
    ['one list', (half) => selectItems(half, '')],
    ['members of any name', () => select(NAMED, '*')],
    ['what is only searched', (half) => selectTexts([...half, 0], '', 250_000)],
  ])('reads 500,000 items of a list and of %s, and no more', (_, read) => {
    const readBoth = (): unknown => [selectItems(HALF, ''), read(HALF)];
    expect(readWithinLimit(readBoth)).toBeDefined();
    expect(readWithinLimit(() => [readBoth(), select([0], 'a')])).toBeUndefined();
  });

  test('limits each document by itself', () => {
    expect(readWithinLimit(() => selectItems(HALF, ''))).toHaveLength(250_000);
    expect([HALF, HALF, HALF].flatMap((each) => selectItems(each, ''))).toHaveLength(750_000);
  });

  test('throws other errors', () => {
    expect(() => readWithinLimit((): unknown => JSON.parse('{'))).toThrow(SyntaxError);
  });
});

test('findText searches the first 10,000 values of each place for one that is not empty', () => {
  const texts = Array.from({ length: 10_001 }, (_, index) => (index < 10_000 ? '' : 'x'));
  expect([texts.slice(1), texts].map((each) => findText(each, ''))).toEqual(['x', undefined]);
  expect(findText({ a: '', b: 'y', c: 'z' }, 'd', 'a', 'b', 'c')).toBe('y');
});

test('selectItems returns the items of lists, and objects', () => {
  expect(selectItems(DOCUMENT, 'a/b')).toEqual([1, { c: 2 }, [{ c: 3 }]]);
  expect(selectItems(DOCUMENT, '*')).toEqual([
    { b: expect.anything(), d: null },
    { c: [] },
    { '': 5 },
    { c: 6 },
  ]);
  expect(['a/d', 'e/c', '/'].flatMap((path) => selectItems(DOCUMENT, path))).toEqual([]);
});

test('selectTexts returns the texts and numbers of at most 512 characters, or what matches of them', () => {
  const values: unknown = JSON.parse('["a","",1,-2.50,1e400,true,null,{},[]]');
  expect(selectTexts(values, '')).toEqual(['a', '', '1', '-2.5']);
  expect(selectTexts(['é'.repeat(512), 'é'.repeat(513)], '')).toEqual(['é'.repeat(512)]);
  expect(selectTexts(['ab', 'b', 'ac'], ['', /^a(.)/])).toEqual(['b', 'c']);
  expect(selectTexts(['ab', 'b'], ['', /^a./])).toEqual(['ab']);
});
