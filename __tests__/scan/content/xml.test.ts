import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../../src/scan/content/content.ts';
import { inspectXml } from '../../../src/scan/content/xml.ts';
import { sampleEnds, sampleWhole } from '../fixtures.ts';

const PLAIN: Content = { format: 'xml', syntax: 'xml' };
const NAMESPACE = 'http://cyclonedx.org/schema/bom';
const BOM = `<bom xmlns="${NAMESPACE}/1.4"><components/></bom>`;
const CYCLONEDX: Content = { format: 'cyclonedx', syntax: 'xml', specVersion: '1.4' };
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

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
  ])('says nothing of %j', (text) => {
    expect(inspectXml(sampleWhole(text))).toBeUndefined();
  });

  test.each([
    '<html></html>',
    '<HTML lang="en"><body>Sign in</body></HTML>',
    '<!DOCTYPE html><html><head></head></html>',
    '<!doctype HTML>\n<!-- page -->\n<html></html>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html xmlns="http://www.w3.org/1999/xhtml"></html>',
    `${DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"></html>`,
  ])('takes the web page %s for no XML', (text) => {
    expect(inspectXml(sampleWhole(text))).toBeUndefined();
  });

  test.each([
    '<a></a>',
    '<a>text</a>\n',
    '<a b="c" ></a >',
    '<a b="c"/>',
    '<a />',
    '<a/>',
    '<html-report></html-report>',
    '<a><html ></html></a>',
    '<a><!-- <!doctype b> --></a>',
    '<a><!-- b --><?c?></a><!-- end --><?end?>',
    '<!DOCTYPE html-report><html-report></html-report>',
    '<report-2.x_y></report-2.x_y>',
    '<x:a xmlns:x="urn:x"></x:a>',
    '<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.2.5.xsd"></analysis>',
    '<bom></bom>',
    '<bom xmlns="urn:other"></bom>',
    `<other xmlns="${NAMESPACE}/1.4"></other>`,
    `<bom xmlns:x="${NAMESPACE}/1.4"></bom>`,
    `<x:bom xmlns="${NAMESPACE}/1.4"></x:bom>`,
    `<bom version="xmlns=${NAMESPACE}/1.4"></bom>`,
    `<a>${BOM}</a>`,
  ])('takes %s for XML', (text) => {
    expect(inspectXml(sampleWhole(text))).toEqual(PLAIN);
  });

  test.each([
    BOM,
    `<bom\n  version="1"\n  xmlns = '${NAMESPACE}/1.4'\n></bom>`,
    `<bom serialNumber="it's" xmlns="${NAMESPACE}/1.4"/>`,
    `<c:bom xmlns:c="${NAMESPACE}/1.4"></c:bom>`,
    `<c.1-x:bom xmlns="urn:other" xmlns:c.1-x="${NAMESPACE}/1.4"></c.1-x:bom>`,
    `<!DOCTYPE bom><bom note="[]" xmlns="${NAMESPACE}/1.4"></bom>`,
    `<bom note="a > b" xmlns="${NAMESPACE}/1.4"></bom>`,
  ])('knows CycloneDX: %s', (text) => {
    expect(inspectXml(sampleWhole(text))).toEqual(CYCLONEDX);
  });

  test.each(['1.0', '1.4', '1.6', '2.0'])('tells version %s', (version) => {
    const text = `<bom xmlns="${NAMESPACE}/${version}"></bom>`;
    expect(inspectXml(sampleWhole(text))).toMatchObject({ specVersion: version });
  });

  test.each([
    ['white space', ' \r\n\t'],
    ['a declaration', DECLARATION],
    ['a declaration on a line of its own', `${DECLARATION}\n`],
    ['instructions', `${DECLARATION}<?xml-stylesheet href="a.xsl"?>\n<?b?>`],
    ['comments', '<!-- a --><!---->\n<!-- <b> -> -- > -->'],
    ['a document type', '<!DOCTYPE bom>'],
    ['an external one', '<!DOCTYPE bom SYSTEM "bom.dtd">'],
    ['an internal one', '<!DOCTYPE bom [<!ENTITY a "b"> <!ELEMENT c (d)>]>'],
    ['an internal one that leads elsewhere', '<!DOCTYPE bom [<!ENTITY a SYSTEM "/etc/passwd">] >'],
    ['an internal one with brackets after it', '<!DOCTYPE bom SYSTEM "a"><!-- [ -->'],
    ['all of them', `${DECLARATION}\n<!-- a -->\n<!DOCTYPE bom>\n<?b c?>\n<!-- d -->\n`],
  ])('reads past %s', (_, prolog) => {
    expect(inspectXml(sampleWhole(`${prolog}${BOM}`))).toEqual(CYCLONEDX);
    expect(inspectXml(sampleWhole(`${prolog}<a></a>`))).toEqual(PLAIN);
  });

  test.each([
    '\n',
    '<!-- end -->',
    '<!-- </a> --> <!-- - -->\n',
    '<?end?>',
    '<!-- a --><?b?>\n \n',
  ])('reads past what may stand behind the end: %j', (epilog) => {
    expect(inspectXml(sampleWhole(`<a></a>${epilog}`))).toEqual(PLAIN);
  });

  test.each([
    ['<a>', '</a>'],
    ['<a><b></b>', '</a>'],
    ['<a></b>', '</a>'],
    ['<a></a', '</a>'],
    ['<a></', '</a>'],
    ['<a></aa>', '</a>'],
    ['<aa></a>', '</aa>'],
    ['<a></A>', '</a>'],
    ['<x:a></a>', '</x:a>'],
    ['<a><!-- </a> -->', '</a>'],
    ['<a></a><!-- -- ', '</a>'],
    ['<a>-->', '</a>'],
    ['<a>?>', '</a>'],
    ['<a><b/', '</a>'],
    ['<a></a>text', '</a>'],
  ])('says that %s is cut', (text, tag) => {
    expect(inspectXml(sampleWhole(text))).toEqual({
      ...PLAIN,
      fault: `is cut off: the closing ${tag} is missing`,
    });
  });

  test('tells a cut CycloneDX document', () => {
    expect(inspectXml(sampleWhole(BOM.slice(0, -1)))).toEqual({
      ...CYCLONEDX,
      fault: 'is cut off: the closing </bom> is missing',
    });
  });

  test('tells at every place behind the root element that XML was cut', () => {
    const start = `<bom xmlns="${NAMESPACE}/1.4">`;
    for (let end = start.length; end < BOM.length; end += 1) {
      const cut = BOM.slice(0, end);
      expect([cut, inspectXml(sampleWhole(cut))?.fault]).toEqual([
        cut,
        'is cut off: the closing </bom> is missing',
      ]);
    }
  });

  test.each([
    ['behind the declaration', `${DECLARATION}\n`],
    ['in a comment', `${DECLARATION}<!-- a`],
    ['in an instruction', `${DECLARATION}<?xml-stylesheet href`],
    ['in the document type', `${DECLARATION}<!DOCTYPE bom [<!ENTITY a`],
    ['behind the document type', `${DECLARATION}<!DOCTYPE bom>`],
    ['in the name of the root element', `${DECLARATION}<bo`],
    ['in the attributes of the root element', `${DECLARATION}<bom xmlns="${NAMESPACE}`],
  ])('tells that XML was cut %s', (_, text) => {
    expect(inspectXml(sampleWhole(text))).toEqual({
      ...PLAIN,
      fault: 'is cut off: it has no whole root element',
    });
  });

  test('looks at the ends of a large file', () => {
    const start = `${DECLARATION}<bom xmlns="${NAMESPACE}/1.4"><components>`;
    expect(inspectXml(sampleEnds(start, '</components></bom>\n'))).toEqual(CYCLONEDX);
    expect(inspectXml(sampleEnds(start, '<component>'))).toEqual({
      ...CYCLONEDX,
      fault: 'is cut off: the closing </bom> is missing',
    });
    expect(inspectXml(sampleEnds('<a>', '</a>'))).toEqual(PLAIN);
    expect(inspectXml(sampleEnds('text', '</a>'))).toBeUndefined();
  });
});

describe('inspectXml, of what was made to take long', () => {
  const SIZE = 4 * 1024 * 1024;

  test.each([
    ['white space', ' '.repeat(SIZE)],
    ['white space before the root', `${' '.repeat(SIZE)}<a></a>`],
    ['a comment without an end', `<!--${'-'.repeat(SIZE)}`],
    ['an instruction without an end', `<?${'?'.repeat(SIZE)}`],
    ['a document type without an end', `<!DOCTYPE ${'['.repeat(SIZE)}`],
    ['document types', '<!DOCTYPE >'.repeat(SIZE / 11)],
    ['empty comments', '<!---->'.repeat(SIZE / 7)],
    ['starts of comments', '<!-- '.repeat(SIZE / 5)],
    ['a name without an end', `<${'a'.repeat(SIZE)}`],
    ['a name of colons', `<${'a:'.repeat(SIZE / 2)}`],
    ['a name of dots', `<a${'.'.repeat(SIZE)}`],
    ['a tag without an end', `<a ${'b '.repeat(SIZE / 2)}`],
  ])('is done with %s', (_, text) => {
    expect(inspectXml(sampleWhole(text))?.format).not.toBe('cyclonedx');
  });

  test.each([
    ['letters', 'a'],
    ['equals signs', '='],
    ['quotes', '"'],
    ['attributes without values', 'a='],
    ['white space', ' '],
    ['colons', ':'],
    ['white space behind names', 'a '],
  ])('is done with %s among the attributes', (_, text) => {
    const attributes = text.repeat(60_000 / text.length);
    expect(inspectXml(sampleWhole(`<bom ${attributes}></bom>`))).toEqual(PLAIN);
  });

  test.each([
    ['ends of comments', '-->'],
    ['empty comments', '<!---->'],
    ['ends of instructions', '?>'],
    ['empty instructions', '<??>'],
    ['both', '<!----><??>'],
    ['white space', ' '],
    ['end tags', '</b>'],
  ])('is done with %s at the end', (_, text) => {
    const tail = text.repeat(SIZE / text.length);
    expect(inspectXml(sampleEnds('<a>', tail))).toEqual({
      ...PLAIN,
      fault: 'is cut off: the closing </a> is missing',
    });
  });
});
