import { describe, expect, test } from '@jest/globals';
import { readXml } from '../../src/formats/xml-tree.ts';
import type { XmlElement, XmlReading } from '../../src/formats/xml-tree.ts';
import { evaluate } from '../support/evaluate.ts';

const MIB = 1024 * 1024;

/** An element as nested lists: its name, its text, its children. */
type Outline = readonly [string, string, ...Outline[]];

function outline({ name, text, children }: XmlElement): Outline {
  return [name, text, ...children.map(outline)];
}

function read(text: string): Outline {
  return outline(readXml(text, false).document);
}

function judge(text: string, isHead = false): Omit<XmlReading, 'document'> {
  const { document: _document, ...reading } = readXml(text, isHead);
  return reading;
}

function writeAttributes(count: number): string {
  return Array.from({ length: count }, (_, index) => ` b${index}=""`).join('');
}

const READ = { root: 'a', fault: undefined, isOverfull: false, isAbandoned: false };

describe('readXml', () => {
  test('keeps the root, its namespace, elements and texts', () => {
    expect(read('<a xmlns="urn:a"> <c> d&lt;<![CDATA[&]]> </c><e b="f"/></a>')).toEqual([
      '',
      '',
      ['a', ' ', ['@xmlns', 'urn:a'], ['c', ' d<& '], ['e', '']],
    ]);
  });

  test('keeps elements of another namespace without their names', () => {
    const foreign = '<x:c xmlns:x="urn:x"><e/></x:c><c xmlns="urn:x"/><x:y:c/>';
    expect(read(`<a xmlns="urn:a">${foreign}<d/></a>`)).toEqual([
      '',
      '',
      ['a', '', ['@xmlns', 'urn:a'], ['', '', ['e', '']], ['', ''], ['', ''], ['d', '']],
    ]);
  });

  test('keeps names without the prefix of the root', () => {
    expect(read('<x:a xmlns:x="urn:x"><x:b/><b/><x:c xmlns:x="urn:y"/></x:a>')).toEqual([
      '',
      '',
      ['a', '', ['@xmlns', 'urn:x'], ['b', ''], ['', ''], ['', '']],
    ]);
  });

  test('keeps only the beginning of a long text', () => {
    const piece = 'x'.repeat(1000);
    const { document } = readXml(`<a>${`${piece}<b/>`.repeat(50)}</a>`, false);
    expect(document.children[0]?.text.length).toBeLessThan(3000);
  });

  test.each<[string, Partial<XmlReading>]>([
    ['<a', { root: undefined }],
    ['<a>', {}],
    ['<a/>', {}],
    ['<a>\r', {}],
    ['<x:a><b>', { root: 'x:a' }],
  ])('finds nothing wrong with the head %j', (text, reading) => {
    expect(judge(text, true)).toEqual({ ...READ, ...reading });
  });

  test.each([
    ['<a><b></a>', 10, false],
    ['<a>', 3, true],
    ['<a><![CDATA[', 12, true],
    ['', 0, true],
  ])('says where %j stops being XML, and whether that shows only at its end', (text, ...rest) => {
    const [position, isAtEnd] = rest;
    expect(readXml(text, false).fault).toEqual({ position, isAtEnd });
  });
});

describe('readXml, of what costs too much', () => {
  test.each([
    ['attributes', (count: number) => `<a><c${writeAttributes(count)}/></a>`],
    ['undefined entities', (count: number) => `<!DOCTYPE a><a>${'&b;'.repeat(count)}</a>`],
    ['levels', (count: number) => `${'<a>'.repeat(count)}${'</a>'.repeat(count)}`],
  ])('reads up to a thousand %s', (_, write) => {
    expect(judge(write(1000))).toEqual(READ);
    expect(judge(write(1001))).toEqual({ ...READ, isAbandoned: true });
  });

  test('counts the attributes of each element by themselves', () => {
    expect(judge(`<a>${`<c${writeAttributes(600)}/>`.repeat(3)}</a>`)).toEqual(READ);
  });

  test('keeps 500,000 elements, and reads on beyond them', () => {
    const most = `<a>${'<b/>'.repeat(499_999)}`;
    expect(judge(`${most}</a>`)).toEqual(READ);
    const { document, ...reading } = readXml(`${most}<c/></a>`, false);
    expect(reading).toEqual({ ...READ, isOverfull: true });
    expect(document.children[0]?.children.at(-1)?.name).toBe('b');
    expect(judge(`${most}<c/></d>`)).toMatchObject({
      isOverfull: true,
      fault: { position: most.length + 8, isAtEnd: false },
    });
  });
});

describe('readXml, of what was made to take long', () => {
  const SIZE = MIB;

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
    ['entities', `'<!DOCTYPE a><a>' + '&b;'.repeat(${SIZE / 4})`],
    ['references', `'<a>' + '&#99;'.repeat(${SIZE / 5})`],
    ['line ends', `'<a>' + '\\r'.repeat(${SIZE})`],
    ['elements in elements', `'<a>'.repeat(${SIZE / 4})`],
    ['elements beside elements', `'<a>' + '<b/>'.repeat(${SIZE / 4})`],
  ])('is done with %s', (_, text) => {
    const expression = `typeof m.readXml(${text}, false).isAbandoned`;
    expect(evaluate('formats/xml-tree.ts', expression)).toBe('boolean');
  });
});
