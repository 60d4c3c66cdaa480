import { describe, expect, test } from '@jest/globals';
import { JsonScanner } from '../../../src/scan/content/json-scanner.ts';
import { JsonFault } from '../../../src/scan/content/json-text.ts';
import { evaluate } from '../../service/guarded.ts';
import { WHOLE, scanJson, split } from './scanning.ts';
import { DEAF, Recorder } from './telling.ts';

const MIB = 1024 * 1024;

/** What a visitor of anything is told of a text. */
function record(text: string): Recorder['told'] {
  const recorder = new Recorder();
  expect(scanJson(Buffer.from(text), recorder)).toEqual(WHOLE);
  return recorder.told;
}

describe('JsonScanner', () => {
  test('tells names, items and texts, and of literals that they are there', () => {
    expect(record(String.raw`{"a":[1,"\u00e9\n"],"":null}`)).toEqual([
      ['enter', 'a'],
      ['enter', '[item]'],
      ['text', '1'],
      ['leave'],
      ['enter', '[item]'],
      ['text', 'é\n'],
      ['leave'],
      ['leave'],
      ['enter', ''],
      ['leave'],
    ]);
  });

  test.each([
    ['names', (text: string) => `{"${text}":[]}`, [['enter', ''], ['leave']]],
    ['texts', (text: string) => `["${text}"]`, [['enter', '[item]'], ['leave']]],
  ])('leaves %s out that are longer than 512 characters', (_, write, without) => {
    for (const text of ['a'.repeat(513), 'é'.repeat(513), String.raw`\u00e9`.repeat(513)]) {
      expect(record(write(text))).toEqual(without);
    }
    for (const text of ['a'.repeat(512), '€'.repeat(512)]) {
      expect(record(write(text))).toContainEqual([expect.stringMatching(/enter|text/), text]);
    }
  });

  test('leaves a number out that is longer', () => {
    for (const number of ['7'.repeat(513), '-1e400']) {
      expect(record(`[${number}]`)).toEqual([['enter', '[item]'], ['leave']]);
    }
  });

  test.each([
    ['1.50', '1.5'],
    ['-0', '0'],
    ['1E3', '1000'],
    ['1e400', undefined],
    [`2.${'0'.repeat(600)}`, '2'],
    ['2.1', '2.1'],
  ])('tells the number %s as %s', (number, text) => {
    const told = text === undefined ? [] : [['text', text]];
    expect(record(`[${number}]`)).toEqual([['enter', '[item]'], ...told, ['leave']]);
  });

  test('takes escapes for the characters that they stand for where it counts them', () => {
    expect(record(`["${String.raw`\u00e9`.repeat(512)}"]`)).toContainEqual([
      'text',
      'é'.repeat(512),
    ]);
  });

  test('says what is wrong, and where', () => {
    const scanner = new JsonScanner(DEAF, 100);
    expect(scanner.push(Buffer.from('[1 2]'))).toBe(false);
    expect(scanner.push(Buffer.from('{'))).toBe(false);
    const fault = scanner.end();
    expect(fault).toBeInstanceOf(JsonFault);
    expect(fault).toMatchObject({ name: 'JsonFault', isCut: false, offset: 103 });
  });

  test('tells a value as soon as it is there', () => {
    const recorder = new Recorder();
    const scanner = new JsonScanner(recorder, 0);
    const counts = ['{"a', '":"b', '","c":1', '2', ',"d":[', '"e"'].map((piece) => {
      expect(scanner.push(Buffer.from(piece))).toBe(true);
      return recorder.told.length;
    });
    expect(counts).toEqual([0, 0, 3, 3, 7, 10]);
    expect(scanner.end()).toMatchObject({ isCut: true, offset: 24 });
  });

  test.each([
    '[12',
    '12',
    '-',
    '1.',
    '1e',
    '-0.5E+',
    '"a',
    '"\\',
    '"\\u00e',
    'tru',
    '{"a"',
    '{"a":',
  ])('waits for the rest of %s', (start) => {
    const scanner = new JsonScanner(DEAF, 0);
    expect(scanner.push(Buffer.from(start))).toBe(true);
    scanner.push(Buffer.from('\n?'));
    const fault = scanner.end();
    expect(fault).toMatchObject({ isCut: false });
    expect(fault?.offset).toBeGreaterThanOrEqual(start.length);
  });

  test.each<[string, number | undefined, Partial<JsonFault> | undefined]>([
    ['{"a":1}', undefined, undefined],
    ['{"a":1}\n{"b":2}\n[3]\n', 8, undefined],
    ['{}{}', 2, undefined],
    ['1 []', 2, undefined],
    ['{"a":1}\n{"b":', 8, { isCut: true, offset: 13 }],
    ['{"a":1}\n{"b":2}\n{"c":?}', 8, { isCut: false, offset: 21 }],
    ['{"a":1}\n{"b":2}\nnull', 8, { isCut: false, offset: 16 }],
    ['{"a":1}\n7', undefined, { isCut: false, offset: 8 }],
  ])('finds where the second value begins in %j', (text, secondAt, fault) => {
    for (const sizes of [[], [1], [2], [3], [7]]) {
      const reading = scanJson(Buffer.from(text), DEAF, sizes);
      expect([sizes, reading]).toEqual([sizes, { secondAt, fault }]);
    }
  });

  test('reads the same in pieces, whatever their edges cut', () => {
    const text = Buffer.from(
      String.raw`{"é😀\u00e9\"": [-1.5e+10, 0, "\\", true, false, null], "a": {"b\n": "漢\ud83d\ude00"}}`,
    );
    const told = record(text.toString());
    for (let size = 1; size <= text.length; size += 1) {
      for (let first = 1; first <= Math.min(size, 4); first += 1) {
        const recorder = new Recorder();
        const sizes = [first, ...split(text.subarray(first), [size]).map(({ length }) => length)];
        expect([sizes, scanJson(text, recorder, sizes)]).toEqual([sizes, WHOLE]);
        expect(recorder.told).toEqual(told);
      }
    }
  });

  test('passes on what the visitor throws', () => {
    const visitor = {
      ...DEAF,
      enter: () => {
        throw new Error('The visitor is at fault.');
      },
    };
    expect(() => scanJson(Buffer.from('[1]'), visitor)).toThrow('The visitor is at fault.');
  });

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":', '}]'],
  ])('reads %s a million levels deep', (_, open, close) => {
    const depth = 1e6 / close.length;
    const inside = close.startsWith(']') ? '' : '1';
    const text = open.repeat(depth) + inside + close.repeat(depth);
    expect(scanJson(Buffer.from(text), DEAF)).toEqual(WHOLE);
    expect(scanJson(Buffer.from(text.slice(0, -1)), DEAF)).toMatchObject({
      fault: { isCut: true },
    });
    expect(scanJson(Buffer.from(`${text.slice(0, -1)}?`), DEAF)).toMatchObject({
      fault: { isCut: false, offset: text.length - 1 },
    });
  });
});

/** A module that stands beside this one, as a process of its own loads it. */
const SCANNER = 'scan/content/json-scanner.ts';
/** How a text is read in pieces of 64 KiB and, at its beginning, of one byte. */
const SCAN = `(text, visitor) => {
  const scanner = new m.JsonScanner(visitor, 0);
  for (let at = 0, size = 1; at < text.length; at += size, size = at < 1000 ? 1 : 65536)
    scanner.push(text.subarray(at, at + size));
  const fault = scanner.end();
  return fault && (fault.isCut ? 'cut' : 'wrong');
}`;
const VISITOR = '{ wantsText: true, enter: () => true, write() {}, leave() {} }';

describe('JsonScanner, of what was made to take long', () => {
  test.each([
    ['one long text', `'["' + 'a'.repeat(${5 * MIB}) + '"]'`, 'undefined'],
    ['a text of escapes', `'["' + '\\\\\\\\'.repeat(${2 * MIB}) + '"]'`, 'undefined'],
    ['a text of escaped quotes without an end', `'["' + '\\\\"'.repeat(${2 * MIB})`, 'cut'],
    ['a long name', `'{"' + 'a'.repeat(${5 * MIB}) + '":1}'`, 'undefined'],
    ['white space', `'[' + ' '.repeat(${5 * MIB}) + ']'`, 'undefined'],
    [
      'white space around what is wrong',
      `'[' + ' '.repeat(${2 * MIB}) + 'x' + ' '.repeat(${2 * MIB})`,
      'wrong',
    ],
    ['many numbers', `'[' + '-1.5e7,'.repeat(${MIB / 2}) + '1]'`, 'undefined'],
    ['many members of one name', `'{' + '"a":"b",'.repeat(${MIB / 2}) + '"a":1}'`, 'undefined'],
    ['brackets', `'['.repeat(${5 * MIB})`, 'cut'],
    ['empty lists', `'[' + '[],'.repeat(${MIB}) + '[]]'`, 'undefined'],
  ])('is done with %s', (_, text, kind) => {
    expect(evaluate(SCANNER, `(${SCAN})(Buffer.from(${text}), ${VISITOR})`)).toBe(kind);
  });
});
