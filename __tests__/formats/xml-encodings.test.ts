import { describe, expect, test } from '@jest/globals';
import { findProblem, inspect } from '../support/documents.ts';
import { CYCLONEDX, LARGE, PARTIAL, ROOT, describeTruncated } from './xml-documents.ts';

/** A document with this encoding declaration and this tool, with one byte per character. */
function writeBom(encoding: string, tool: string): Buffer {
  const metadata = `<metadata><tools><tool><name>${tool}</name></tool></tools></metadata>`;
  const text = `<?xml version="1.0" encoding=${encoding}?>${ROOT}${metadata}</bom>`;
  return Buffer.from(text, 'latin1');
}

/** A document with a component and another element that contains this. */
function writeAround(text: string): string {
  return `${ROOT}<components><component/></components><x>${text}</x></bom>`;
}

describe('inspectXml with other encodings', () => {
  test.each([
    ['"ISO-8859-1"', 'caf\xe9', 'café'],
    ['"windows-1252"', '\x80 caf\xe9', '€ café'],
    ['"ISO-8859-15" standalone="yes"', '\xa4', '€'],
    ['"Shift_JIS"', '\x83\x5c', 'ソ'],
    ['"UTF-8"', 'caf\xc3\xa9', 'café'],
    ['"no-such-encoding"', 'caf\xe9', 'café'],
    ['"UTF-16"', 'caf\xc3\xa9', 'café'],
    ['"utf-16le"', 'caf\xc3\xa9', 'café'],
    ['"UCS-2"', 'a', 'a'],
  ])('decodes %s', (encoding, written, tool) => {
    expect(inspect(writeBom(encoding, written))).toEqual({ ...CYCLONEDX, components: 0, tool });
  });

  test('ignores a declaration that is not at the beginning', () => {
    const comment = '<!-- <?xml version="1.0" encoding="ISO-8859-1"?> -->';
    const text = Buffer.from(`<a>${comment}\xe9</a>`, 'latin1');
    expect(findProblem(text)).toBe(`is not valid UTF-8 (at byte ${text.length - 5})`);
  });

  test('prefers a byte order mark to the declaration', () => {
    const text = writeBom('"ISO-8859-1"', 'caf\xc3\xa9');
    const marked = Buffer.concat([Buffer.from('\ufeff'), text]);
    expect(inspect(marked)).toEqual({ ...CYCLONEDX, components: 0, tool: 'café' });
  });

  test('reports a byte offset for an encoding with one byte per character too', () => {
    const start = '<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9\xe9</b>';
    expect(findProblem(Buffer.from(`${start}</a>`, 'latin1'))).toBe(
      `is not well-formed XML (read up to byte ${start.length})`,
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

  test.each([
    ['undefined entities', '&a;'.repeat(1001), '&a;'.repeat(1000)],
    [
      'levels',
      `${'<b>'.repeat(999)}${'</b>'.repeat(999)}`,
      `${'<b>'.repeat(998)}${'</b>'.repeat(998)}`,
    ],
  ])('stops reading a document with too many %s, and counts nothing', (_, many, few) => {
    expect(inspect(`<!DOCTYPE bom>${writeAround(many)}`)).toEqual(LARGE);
    expect(inspect(`<!DOCTYPE bom>${writeAround(few)}`)).toEqual(CYCLONEDX);
  });

  test('reports that a document with too many entities is truncated or not UTF-8', () => {
    const text = `<!DOCTYPE a><a>${'&b;'.repeat(2000)}`;
    expect(inspect(text)).toEqual({ ...PARTIAL, problem: describeTruncated(text.length) });
    expect(inspect(`${text}</a>\n<!-- end -->`)).toEqual(PARTIAL);
    const invalid = Buffer.from(`<!DOCTYPE a><a>\xe9${'&b;'.repeat(2000)}</a>`, 'latin1');
    expect(inspect(invalid)).toEqual({ ...PARTIAL, problem: 'is not valid UTF-8 (at byte 15)' });
  });

  test('reports an undefined entity in a document without a DTD', () => {
    expect(findProblem('<a>&b;</a>')).toBe('is not well-formed XML (read up to byte 6)');
  });
});
