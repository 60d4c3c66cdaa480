import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../../src/scan/content/content.ts';
import { SAMPLE_SIZE } from '../fixtures.ts';
import {
  PLAIN,
  ENDS,
  WEB_PAGE,
  ROOT,
  BOM,
  CYCLONEDX,
  DECLARATION,
  describeCut,
  inspect,
  inspectEnds,
} from './xml-contents.ts';

describe('inspectXml', () => {
  test.each([
    '',
    ' \n',
    'text',
    '{"a":"<b></b>"}',
    'a <b></b>',
    '<',
    '< a></a>',
    '<1></1>',
    '</a>',
    '<>',
    '%PDF-1.7',
    '<!-- made by a scanner -->\n# Findings\n\nNone.\n',
  ])('says nothing of %j', async (text) => {
    expect(await inspect(text)).toBeUndefined();
  });

  test.each([
    '<html></html>',
    '<HTML lang="en"><body>Sign in</body></HTML>',
    '<html><meta charset=utf-8><p>Sign in<br>',
    `${DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"></html>`,
    '<!-- page --><html></html>',
    '<!-- page -->\n<!DOCTYPE html><html><br></html>',
  ])('takes %s for a web page', async (text) => {
    expect(await inspect(text)).toEqual(WEB_PAGE);
  });

  test.each(['<!DOCTYPE html><html></html>', '<!doctype HTML>\n<p>'])(
    'leaves the web page %s to others',
    async (text) => {
      expect(await inspect(text)).toBeUndefined();
    },
  );

  test.each([
    '<a></a>',
    '<a>text</a>\n',
    '\n<a b="c" ></a >',
    '<a b="c"/>',
    '<a b="é > \'"/>',
    '<a/>',
    '<html-report></html-report>',
    '<a><html ></html></a>',
    '<a><!-- <!doctype b> --></a>',
    '<a><!-- b --><?c?></a><!-- end --><?end?>',
    '<!DOCTYPE html-report><html-report></html-report>',
    '<report-2.x_y></report-2.x_y>',
    '<x:a xmlns:x="urn:x"></x:a>',
    '<x:a></x:a>',
    '<aé></aé>',
    '<a __proto__="b" constructor="c"><__proto__/><constructor/></a>',
    '<a><![CDATA[<b>&c;]]]></a>',
  ])('takes %s for XML', async (text) => {
    expect(await inspect(text)).toEqual(PLAIN);
  });

  test.each([
    ['white space', ' \r\n\t'],
    ['a declaration', DECLARATION],
    ['a declaration on a line of its own', `${DECLARATION}\r\n`],
    ['a byte order mark', `\ufeff${DECLARATION}`],
    ['instructions', `${DECLARATION}<?xml-stylesheet href="a.xsl"?>\n<?b?>`],
    ['comments', '<!-- a --><!---->\n<!-- <b> -> -->'],
    ['a document type', '<!DOCTYPE bom>'],
    ['an external one', '<!DOCTYPE bom SYSTEM "bom.dtd">'],
    ['an internal one', '<!DOCTYPE bom [<!ENTITY a "]>"> <!ELEMENT c (d)> <!-- ]> --><?e ]>?>]>'],
    ['an internal one that leads elsewhere', '<!DOCTYPE bom [<!ENTITY a SYSTEM "/etc/passwd">] >'],
    ['one with brackets after it', '<!DOCTYPE bom SYSTEM "a"><!-- [ -->'],
    ['all of them', `${DECLARATION}\n<!-- a -->\n<!DOCTYPE bom>\n<?b c?>\n<!-- d -->\n`],
  ])('reads past %s', async (_, prolog) => {
    expect(await inspect(`${prolog}${BOM}`)).toEqual(CYCLONEDX);
    expect(await inspect(`${prolog}<a></a>`)).toEqual(PLAIN);
  });

  test.each([
    '\n',
    '<!-- end -->',
    '<!-- </a> --> <!-- - -->\n',
    '<?end?>',
    '<!-- a --><?b?>\n \n',
    '<?end <? <!-- ?>',
  ])('reads past what may stand behind the end: %j', async (epilog) => {
    expect(await inspect(`<a></a>${epilog}`)).toEqual(PLAIN);
    expect(await inspect(`<a/>${epilog}`)).toEqual(PLAIN);
  });
});

describe('inspectXml, of the ends of a large file', () => {
  const CUT = describeCut(SAMPLE_SIZE);
  const LARGE: Content = {
    format: 'cyclonedx',
    syntax: 'xml',
    specVersion: '1.4',
    inspected: 'ends',
  };

  test('tells what it is by its head, and by its tail whether it is whole', async () => {
    const start = `${DECLARATION}${ROOT}<components><compo`;
    expect(await inspectEnds(start, 'nt/></components></bom>\n')).toEqual(LARGE);
    expect(await inspectEnds(start, '<component>')).toEqual({ ...LARGE, fault: CUT });
    expect(await inspectEnds('text', '</a>')).toBeUndefined();
  });

  test.each(['<a>\r', '<a>é', '<a b="', '<a><![CDATA[', '<a>&am', '<a', '<!-- ', '<!DOCTYPE a ['])(
    'minds no head that ends anywhere: %j',
    async (head) => {
      expect(await inspectEnds(head, '</a>')).toEqual(ENDS);
    },
  );

  test('minds no head that ends inside a character', async () => {
    for (let end = 4; end < 8; end += 1) {
      const head = Buffer.from('<a>😀').subarray(0, end);
      expect(await inspectEnds(head, '</a>')).toEqual(ENDS);
    }
  });

  test.each([
    ['<a>', '</a>'],
    ['<a>', '</a >'],
    ['<a>', '</a>\n<!-- end --> <?end?>'],
    ['<a ', 'b="c"/>'],
    ['<x:a>', '</x:a>'],
    ['<aé>', '</aé>'],
  ])('knows the end of %s in %j', async (head, tail) => {
    expect(await inspectEnds(head, tail)).toEqual(ENDS);
  });

  test.each([
    ['<a>', '</b>'],
    ['<a>', '</a'],
    ['<a>', '</aa>'],
    ['<aa>', '</a>'],
    ['<a>', '</A>'],
    ['<a>', '</a><!-- -- '],
    ['<a>', '<b> <?end?>'],
    ['<a>', '</a>text'],
  ])('says that %s … %j is cut', async (head, tail) => {
    expect(await inspectEnds(head, tail)).toEqual({ ...ENDS, fault: CUT });
  });

  test.each(['', ' \n', '-->', '<!-- </a> -->', '?>', 'a ?>\n<!-- b -->'])(
    'minds no end that is out of sight: %j',
    async (tail) => {
      expect(await inspectEnds('<a>', tail)).toEqual(ENDS);
    },
  );

  test('finds what is broken in the head, and knows web pages', async () => {
    expect((await inspectEnds('<a><b></c>', '</a>'))?.fault).toBe(
      'is not well-formed XML (read up to byte 10)',
    );
    expect(await inspectEnds('<html><br></p>', '</html>')).toEqual({
      ...WEB_PAGE,
      inspected: 'ends',
    });
  });
});
