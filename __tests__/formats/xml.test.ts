import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import {
  CYCLONEDX_NAMESPACE,
  LARGE_SIZE,
  findProblem,
  inspect,
  inspectAlone,
  inspectEnds,
} from '../support/documents.ts';

const PLAIN: Content = { format: 'xml', syntax: 'xml', inspected: 'full' };
const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const ROOT = `<bom xmlns="${CYCLONEDX_NAMESPACE}/1.4">`;
const BOM = `${ROOT}<components><component/></components></bom>`;

/** The result of inspecting BOM in a file that is not read to its end. */
const LARGE: Content = { ...PARTIAL, format: 'cyclonedx', specVersion: '1.4' };

/** The result of inspecting BOM. */
const CYCLONEDX: Content = {
  ...LARGE,
  components: 1,
  inspected: 'full',
};

function describeTruncated(size: number): string {
  return `is truncated: its XML ends too early, at byte ${size}`;
}

const MIB = 1024 * 1024;
const WEB_PAGE: Content = { format: 'unknown', inspected: 'full', kind: 'html' };

describe('inspectXml', () => {
  test.each([
    '{"a":"<b></b>"}',
    'a <b></b>',
    '<',
    '< a></a>',
    '</a>',
    '<!-- made by a scanner -->\n# Findings\n\nNone.\n',
    '<a b=c></a>',
    '<Scan report 2026-01-01>\nNo findings\n',
    '<user@example.com> report',
    '<a/b> x',
  ])('does not take %j for XML', (text) => {
    expect(inspect(text).syntax).not.toBe('xml');
  });

  test.each([
    '<HTML lang="en"><body>Sign in</body></HTML>',
    '<html><meta charset=utf-8><p>Sign in<br>',
    `${DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"></html>`,
    '<!-- page -->\n<!DOCTYPE html><html><br></html>',
    '<!doctype HTML>\n<p>',
  ])('takes %s for a web page', (text) => {
    expect(inspect(text)).toEqual(WEB_PAGE);
  });

  test.each([
    '<a>text</a>\n',
    '\n<a b="c" ></a >',
    '<a><html ></html></a>',
    '<a><!-- b --><?c?></a><!-- end --><?end?>',
    '<!DOCTYPE html-report><html-report></html-report>',
    '<a __proto__="b" constructor="c"><__proto__/><constructor/></a>',
    '<a/><!-- </a> --> <!-- - -->\n',
    '<a></a><!-- a --><?b?>\n \n',
    '<a/><?end <? <!-- ?>',
    '<a:\u00e9-1.b\n\u00e9 = "c"\td=\'\'/>',
  ])('takes %j for XML', (text) => {
    expect(inspect(text)).toEqual(PLAIN);
  });

  test.each([
    ['white space', ' \r\n\t'],
    ['a declaration on a line of its own', `${DECLARATION}\r\n`],
    ['a byte order mark', `\ufeff${DECLARATION}`],
    ['instructions', `${DECLARATION}<?xml-stylesheet href="a.xsl"?>\n<?b?>`],
    ['comments', '<!-- a --><!---->\n<!-- <b> -> -->'],
    ['an internal DTD', '<!DOCTYPE bom [<!ENTITY a "]>"> <!ELEMENT c (d)> <!-- ]> --><?e ]>?>]>'],
    ['a comment with a bracket', '<!DOCTYPE bom SYSTEM "a"><!-- [ -->'],
    ['all of them', `${DECLARATION}\n<!-- a -->\n<!DOCTYPE bom>\n<?b c?>\n<!-- d -->\n`],
  ])('recognises a document after %s', (_, prolog) => {
    expect(inspect(`${prolog}${BOM}`)).toEqual(CYCLONEDX);
  });
});

describe('inspectXml of both ends of a large file', () => {
  const TRUNCATED = describeTruncated(LARGE_SIZE);

  test('recognises a document by its head, and detects by its tail that it is truncated', () => {
    const start = `${DECLARATION}${ROOT}<components><compo`;
    expect(inspectEnds(start, 'nt/></components></bom>\n')).toEqual(LARGE);
    expect(inspectEnds(start, '<component>')).toEqual({ ...LARGE, problem: TRUNCATED });
    expect(inspectEnds('text', '</a>').syntax).toBeUndefined();
  });

  test.each(['<a>\r', '<a>é', '<a b="', '<a><![CDATA[', '<a>&am', '<a', '<!-- ', '<!DOCTYPE a ['])(
    'accepts a head that ends anywhere: %j',
    (head) => {
      expect(inspectEnds(head, '</a>')).toEqual(PARTIAL);
    },
  );

  test.each([
    ['<a>', '</a >'],
    ['<a>', `</a>\n<!-- ${'end '.repeat(99)}--> <?end?>`],
    ['<a ', 'b="c"/>'],
    ['<x:a>', '</x:a>'],
    ['<aé>', '</aé>'],
    ['<a>', ''],
    ['<a>', ' \n'],
  ])('reports no problem for %s … %j', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual(PARTIAL);
  });

  test.each([
    ['<a>', '</b>'],
    ['<a>', '</a'],
    ['<a>', '</aa>'],
    ['<a>', '</A>'],
    ['<a>', '</a><!-- -- '],
    ['<a>', '<b> <?end?>'],
    ['<a>', '</a>text'],
  ])('reports %s … %j as truncated', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual({ ...PARTIAL, problem: TRUNCATED });
  });

  test('recognises the closing tag in another encoding', () => {
    const head = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><caf\xe9>', 'latin1');
    expect(inspectEnds(head, Buffer.from('</caf\xe9>', 'latin1'))).toEqual(PARTIAL);
  });

  test('reports a malformed head, and recognises web pages', () => {
    const { problem } = inspectEnds('<a><b></c>', '</a>');
    expect(problem).toBe('is not well-formed XML (at byte 6)');
    const page = inspectEnds('<html><br></p>', '</html>');
    expect(page).toEqual({ ...WEB_PAGE, inspected: 'partial' });
  });
});

describe('inspectXml of a document that is truncated, malformed or not UTF-8', () => {
  test('reports a document that ends at any byte as truncated', () => {
    const prolog = `${DECLARATION}<?p q?><!DOCTYPE bom [<!ENTITY a "b">]><!-- é -->`;
    const content = '<a b="c\'😀">d&amp;<![CDATA[e]]></a>\r\n<f/><!-- g --><?h i?>';
    const bytes = Buffer.from(`${prolog}${ROOT}${content}</bom>`);
    for (let end = '<?xml '.length; end < bytes.length; end += 1) {
      const { syntax, problem } = inspect(bytes.subarray(0, end));
      expect([end, syntax, problem]).toEqual([end, 'xml', describeTruncated(end)]);
    }
    expect(findProblem(bytes)).toBeUndefined();
  });

  test('recognises a truncated document without counting its contents', () => {
    const text = `${ROOT}<components><component/>`;
    expect(inspect(text)).toEqual({
      ...LARGE,
      inspected: 'full',
      problem: describeTruncated(text.length),
    });
  });

  test.each([
    ['<a></b>', 3],
    ['<a><b></a></b>', 6],
    ['<aé><b></aé></b>', 8],
    ['<a></a><b/>', 7],
    ['<a></a>text', 7],
    ['<a>1 < 2</a>', 5],
    ['<a>😀<b></c></a>', 10],
    ['<a>\r\n\r\n</b>', 7],
  ])('reports the byte at which %j is malformed', (text, offset) => {
    for (const marked of [text, `\ufeff${text}`, `\n ${text}`]) {
      const shift = Buffer.byteLength(marked) - Buffer.byteLength(text);
      const problem = `is not well-formed XML (at byte ${offset + shift})`;
      expect(findProblem(marked)).toBe(problem);
    }
  });

  test.each([
    '<a>\xe9</a>',
    '<a></a>\xff',
    '<a></a>\xef\xbf',
    '\xef\xbb\xbf<a>\xc3</a>',
    '<?xml version="1.0"?><a b="\xfc"/>',
  ])('reports that %j is not UTF-8', (text) => {
    const problem = 'is not valid UTF-8';
    expect(inspect(Buffer.from(text, 'latin1'))).toEqual({ ...PLAIN, problem, isMisencoded: true });
  });

  test('reports that a head is not UTF-8 rather than that it is malformed', () => {
    const head = Buffer.from(`<a>${'\xe9'.repeat(100)}</b>`, 'latin1');
    expect(inspectEnds(head, '</a>').problem).toBe('is not valid UTF-8');
  });
});

/** A document with this encoding declaration and this tool, with one byte per character. */
function writeBom(encoding: string, tool: string): Buffer {
  const metadata = `<metadata><tools><tool><name>${tool}</name></tool></tools></metadata>`;
  const text = `<?xml version="1.0" encoding=${encoding}?>${ROOT}${metadata}</bom>`;
  return Buffer.from(text, 'latin1');
}

describe('inspectXml with other encodings', () => {
  test.each([
    ['"ISO-8859-1"', 'caf\xe9', 'café'],
    ['"Shift_JIS" standalone="yes"', '\x80\x5c', '€\\'],
    ['"UTF-8"', 'caf\xc3\xa9', 'café'],
    ['"no-such-encoding"', 'caf\xe9', 'café'],
    ['"UTF-16"', 'caf\xc3\xa9', 'café'],
  ])('decodes %s', (encoding, written, tool) => {
    expect(inspect(writeBom(encoding, written))).toEqual({ ...CYCLONEDX, components: 0, tool });
  });

  test('ignores a declaration that is not at the beginning', () => {
    const comment = '<!-- <?xml version="1.0" encoding="ISO-8859-1"?> -->';
    const text = Buffer.from(`<a>${comment}\xe9</a>`, 'latin1');
    expect(findProblem(text)).toBe('is not valid UTF-8');
  });

  test('prefers a byte order mark to the declaration', () => {
    const text = writeBom('"ISO-8859-1"', 'caf\xc3\xa9');
    const marked = Buffer.concat([Buffer.from('\ufeff'), text]);
    expect(inspect(marked)).toEqual({ ...CYCLONEDX, components: 0, tool: 'café' });
  });

  test('reports a byte offset for an encoding with one byte per character too', () => {
    const start = '<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9\xe9</b>';
    expect(findProblem(Buffer.from(`${start}</a>`, 'latin1'))).toBe(
      `is not well-formed XML (at byte ${start.length - '</b>'.length})`,
    );
  });
});

describe('inspectXml with entities', () => {
  test('does not expand the entities of a document', () => {
    const laughs = Array.from(
      { length: 30 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    const type = `<!DOCTYPE bom [<!ENTITY l0 "lol">${laughs.join('')}<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    const name = '<metadata><tools><tool><name>&l30;&x;</name></tool></tools></metadata>';
    expect(inspect(`${type}${ROOT}${name}</bom>`)).toEqual({
      ...CYCLONEDX,
      components: 0,
      tool: '&l30;&x;',
    });
  });

  test('reads a document with entities that no DTD defines', () => {
    expect(inspect('<a>R&D &b;</a>')).toEqual(PLAIN);
  });
});

function nest(levels: number): string {
  return '<a>'.repeat(levels) + '</a>'.repeat(levels);
}

function writeComponents(count: number, end: string): string {
  return `${ROOT}<components>${'<component/>'.repeat(count)}</components>${end}`;
}

function writeTool(length: number): string {
  return `${ROOT}<metadata><tools><tool><name>${'x'.repeat(length)}</name></tool></tools></metadata></bom>`;
}

describe('inspectXml of documents that are expensive to read', () => {
  test('reads up to a thousand levels', () => {
    expect(inspect(nest(1000))).toEqual(PLAIN);
    expect(inspect(nest(1001))).toEqual(PARTIAL);
    const invalid = Buffer.from(`${nest(1001)}<!-- \xe9 -->`, 'latin1');
    const problem = 'is not valid UTF-8';
    expect(inspect(invalid)).toEqual({ ...PARTIAL, problem, isMisencoded: true });
  });

  test('reads up to 500,000 elements, and counts nothing in a document with more', () => {
    expect(inspect(`<a>${'<b/>'.repeat(499_999)}</a>`)).toEqual(PLAIN);
    const components = 499_990;
    expect(inspect(writeComponents(components, '</bom>'))).toEqual({ ...CYCLONEDX, components });
    expect(inspect(writeComponents(499_999, '</bom>'))).toEqual(LARGE);
    expect(inspect(writeComponents(499_999, '')).problem).toMatch(/^is truncated/);
  });

  test('ignores a long text', () => {
    expect(inspect(writeTool(512)).tool).toHaveLength(512);
    expect(inspect(writeTool(513)).tool).toBeUndefined();
  });

  test('reads long texts, names, values and comments in linear time', () => {
    const texts = [
      `'<a>' + 'b'.repeat(${MIB})`,
      `'<!--' + '- '.repeat(${MIB / 2})`,
      `'<?a ' + '?'.repeat(${MIB})`,
      `'<!DOCTYPE ' + '['.repeat(${MIB})`,
      `'<!DOCTYPE a [' + '"\\''.repeat(${MIB / 2})`,
      `'<a><![CDATA[' + ']'.repeat(${MIB})`,
      `'<' + 'a:'.repeat(${MIB / 2})`,
      `'<a ' + 'b '.repeat(${MIB / 2})`,
      `'<a b="' + '&lt;'.repeat(${MIB / 4})`,
      `'<a ' + Array.from({ length: 4e5 }, (_, i) => 'b' + i + '=""').join(' ') + '>'`,
      `'<a>&' + 'b'.repeat(${MIB})`,
      `'<!DOCTYPE a><a>' + '&b;'.repeat(${MIB / 4})`,
      `'<a>' + '\\r'.repeat(${MIB})`,
      `'<a>'.repeat(${MIB / 4})`,
      `'<a>' + '<b/>'.repeat(${MIB / 4})`,
      `'<a>' + Array.from({ length: 4e5 }, (_, i) => '<b' + i + '/>').join('') + '</a>'`,
      `'<a' + ' b'.repeat(${MIB / 2}) + '='`,
    ];
    expect(inspectAlone(texts)).toBe(texts.length);
  });
});
