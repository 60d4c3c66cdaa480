import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { LARGE_SIZE, inspectEnds } from '../support/documents.ts';
import {
  PLAIN,
  PARTIAL,
  WEB_PAGE,
  ROOT,
  BOM,
  CYCLONEDX,
  DECLARATION,
  describeTruncated,
  inspect,
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
  ])('does not take %j for XML', (text) => {
    expect(inspect(text).syntax).not.toBe('xml');
  });

  test.each([
    '<html></html>',
    '<HTML lang="en"><body>Sign in</body></HTML>',
    '<html><meta charset=utf-8><p>Sign in<br>',
    `${DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"></html>`,
    '<!-- page --><html></html>',
    '<!-- page -->\n<!DOCTYPE html><html><br></html>',
    '<!DOCTYPE html><html></html>',
    '<!doctype HTML>\n<p>',
  ])('takes %s for a web page', (text) => {
    expect(inspect(text)).toEqual(WEB_PAGE);
  });

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
  ])('takes %s for XML', (text) => {
    expect(inspect(text)).toEqual(PLAIN);
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
  ])('reads past %s', (_, prolog) => {
    expect(inspect(`${prolog}${BOM}`)).toEqual(CYCLONEDX);
    expect(inspect(`${prolog}<a></a>`)).toEqual(PLAIN);
  });

  test.each([
    '\n',
    '<!-- end -->',
    '<!-- </a> --> <!-- - -->\n',
    '<?end?>',
    '<!-- a --><?b?>\n \n',
    '<?end <? <!-- ?>',
  ])('reads past what may stand behind the end: %j', (epilog) => {
    expect(inspect(`<a></a>${epilog}`)).toEqual(PLAIN);
    expect(inspect(`<a/>${epilog}`)).toEqual(PLAIN);
  });
});

describe('inspectXml, of the ends of a large file', () => {
  const TRUNCATED = describeTruncated(LARGE_SIZE);
  const LARGE: Content = {
    format: 'cyclonedx',
    syntax: 'xml',
    specVersion: '1.4',
    inspected: 'partial',
  };

  test('says what it is by its head, and by its tail whether it is whole', () => {
    const start = `${DECLARATION}${ROOT}<components><compo`;
    expect(inspectEnds(start, 'nt/></components></bom>\n')).toEqual(LARGE);
    expect(inspectEnds(start, '<component>')).toEqual({ ...LARGE, fault: TRUNCATED });
    expect(inspectEnds('text', '</a>').syntax).toBeUndefined();
  });

  test.each(['<a>\r', '<a>é', '<a b="', '<a><![CDATA[', '<a>&am', '<a', '<!-- ', '<!DOCTYPE a ['])(
    'accepts a head that ends anywhere: %j',
    (head) => {
      expect(inspectEnds(head, '</a>')).toEqual(PARTIAL);
    },
  );

  test('accepts a head that ends inside a character', () => {
    for (let end = 4; end < 8; end += 1) {
      const head = Buffer.from('<a>😀').subarray(0, end);
      expect(inspectEnds(head, '</a>')).toEqual(PARTIAL);
    }
  });

  test.each([
    ['<a>', '</a>'],
    ['<a>', '</a >'],
    ['<a>', '</a>\n<!-- end --> <?end?>'],
    ['<a ', 'b="c"/>'],
    ['<x:a>', '</x:a>'],
    ['<aé>', '</aé>'],
  ])('knows the end of %s in %j', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual(PARTIAL);
  });

  test('knows the end in another encoding', () => {
    const head = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><caf\xe9>', 'latin1');
    expect(inspectEnds(head, Buffer.from('</caf\xe9>', 'latin1'))).toEqual(PARTIAL);
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
  ])('finds %s … %j truncated', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual({ ...PARTIAL, fault: TRUNCATED });
  });

  test.each(['', ' \n'])('finds nothing wrong where white space hides the end: %j', (tail) => {
    expect(inspectEnds('<a>', tail)).toEqual(PARTIAL);
  });

  test('finds what is broken in the head, and knows web pages', () => {
    expect(inspectEnds('<a><b></c>', '</a>').fault).toBe(
      'is not well-formed XML (read up to byte 10)',
    );
    expect(inspectEnds('<html><br></p>', '</html>')).toEqual({
      ...WEB_PAGE,
      inspected: 'partial',
    });
  });
});
