import { describe, expect, test } from '@jest/globals';
import {
  findText,
  hasSign,
  select,
  selectItems,
  selectListed,
  selectTexts,
} from '../../src/formats/values.ts';

const DOCUMENT: unknown = JSON.parse(
  '{"a":{"b":[1,{"c":2},[{"c":3}]],"d":null},"e":{"c":[]},"":{"":5},"__proto__":{"c":6},"f":false,"g":{"toString":1}}',
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
});

test('selectItems returns the items of lists, and other values but null', () => {
  expect(selectItems(DOCUMENT, 'a/b')).toEqual([1, { c: 2 }, [{ c: 3 }]]);
  expect(selectItems(DOCUMENT, '__proto__')).toEqual([{ c: 6 }]);
  expect(['a/d', 'e/c', '/', 'f'].flatMap((path) => selectItems(DOCUMENT, path))).toEqual([
    5,
    false,
  ]);
});

test.each<[readonly string[], readonly unknown[] | undefined]>([
  [['e/c'], []],
  [['a/b/c'], [{}]],
  [['x', 'e/c'], []],
  [['x/*'], undefined],
  [['e/*', 'e/c'], []],
  [['a/d', 'x', '/', 'f'], undefined],
])('selectListed(%j) tells an empty list from none', (paths, items) => {
  expect(selectListed({ ...Object(DOCUMENT), a: { b: [{ c: [{}] }, {}] } }, ...paths)).toEqual(
    items,
  );
});

test('selectTexts returns the texts and numbers, cut to 512 characters', () => {
  const values: unknown = JSON.parse('["a","",1,-2.50,1e400,true,null,{},[]]');
  expect(selectTexts(values, '')).toEqual(['a', '', '1', '-2.5']);
  const long = 'éè\ud800'.repeat(170).padEnd(512);
  expect(selectTexts([long, `${long}x`], '')).toEqual([long, `${long.slice(0, 509)} …`]);
});

test('findText finds the first text that is not empty', () => {
  expect(findText({ a: ['', []], b: [1, 'y'], c: 'z' }, 'd', 'a', 'b', 'c')).toBe('1');
  expect(findText({ a: [''] }, 'a', 'b')).toBeUndefined();
});

test.each([
  ['a/d', true],
  ['a/x', false],
  ['f=false', true],
  ['/=5', true],
  ['/=', false],
  ['a/b/c=2', true],
  ['a/b/c=3', false],
  ['a=[object Object]', false],
  ['g=x', false],
  ['t=a.b', true],
  ['t=a', false],
  ['t*=.b', true],
  ['t*=A', false],
])('hasSign(%j) is %j', (place, isThere) => {
  expect(hasSign({ ...Object(DOCUMENT), t: ['x', 'a.b'] }, place)).toBe(isThere);
});
