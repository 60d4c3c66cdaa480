import { describe, expect, test } from '@jest/globals';
import { XmlScanner } from '../../../src/scan/content/xml-scanner.ts';
import type { XmlReading } from '../../../src/scan/content/xml-scanner.ts';
import { evaluate } from '../../service/guarded.ts';
import { scanXml } from './scanning.ts';
import { DEAF, Recorder } from './telling.ts';

const READ: XmlReading = { root: 'a', isAbandoned: false };

/** What a visitor of all but `b` is told of a whole text. */
function record(text: string): Recorder['told'] {
  const recorder = new Recorder((name) => name === 'b');
  expect(scanXml(text, recorder)).toMatchObject({ isAbandoned: false });
  return recorder.told;
}

function isEnter([what]: readonly string[]): boolean {
  return what === 'enter';
}

function writeAttributes(count: number): string {
  return Array.from({ length: count }, (_, index) => ` b${index}=""`).join('');
}

/** A document whose type has so many characters in it. */
function writeType(length: number): string {
  return `<!DOCTYPE a [${' '.repeat(length)}]><a/>`;
}

/** Whether more than nothing was told of a text. */
const isText = ([what, text]: readonly string[]): boolean => what === 'text' && text !== '';

describe('XmlScanner', () => {
  test('tells the root, its namespace, elements and texts', () => {
    expect(record('<a xmlns="urn:a"> <c> d&lt;<![CDATA[&]]> </c><e/></a>')).toEqual([
      ['enter', 'a'],
      ['enter', '@xmlns'],
      ['text', 'urn:a'],
      ['leave'],
      ['enter', 'c'],
      ['text', 'd<&'],
      ['leave'],
      ['enter', 'e'],
      ['text', ''],
      ['leave'],
      ['text', ''],
      ['leave'],
    ]);
  });

  test('tells nothing below what is of no interest, however deep', () => {
    expect(record('<a><b><c><b/></c></b><d/></a>').filter(isEnter)).toEqual([
      ['enter', 'a'],
      ['enter', '@xmlns'],
      ['enter', 'b'],
      ['enter', 'd'],
    ]);
    expect(scanXml('<a><b>c</b></a>', DEAF)).toEqual(READ);
  });

  test('leaves texts out that are longer than 256 characters', () => {
    expect(record(`<a>${'é'.repeat(256)}</a>`).filter(isText)).toHaveLength(1);
    for (const space of ['', ' '.repeat(300)]) {
      expect(record(`<a>${space}${'é'.repeat(257)}</a>`).filter(isText)).toEqual([]);
    }
  });

  test('tells nothing of elements in another namespace', () => {
    const foreign = '<x:c xmlns:x="urn:x"><e/></x:c><c xmlns="urn:x"/><x:y:c/>';
    expect(record(`<a xmlns="urn:a">${foreign}<d/></a>`).filter(isEnter)).toEqual([
      ['enter', 'a'],
      ['enter', '@xmlns'],
      ['enter', 'd'],
    ]);
  });

  test('passes on what the visitor throws', () => {
    const visitor = {
      ...DEAF,
      enter: () => {
        throw new Error('The visitor is at fault.');
      },
    };
    expect(() => scanXml('<a/>', visitor)).toThrow('The visitor is at fault.');
  });

  test.each([1, 2, 3, 7])('reads the same in pieces of %i characters', (length) => {
    const text = '<a xmlns="urn:a">\r\n<c d="e">😀&amp;<![CDATA[]]]></c><!-- f --><?g h?></a>\r\n';
    const recorder = new Recorder();
    expect(scanXml(text, recorder, { sizes: [length] })).toEqual(READ);
    expect(recorder.told).toEqual(record(text));
  });

  test.each<[string, Partial<XmlReading>]>([
    ['', { root: undefined }],
    ['<a', { root: undefined }],
    ['<a>', { root: 'a' }],
    ['<a/>', { root: 'a' }],
    ['<x:a><b>', { root: 'x:a' }],
  ])('finds nothing wrong with the head %j', (text, reading) => {
    expect(scanXml(text, DEAF, { isHead: true })).toEqual({ ...READ, ...reading });
  });
});

describe('XmlScanner, of what costs too much', () => {
  const MIB = 1024 * 1024;
  const ABANDONED: XmlReading = { root: 'a', isAbandoned: true };

  test.each([
    ['attributes', (count: number) => `<a><c${writeAttributes(count)}/></a>`],
    ['undefined entities', (count: number) => `<!DOCTYPE a><a>${'&b;'.repeat(count)}</a>`],
    ['levels', (count: number) => `${'<a>'.repeat(count)}${'</a>'.repeat(count)}`],
  ])('reads up to a thousand %s', (_, write) => {
    expect(scanXml(write(1000), DEAF)).toEqual(READ);
    expect(scanXml(write(1001), DEAF)).toEqual(ABANDONED);
  });

  test('counts the attributes of each element by themselves', () => {
    expect(scanXml(`<a>${`<c${writeAttributes(600)}/>`.repeat(3)}</a>`, DEAF)).toEqual(READ);
  });

  test.each([
    ['a comment', '<a><!--', '--></a>'],
    ['an instruction', '<a><?b ', '?></a>'],
    ['a text', '<a>', '</a>'],
    ['CDATA', '<a><![CDATA[', ']]></a>'],
    ['the value of an attribute', '<a><b c="', '"/></a>'],
    ['a tag', '<a><b', '/></a>'],
  ])('reads %s of 4 MiB and no longer one', (_, start, end) => {
    const sizes = [64 * 1024];
    const few = start + ' '.repeat(3 * MIB) + end;
    expect(scanXml(few, DEAF, { sizes })).toEqual(READ);
    const many = start + ' '.repeat(5 * MIB) + end;
    expect(scanXml(many, DEAF, { sizes })).toEqual(ABANDONED);
  });

  test('reads a document type of 4 MiB and no longer one', () => {
    const sizes = [64 * 1024];
    expect(scanXml(writeType(3 * MIB), DEAF, { sizes })).toEqual(READ);
    expect(scanXml(writeType(5 * MIB), DEAF, { sizes })).toEqual({
      root: undefined,
      isAbandoned: true,
    });
  });

  test('reads much of what is short', () => {
    const text = `<a>${'<b c="d">e</b>'.repeat((6 * MIB) / 14)}</a>`;
    expect(scanXml(text, DEAF, { sizes: [64 * 1024] })).toEqual(READ);
  });

  test('takes nothing in any more once it has given up', () => {
    const scanner = new XmlScanner(DEAF);
    expect(scanner.push('<a><b>')).toBe(true);
    expect(scanner.push('<a>'.repeat(1000))).toBe(false);
    expect(scanner.push('</c>')).toBe(false);
    expect(scanner.end(false)).toEqual(ABANDONED);
  });
});

describe('XmlScanner, of what was made to take long', () => {
  const SIZE = 3 * 1024 * 1024;
  const VISITOR = '{ wantsText: true, enter: () => true, write() {}, leave() {} }';

  test.each([
    ['white space', `' '.repeat(${SIZE})`],
    ['text', `'<a>' + 'b'.repeat(${SIZE})`],
    ['a comment without an end', `'<!--' + '- '.repeat(${SIZE / 2})`],
    ['an instruction without an end', `'<?a ' + '?'.repeat(${SIZE})`],
    ['a document type without an end', `'<!DOCTYPE ' + '['.repeat(${SIZE})`],
    ['quotes in a document type', `'<!DOCTYPE a [' + '"\\''.repeat(${SIZE / 2})`],
    ['CDATA without an end', `'<a><![CDATA[' + ']'.repeat(${SIZE})`],
    ['many pieces of CDATA', `'<a>' + '<![CDATA[]]>'.repeat(${SIZE / 12})`],
    ['empty comments', `'<a>' + '<!---->'.repeat(${SIZE / 8})`],
    ['a name without an end', `'<' + 'a:'.repeat(${SIZE / 2})`],
    ['a tag without an end', `'<a ' + 'b '.repeat(${SIZE / 2})`],
    ['a value without an end', `'<a b="' + '&lt;'.repeat(${SIZE / 4})`],
    [
      'many attributes',
      `'<a ' + Array.from({ length: 4e5 }, (_, i) => 'b' + i + '=""').join(' ') + '>'`,
    ],
    ['an entity without an end', `'<a>&' + 'b'.repeat(${SIZE})`],
    ['entities', `'<a>' + '&b;'.repeat(${SIZE / 4})`],
    ['references', `'<a>' + '&#99;'.repeat(${SIZE / 5})`],
    ['elements in elements', `'<a>'.repeat(${SIZE / 4})`],
    ['elements beside elements', `'<a>' + '<b/>'.repeat(${SIZE / 4})`],
  ])('is done with %s', (_, text) => {
    const pieces = `${text}.match(/[^]{1,65536}/g)`;
    const scan = `(scanner) => {
      for (const piece of ${pieces}) if (!scanner.push(piece)) break;
      return typeof scanner.end(false).isAbandoned;
    }`;
    const expression = `(${scan})(new m.XmlScanner(${VISITOR}))`;
    expect(evaluate('scan/content/xml-scanner.ts', expression)).toBe('boolean');
  });
});
