import { describe, expect, test } from '@jest/globals';
import { readXml } from '../../src/formats/xml-tree.ts';
import type { XmlReading } from '../../src/formats/xml-tree.ts';
import { evaluate } from '../support/evaluate.ts';

const MIB = 1024 * 1024;

function judge(text: string): Omit<XmlReading, 'document'> {
  const { document: _document, ...reading } = readXml(text, false);
  return reading;
}

function writeAttributes(count: number): string {
  return Array.from({ length: count }, (_, index) => ` b${index}=""`).join('');
}

const READ = { root: 'a', fault: undefined, isOverfull: false, isAbandoned: false };

describe('readXml of documents that are expensive to read', () => {
  test('truncates a long text', () => {
    const piece = 'x'.repeat(1000);
    const { document } = readXml(`<a>${`${piece}<b/>`.repeat(50)}</a>`, false);
    expect(document.children[0]?.text.length).toBeLessThan(3000);
  });

  test.each([
    ['attributes', (count: number) => `<a><c${writeAttributes(count)}/></a>`],
    ['undefined entities', (count: number) => `<!DOCTYPE a><a>${'&b;'.repeat(count)}</a>`],
    ['levels', (count: number) => `${'<a>'.repeat(count)}${'</a>'.repeat(count)}`],
  ])('reads up to a thousand %s', (_, write) => {
    expect(judge(write(1000))).toEqual(READ);
    expect(judge(write(1001))).toEqual({ ...READ, isAbandoned: true });
  });

  test('limits the attributes of one element, not of all', () => {
    expect(judge(`<a>${`<c${writeAttributes(600)}/>`.repeat(3)}</a>`)).toEqual(READ);
  });
});

describe('readXml of 1 MiB of hostile text', () => {
  test.each([
    ['text', `'<a>' + 'b'.repeat(${MIB})`],
    ['an unclosed comment', `'<!--' + '- '.repeat(${MIB / 2})`],
    ['an unclosed instruction', `'<?a ' + '?'.repeat(${MIB})`],
    ['an unclosed document type', `'<!DOCTYPE ' + '['.repeat(${MIB})`],
    ['quotes in a document type', `'<!DOCTYPE a [' + '"\\''.repeat(${MIB / 2})`],
    ['unclosed CDATA', `'<a><![CDATA[' + ']'.repeat(${MIB})`],
    ['an unclosed name', `'<' + 'a:'.repeat(${MIB / 2})`],
    ['an unclosed tag', `'<a ' + 'b '.repeat(${MIB / 2})`],
    ['an unclosed value', `'<a b="' + '&lt;'.repeat(${MIB / 4})`],
    [
      'many attributes',
      `'<a ' + Array.from({ length: 4e5 }, (_, i) => 'b' + i + '=""').join(' ') + '>'`,
    ],
    ['an unclosed entity', `'<a>&' + 'b'.repeat(${MIB})`],
    ['entities', `'<!DOCTYPE a><a>' + '&b;'.repeat(${MIB / 4})`],
    ['line ends', `'<a>' + '\\r'.repeat(${MIB})`],
    ['elements in elements', `'<a>'.repeat(${MIB / 4})`],
    ['elements beside elements', `'<a>' + '<b/>'.repeat(${MIB / 4})`],
  ])('reads %s in linear time', (_, text) => {
    const expression = `typeof m.readXml(${text}, false).isAbandoned`;
    expect(evaluate('formats/xml-tree.ts', expression)).toBe('boolean');
  });
});
