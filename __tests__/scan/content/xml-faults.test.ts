import { describe, expect, test } from '@jest/globals';
import { inspectXml } from '../../../src/scan/content/xml.ts';
import { sampleWhole } from '../fixtures.ts';
import { ROOT, DECLARATION, describeCut, findFault, inspect, inspectEnds } from './xml-contents.ts';

describe('inspectXml, of what is broken', () => {
  test('tells at every byte where XML was cut', async () => {
    const prolog = `${DECLARATION}<?p q?><!DOCTYPE bom [<!ENTITY a "b">]><!-- é -->`;
    const content = '<a b="c\'😀">d&amp;<![CDATA[e]]></a>\r\n<f/><!-- g --><?h i?>';
    const bytes = Buffer.from(`${prolog}${ROOT}${content}</bom>`);
    for (let end = '<?xml '.length; end < bytes.length; end += 1) {
      const cut = await inspect(bytes.subarray(0, end));
      expect([end, cut?.syntax, cut?.fault]).toEqual([end, 'xml', describeCut(end)]);
    }
    expect(await findFault(bytes)).toBeUndefined();
  });

  test('tells what a cut document is, and counts nothing in it', async () => {
    const text = `${ROOT}<components><component/>`;
    expect(await inspect(text)).toEqual({
      format: 'cyclonedx',
      syntax: 'xml',
      specVersion: '1.4',
      inspected: 'whole',
      fault: describeCut(text.length),
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
  ])('counts in bytes where %j is wrong', async (text, first, last) => {
    for (const marked of [text, `\ufeff${text}`]) {
      const shift = Buffer.byteLength(marked) - Buffer.byteLength(text);
      // How far the parser is when it finds a fault depends on the pieces.
      for (const pieceBytes of [1, 2, 3, 7, 100]) {
        const { fault = '' } = (await inspectXml(sampleWhole(marked, pieceBytes))) ?? {};
        expect(fault).toMatch(/^is not well-formed XML \(read up to byte \d+\)$/);
        const offset = Number(/\d+/.exec(fault)?.[0]) - shift;
        expect(offset).toBeGreaterThanOrEqual(first);
        expect(offset).toBeLessThanOrEqual(last);
      }
    }
  });

  test.each([
    '<a b=c></a>',
    '<a b></a>',
    '<a b="1" b="2"></a>',
    '<a b="<"></a>',
    '<!-- a -- b -->',
  ])('takes %s, broken before there is a root element, for no XML', async (text) => {
    expect(await inspect(text)).toBeUndefined();
  });

  test('counts on over pieces, line ends and characters of several bytes', async () => {
    for (const unit of ['a', 'é', '😀', '\r\n', '\r', '<b/>', '&amp;']) {
      const start = `<a>${unit.repeat((20 * 1024) / Buffer.byteLength(unit))}`;
      for (const pieceBytes of [100, 1021, 4096]) {
        const sample = sampleWhole(`${start}<b></c></a>`, pieceBytes);
        const offset = Number(/\d+/.exec((await inspectXml(sample))?.fault ?? '')?.[0]);
        expect([unit, offset - Buffer.byteLength(start)]).toEqual([unit, '<b></c>'.length]);
      }
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
  ])('says where %j is not UTF-8', async (text, offset) => {
    expect(await inspect(Buffer.from(text, 'latin1'))).toMatchObject({
      format: 'xml',
      inspected: 'whole',
      fault: `is not valid UTF-8 (at byte ${offset})`,
    });
  });

  test('names no byte of a head beyond what is wrong, whatever is no UTF-8 before', async () => {
    const head = Buffer.from(`<a>${'\xe9'.repeat(100)}</b>`, 'latin1');
    const fault = (await inspectEnds(head, '</a>'))?.fault ?? '';
    expect(fault).toMatch(/byte \d+/);
    expect(Number(/\d+/.exec(fault)?.[0])).toBeLessThanOrEqual(head.length);
  });
});
