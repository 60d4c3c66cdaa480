import { describe, expect, test } from '@jest/globals';
import { listTexts, lookUp } from '../../src/formats/lookup.ts';
import { readXml } from '../../src/formats/xml-tree.ts';

describe('lookUp in JSON', () => {
  const DOCUMENT: unknown = JSON.parse(
    '{"a":{"b":[1,{"c":2},[3]],"d":null},"e":{"c":4},"":{"":5},"__proto__":{"c":6}}',
  );

  test.each([
    ['', [DOCUMENT]],
    ['a/b/[]', [1, { c: 2 }, [3]]],
    ['a/b/[]/c', [2]],
    ['a/b/[]/[]', [3]],
    ['a/d', [null]],
    ['*/c', [4, 6]],
    ['__proto__/c', [6]],
  ])('finds the values at %j', (path, values) => {
    expect(lookUp(DOCUMENT, path)).toEqual(values);
  });

  test.each(['b', 'a/[]', 'a/b/c', 'a/b/0', 'a/b/length', 'a/d/e', 'constructor', 'e/c/*'])(
    'finds nothing at %j',
    (path) => {
      expect(lookUp(DOCUMENT, path)).toEqual([]);
    },
  );

  test.each([
    ['[]', [1, 2, 3], 3, [1, 2, 3]],
    ['[]', [1, 2, 3], 2, [1, 2]],
    ['[]/a', [{ a: 1 }, {}, { a: 3 }], 6, [1, 3]],
    ['[]/a', [{ a: 1 }, {}, { a: 3 }], 5, [1]],
    ['*', { a: 1, b: 2, c: 3 }, 3, [1, 2, 3]],
    ['*', { a: 1, b: 2, c: 3 }, 2, []],
    ['a/b', { a: { b: 1 } }, 2, [1]],
    ['a/b', { a: { b: 1 } }, 1, []],
    ['[]/a', [0, 1], 3, []],
  ])('visits at %s of %j at most %i values', (path, value, left, found) => {
    const [exact, spent] = [{ left }, { left: left - 1 }];
    expect(lookUp(value, path, exact)).toEqual(found);
    lookUp(value, path, spent);
    expect(spent.left).toBeLessThan(0);
  });

  test('searches a list without a budget only at its beginning', () => {
    const many = [{ a: 1 }, ...Array.from({ length: 1_000_000 }, () => ({ a: 2 }))];
    expect(lookUp(many, '[]').length).toBeLessThan(100_000);
    expect(listTexts(many, '[]/a').slice(0, 1)).toEqual(['1']);
  });
});

describe('listTexts', () => {
  test('returns only texts and numbers', () => {
    const values: unknown = JSON.parse('["a","",1,-2.50,1e400,true,null,{},[]]');
    expect(listTexts(values, '[]')).toEqual(['a', '', '1', '-2.5']);
  });

  test('leaves out texts of more than 512 characters', () => {
    const [short, long] = ['é'.repeat(512), 'é'.repeat(513)];
    expect(listTexts([short, long], '[]')).toEqual([short]);
    const [read, ignored] = [short, long].map((text) =>
      listTexts(readXml(`<a>${text}</a>`, false).document, 'a'),
    );
    expect([read, ignored]).toEqual([[short], []]);
  });
});
