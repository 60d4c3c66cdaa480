import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import {
  CYCLONEDX_NAMESPACE,
  LARGE_SIZE,
  findProblem,
  inspect,
  inspectAlone,
  inspectEnds,
  latin1,
  mark,
} from '../support/documents.ts';

const PLAIN: Content = { format: 'xml', syntax: 'xml', inspected: 'full' };
const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const ROOT = `<bom xmlns="${CYCLONEDX_NAMESPACE}/1.4">`;
const BOM = `${ROOT}<components><component/></components></bom>`;

/** The result of inspecting BOM in a file that is not read to its end. */
const LARGE: Content = { ...PARTIAL, format: 'cyclonedx', specVersion: '1.4' };

const CYCLONEDX: Content = { ...LARGE, components: 1, inspected: 'full' };
const MISENCODED = { problem: 'is not valid UTF-8', isMisencoded: true } as const;

function describeTruncated(size: number): string {
  return `is truncated: its XML ends too early, at byte ${size}`;
}

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
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>',
    '<!-- page -->\n<!DOCTYPE html><html><br></html>',
    '<!doctype HTML>\n<p>',
  ])('takes for a web page %j', (text) => {
    expect(inspect(text)).toEqual(WEB_PAGE);
  });

  test.each([
    '<a>text</a>\n',
    '\n<a b="c" ></a >',
    '<a><html ></html></a>',
    '<!DOCTYPE html-report><html-report></html-report>',
    '<a __proto__="b" constructor="c"><__proto__/><constructor/></a>',
    '<a/><!-- </a> --> <!-- - -->\n',
    '<a/><?end <? <!-- ?>',
    '<a:\u00e9-1.b\n\u00e9 = "c"\td=\'\'/>',
  ])('takes %j for XML', (text) => {
    expect(inspect(text)).toEqual(PLAIN);
  });

  test.each([
    ' \r\n\t',
    `${DECLARATION}\r\n`,
    `\ufeff${DECLARATION}`,
    '<!DOCTYPE bom SYSTEM "a"><!-- [ -->',
    `${DECLARATION}\n<!-- a -->\n<!DOCTYPE bom>\n<?b c?>\n<!-- d -->\n`,
  ])('recognises a document after prolog %#', (prolog) => {
    expect(inspect(`${prolog}${BOM}`)).toEqual(CYCLONEDX);
  });
});

describe('inspectXml of both ends of a large file', () => {
  const START = `${DECLARATION}${ROOT}<components><compo`;
  const TRUNCATED = { ...PARTIAL, problem: describeTruncated(LARGE_SIZE) };
  const malformed = (offset: number): Content => ({
    ...PARTIAL,
    problem: `is not well-formed XML (at byte ${offset})`,
  });

  test.each<[string, string, Content]>([
    [START, 'nt/></components></bom>\n', LARGE],
    [START, '<component>', { ...LARGE, problem: describeTruncated(LARGE_SIZE) }],
    // A head may end anywhere.
    ...'<a>\r|<a>é|<a b="|<a><![CDATA[|<a>&am|<a|<!-- |<!DOCTYPE a ['
      .split('|')
      .map((head): [string, string, Content] => [head, '</a>', PARTIAL]),
    ['<a>', '</a >', PARTIAL],
    ['<a>', `</a>\n<!-- ${'end '.repeat(99)}--> <?end?>`, PARTIAL],
    ['<a ', 'b="c"/>', PARTIAL],
    ['<x:a>', '</x:a>', PARTIAL],
    ['<aé>', '</aé>', PARTIAL],
    ['<a>', '', PARTIAL],
    ['<a>', ' \n', PARTIAL],
    ['<a>', '</b>', TRUNCATED],
    ['<a>', '</a', TRUNCATED],
    ['<a>', '</aa>', TRUNCATED],
    ['<a>', '</A>', TRUNCATED],
    ['<a>', '</a><!-- -- ', TRUNCATED],
    ['<a>', '<b> <?end?>', TRUNCATED],
    ['<a>', '</a>text', TRUNCATED],
    ['<a><b></c>', '</a>', malformed(6)],
    ['<html><br></p>', '</html>', { ...WEB_PAGE, inspected: 'partial' }],
    ['text', '</a>', { format: 'unknown', kind: 'text', inspected: 'partial' }],
  ])('recognises head and tail %#', (head, tail, content) => {
    expect(inspectEnds(head, tail)).toEqual(content);
  });

  test('recognises the closing tag in another encoding', () => {
    const head = latin1('<?xml version="1.0" encoding="ISO-8859-1"?><caf\xe9>');
    expect(inspectEnds(head, latin1('</caf\xe9>'))).toEqual(PARTIAL);
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
    // Its contents are not counted.
    const text = `${ROOT}<components><component/>`;
    const problem = describeTruncated(text.length);
    expect(inspect(text)).toEqual({ ...LARGE, inspected: 'full', problem });
  });

  test.each([
    ['<aé><b></aé></b>', 8],
    ['<a>😀<b></c></a>', 10],
    ['<a>\r\n\r\n</b>', 7],
  ])('reports the byte at which %j is malformed', (text, offset) => {
    for (const marked of [text, `\ufeff${text}`, `\n ${text}`]) {
      const shift = Buffer.byteLength(marked) - Buffer.byteLength(text);
      expect(findProblem(marked)).toBe(`is not well-formed XML (at byte ${offset + shift})`);
    }
  });

  test.each([
    '<a>\xe9</a>',
    '<a></a>\xff',
    '<a></a>\xef\xbf',
    '\xef\xbb\xbf<a>\xc3</a>',
    '<?xml version="1.0"?><a b="\xfc"/>',
    // A declaration that is not at the beginning is none.
    '<a><!-- <?xml version="1.0" encoding="ISO-8859-1"?> -->\xe9</a>',
  ])('reports that %j is not UTF-8', (text) => {
    expect(inspect(latin1(text))).toEqual({ ...PLAIN, ...MISENCODED });
    // Rather than that it is malformed.
    expect(inspectEnds(latin1(`<a>${'\xe9'.repeat(100)}</b>`), '</a>')).toMatchObject(MISENCODED);
  });
});

/** A document with this encoding declaration and this tool, with one byte per character. */
function writeBom(encoding: string, tool: string, end = '</bom>'): Buffer {
  const metadata = `<metadata><tools><tool><name>${tool}</name></tool></tools></metadata>`;
  return latin1(`<?xml version="1.0" encoding=${encoding}?>${ROOT}${metadata}${end}`);
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

  test('prefers a byte order mark, and reports a byte offset with one byte per character too', () => {
    const marked = Buffer.concat([mark(''), writeBom('"ISO-8859-1"', 'caf\xc3\xa9')]);
    expect(inspect(marked)).toEqual({ ...CYCLONEDX, components: 0, tool: 'café' });
    const wrong = writeBom('"ISO-8859-1"', 'caf\xe9', '</b>');
    const problem = `is not well-formed XML (at byte ${wrong.length - '</b>'.length})`;
    expect(findProblem(wrong)).toBe(problem);
  });
});

describe('inspectXml of documents that are expensive to read', () => {
  // How many levels and elements: xml-tags.test.ts.
  test('counts nothing in a document with too many levels, of which it reads the beginning', () => {
    const start = `${ROOT}<components><component/></components>${'<a>'.repeat(1001)}`;
    const whole = `${start}${'</a>'.repeat(1001)}</bom>`;
    expect(inspect(whole)).toEqual(LARGE);
    const problem = describeTruncated(start.length);
    expect(inspect(start)).toEqual({ ...LARGE, problem });
    expect(inspect(latin1(`${whole}<!-- \xe9 -->`))).toEqual({ ...LARGE, ...MISENCODED });
  });

  test.each([
    [65_000, 'cyclonedx'],
    [65_536, 'xml'],
  ])('takes a root with its namespace after an attribute of %i bytes for %s', (size, format) => {
    const text = `<bom a="${'x'.repeat(size)}" xmlns="${CYCLONEDX_NAMESPACE}/1.4"></bom>`;
    expect(inspect(text).format).toBe(format);
  });

  test('reads long names, values and prologs in linear time', () => {
    const texts = [
      `'<?a ' + '?'.repeat(n)`,
      `'<' + 'a:'.repeat(n)`,
      `'<a ' + 'b '.repeat(n)`,
      `'<a b="' + '&lt;'.repeat(n)`,
      `'<a ' + Array.from({ length: n }, (_, i) => 'b' + i + '=""').join(' ') + '>'`,
      `'<a>' + Array.from({ length: n }, (_, i) => '<b' + i + '/>').join('') + '</a>'`,
      `'<a' + ' b'.repeat(n) + '='`,
    ];
    expect(inspectAlone(texts, 200_000)).toBe(texts.length);
  });
});
