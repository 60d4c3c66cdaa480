import { describe, expect, test } from '@jest/globals';
import { MAX_VALUES, listTexts, lookUp } from '../../src/formats/lookup.ts';
import { readXml } from '../../src/formats/xml-tree.ts';

describe('lookUp, in JSON', () => {
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
  ])('finds what is at %j', (path, values) => {
    expect(lookUp(DOCUMENT, path)).toEqual(values);
  });

  test.each(['b', 'a/[]', 'a/b', 'a/b/c', 'a/b/0', 'a/b/length', 'a/d/e', 'constructor', 'e/c/*'])(
    'finds no list, member or text of something else at %j',
    (path) => {
      const found = path === 'a/b' ? listTexts(DOCUMENT, path) : lookUp(DOCUMENT, path);
      expect(found).toEqual([]);
    },
  );

  test('inherits nothing', () => {
    expect(lookUp(JSON.parse('{"a":1}'), '__proto__')).toEqual([]);
    expect(lookUp(JSON.parse('{"a":1}'), 'toString')).toEqual([]);
  });

  test('gives up where there are more values than a scan has, at the end of a path or on it', () => {
    const many = Array.from({ length: MAX_VALUES }, () => ({ a: [1] }));
    expect(lookUp(many, '[]/a/[]')).toHaveLength(MAX_VALUES);
    expect(lookUp([many, many], '[]/[]')).toBeUndefined();
    expect(lookUp([...many, 1], '[]/b')).toBeUndefined();
    expect(listTexts([...many, 1], '[]')).toEqual([]);
  });
});

describe('lookUp, in XML', () => {
  const { document } = readXml(
    '<a xmlns="urn:a"><b>1</b><c><b>2</b><b> 3 </b></c><c/><x:b xmlns:x="urn:x">4</x:b></a>',
    false,
  );

  test.each([
    ['a/b', ['1']],
    ['a/c/b', ['2', '3']],
    ['a/c', ['', '']],
    ['a/@xmlns', ['urn:a']],
    ['b', []],
    ['a/*', []],
    ['a/[]', []],
    ['a/b/children', []],
  ])('finds what is at %j', (path, texts) => {
    expect(listTexts(document, path)).toEqual(texts);
  });
});

describe('listTexts', () => {
  test('reads texts and numbers, and nothing else', () => {
    const values: unknown = JSON.parse('["a","",1,-2.50,1e400,true,null,{},[]]');
    expect(listTexts(values, '[]')).toEqual(['a', '', '1', '-2.5']);
  });

  test('leaves texts out that are longer than 512 characters', () => {
    const [short, long] = ['é'.repeat(512), 'é'.repeat(513)];
    expect(listTexts([short, long], '[]')).toEqual([short]);
    for (const [text, read] of [
      [short, [short]],
      [long, []],
    ] as const) {
      expect(listTexts(readXml(`<a>${text}</a>`, false).document, 'a')).toEqual(read);
    }
  });
});
