import { describe, expect, test } from '@jest/globals';
import { PLAIN, PARTIAL, ROOT, CYCLONEDX, findFault, inspect } from './xml-contents.ts';

/** A document with this declaration and this tool, a byte for a character. */
function writeBom(encoding: string, tool: string): Buffer {
  const metadata = `<metadata><tools><tool><name>${tool}</name></tool></tools></metadata>`;
  const text = `<?xml version="1.0" encoding=${encoding}?>${ROOT}${metadata}</bom>`;
  return Buffer.from(text, 'latin1');
}

/** A document with a component, and with this in an element beside it. */
function writeAround(text: string): string {
  return `${ROOT}<components><component/></components><x>${text}</x></bom>`;
}

describe('inspectXml, of encodings', () => {
  test.each([
    ['"ISO-8859-1"', 'caf\xe9', 'café'],
    ["'iso-8859-1'", 'caf\xe9', 'café'],
    ['"windows-1252"', '\x80 caf\xe9', '€ café'],
    ['"ISO-8859-15" standalone="yes"', '\xa4', '€'],
    ['"Shift_JIS"', '\x83\x5c', 'ソ'],
    ['"US-ASCII"', 'a', 'a'],
    ['"UTF-8"', 'caf\xc3\xa9', 'café'],
    ['"utf8"', 'caf\xc3\xa9', 'café'],
    ['"no-such-encoding"', 'caf\xe9', 'café'],
    ['"UTF-16"', 'caf\xc3\xa9', 'café'],
    ['"utf-16le"', 'caf\xc3\xa9', 'café'],
    ['"UCS-2"', 'a', 'a'],
    ['"unicode"', 'a', 'a'],
    ['"ISO-10646-UCS-2"', 'a', 'a'],
  ])('reads %s', (encoding, written, tool) => {
    const content = inspect(writeBom(encoding, written));
    expect(content).toEqual({ ...CYCLONEDX, components: 0, tool });
  });

  test('takes the declaration for one only at the beginning', () => {
    const text = Buffer.from(
      '<a><!-- <?xml version="1.0" encoding="ISO-8859-1"?> -->\xe9</a>',
      'latin1',
    );
    expect(findFault(text)).toBe(`is not valid UTF-8 (at byte ${text.length - 5})`);
  });

  test('trusts a byte order mark rather than the declaration', () => {
    const text = writeBom('"ISO-8859-1"', 'caf\xc3\xa9');
    const marked = Buffer.concat([Buffer.from('\ufeff'), text]);
    expect(inspect(marked)).toEqual({ ...CYCLONEDX, components: 0, tool: 'café' });
  });

  test('reads names in other encodings to their end', () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><caf\xe9></caf\xe9>';
    expect(inspect(Buffer.from(text, 'latin1'))).toEqual(PLAIN);
  });

  test('counts bytes, too, where a byte is a character', () => {
    const start = '<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9\xe9</b>';
    expect(findFault(Buffer.from(`${start}</a>`, 'latin1'))).toBe(
      `is not well-formed XML (read up to byte ${start.length})`,
    );
  });
});

describe('inspectXml, of entities', () => {
  test('expands none of a document', () => {
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
    ['entities that it knows nothing of', '&a;'.repeat(1001), '&a;'.repeat(1000)],
    [
      'levels',
      `${'<b>'.repeat(999)}${'</b>'.repeat(999)}`,
      `${'<b>'.repeat(998)}${'</b>'.repeat(998)}`,
    ],
  ])('reads a document with too many %s no further, and counts nothing', (_, many, few) => {
    expect(inspect(`<!DOCTYPE bom>${writeAround(many)}`)).toEqual({
      format: 'cyclonedx',
      syntax: 'xml',
      specVersion: '1.4',
      inspected: 'partial',
    });
    expect(inspect(`<!DOCTYPE bom>${writeAround(few)}`)).toEqual(CYCLONEDX);
  });

  test('says of such a document only what it has read, and whether it is truncated', () => {
    const text = `<!DOCTYPE a><a>${'&b;'.repeat(2000)}`;
    expect(inspect(text)).toEqual({
      ...PARTIAL,
      fault: `is truncated: its XML ends too early, at byte ${text.length}`,
    });
    expect(inspect(`${text}</a>\n<!-- end -->`)).toEqual(PARTIAL);
    const invalid = Buffer.from(`<!DOCTYPE a><a>\xe9${'&b;'.repeat(2000)}</a>`, 'latin1');
    expect(inspect(invalid)).toEqual({ ...PARTIAL, fault: 'is not valid UTF-8 (at byte 15)' });
  });

  test('takes one that nothing could declare for a fault', () => {
    expect(inspect('<a>&b;</a>')).toMatchObject({
      fault: 'is not well-formed XML (read up to byte 6)',
    });
  });
});
