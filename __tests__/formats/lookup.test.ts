import { describe, expect, test } from '@jest/globals';
import { MAX_VALUES, listTexts, lookUp } from '../../src/formats/lookup.ts';
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

  test('returns undefined for more than MAX_VALUES values, at the end of a path or before it', () => {
    const many = Array.from({ length: MAX_VALUES }, () => ({ a: [1] }));
    expect(lookUp(many, '[]/a/[]')).toHaveLength(MAX_VALUES);
    expect(lookUp([many, many], '[]/[]')).toBeUndefined();
    expect(lookUp([...many, 1], '[]/b')).toBeUndefined();
    expect(listTexts([...many, 1], '[]')).toEqual([]);
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
