import { describe, expect, test } from '@jest/globals';
import { inspectEnds } from '../support/documents.ts';
import { DECLARATION, ROOT, describeTruncated, findFault, inspect } from './xml-contents.ts';

describe('inspectXml, of what is broken', () => {
  test('finds XML truncated at every byte, and says how much there is', () => {
    const prolog = `${DECLARATION}<?p q?><!DOCTYPE bom [<!ENTITY a "b">]><!-- é -->`;
    const content = '<a b="c\'😀">d&amp;<![CDATA[e]]></a>\r\n<f/><!-- g --><?h i?>';
    const bytes = Buffer.from(`${prolog}${ROOT}${content}</bom>`);
    for (let end = '<?xml '.length; end < bytes.length; end += 1) {
      const truncated = inspect(bytes.subarray(0, end));
      expect([end, truncated?.syntax, truncated?.fault]).toEqual([
        end,
        'xml',
        describeTruncated(end),
      ]);
    }
    expect(findFault(bytes)).toBeUndefined();
  });

  test('says what a truncated document is, and counts nothing in it', () => {
    const text = `${ROOT}<components><component/>`;
    expect(inspect(text)).toEqual({
      format: 'cyclonedx',
      syntax: 'xml',
      specVersion: '1.4',
      inspected: 'full',
      fault: describeTruncated(text.length),
    });
  });

  test.each([
    ['<a></b>', 3, 7],
    ['<a></A>', 3, 7],
    ['<a><b></a></b>', 6, 10],
    ['<aé><b></aé></b>', 7, 14],
    ['<a></a>text', 7, 11],
    ['<a></a><b/>', 7, 11],
    ['<r><a b=c></a>', 8, 9],
    ['<r><a b></a>', 7, 8],
    ['<r><a b="1" b="2"></a>', 12, 19],
    ['<r><a b="<"></a>', 9, 10],
    ['<a>]]></a>', 3, 6],
    ['<a>\u0001</a>', 3, 4],
    ['<a>\ufffe</a>', 3, 6],
    ['<a>&#0;</a>', 3, 7],
    ['<a>& b;</a>', 3, 7],
    ['<a>R&D <b>x</b></a>', 4, 19],
    ['<a>R & D</a>', 4, 12],
    ['<a>R &</a>\n', 4, 11],
    ['<a><b/>&</a><!-- end -->', 7, 24],
    ['<a><!-- -- --></a>', 3, 11],
    ['<a><1/></a>', 3, 5],
    ['<a><!bogus-declaration></a>', 3, 14],
    ['<a>😀<b></c></a>', 10, 14],
    ['<a>\r\n\r\n</b>', 7, 11],
    [`<a/>${DECLARATION}`, 4, 10],
  ])('counts in bytes where %j is wrong', (text, first, last) => {
    for (const marked of [text, `\ufeff${text}`, `\n ${text}`]) {
      const shift = Buffer.byteLength(marked) - Buffer.byteLength(text);
      const fault = findFault(marked) ?? '';
      expect(fault).toMatch(/^is not well-formed XML \(read up to byte \d+\)$/);
      const offset = Number(/\d+/.exec(fault)?.[0]) - shift;
      expect(offset).toBeGreaterThanOrEqual(first);
      expect(offset).toBeLessThanOrEqual(last);
    }
  });

  test.each([
    '<a b=c></a>',
    '<a b></a>',
    '<a b="1" b="2"></a>',
    '<a b="<"></a>',
    '<!-- a -- b -->',
  ])('does not take %s, broken before there is a root element, for XML', (text) => {
    expect(inspect(text)).toMatchObject({ kind: 'text' });
  });

  test('counts line ends and characters of several bytes', () => {
    for (const unit of ['a', 'é', '😀', '\r\n', '\r', '<b/>', '&amp;']) {
      const start = `<a>${unit.repeat(1000)}`;
      const offset = Number(/\d+/.exec(findFault(`${start}<b></c></a>`) ?? '')?.[0]);
      expect([unit, offset - Buffer.byteLength(start)]).toEqual([unit, '<b></c>'.length]);
    }
  });

  test.each([
    ['<a>\xe9</a>', 3],
    ['<a></a>\xff', 7],
    ['<a></a>\n<!-- end -->\xff', 20],
    ['<a></a>\xef\xbf', 7],
    ['<a>\xef\xbf</a>', 3],
    ['\xef\xbb\xbf<a>\xc3</a>', 6],
    ['<?xml version="1.0"?><a b="\xfc"/>', 27],
  ])('says where %j is not UTF-8', (text, offset) => {
    expect(inspect(Buffer.from(text, 'latin1'))).toMatchObject({
      format: 'xml',
      inspected: 'full',
      fault: `is not valid UTF-8 (at byte ${offset})`,
    });
  });

  test('says of a head that it is not UTF-8 rather than not well-formed', () => {
    const head = Buffer.from(`<a>${'\xe9'.repeat(100)}</b>`, 'latin1');
    expect(inspectEnds(head, '</a>').fault).toBe('is not valid UTF-8 (at byte 3)');
  });
});
