import { describe, expect, test } from '@jest/globals';
import { listReadings } from '../../src/redaction/escapes.ts';

/** The readings of a text besides the text as it is. */
function listUndone(text: string): readonly string[] {
  const [asIs, ...others] = listReadings(text);
  expect(asIs).toEqual({
    text,
    starts: Array.from({ length: text.length + 1 }, (_, index) => index),
  });
  return others.map((reading) => reading.text);
}

describe('listReadings', () => {
  test.each([
    ['escapes of JSON', String.raw`\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\udd11`, '"\\/\b\f\n\r\tAé🔑'],
    ['numbers in any case', String.raw`\u004a\u004A\x4a\x4A`, 'JJJJ'],
    ['escapes of other languages', String.raw`\'\x27\u{1f511}\x{e9}\047\$\?`, "''🔑é'$?"],
    ['a number that is too long only as a part', String.raw`\u00411\x411\0471`, "A1A1'1"],
    ['a backslash before a line break', '\\\n', '\n'],
    ['percent signs', '%41%e9%E9%u00e9%uD83D%uDD11', 'Aééé🔑'],
    ['references with numbers', '&#65;&#065;&#x41;&#X41;&#x1F511;&#65 &#x41 ', 'AAAA🔑A A '],
    ['references with names', '&amp;&sol;&Eacute;&eacute;&frac12;&sup1;&AMP;', '&/Éé½¹&'],
  ])('undoes %s', (_, text, plain) => {
    expect(listUndone(text)).toEqual([plain]);
  });

  test.each([
    ['each kind alone', String.raw`\/%2F&sol;`, ['/%2F&sol;', '\\//&sol;', '\\/%2F/']],
    [
      'each escape once',
      String.raw`\\u0041 %2541 &amp;amp;`,
      [
        String.raw`\u0041 %2541 &amp;amp;`,
        String.raw`\\u0041 %41 &amp;amp;`,
        String.raw`\\u0041 %2541 &amp;`,
      ],
    ],
  ])('undoes %s', (_, text, readings) => {
    expect(listUndone(text)).toEqual(readings);
  });

  test.each([
    'a+b',
    '% %4 %4g %u00e',
    '& &; &#; &#x; &amp &unknown; &Amp; &#1114112; &#x110000; &constructor;',
    '\\',
  ])('undoes nothing in %j', (text) => {
    expect(listUndone(text)).toEqual([]);
  });

  test('drops only the backslash of an escape that is not whole', () => {
    expect(listUndone(String.raw`\u00e \x4 \u{110000} \xg \47 \400`)).toEqual([
      String.raw`u00e x4 \u{110000} xg 47 400`,
    ]);
  });

  test('says where each character begins', () => {
    expect(listReadings('a&#x1F511;%41b')).toMatchObject([
      {},
      { text: 'a&#x1F511;Ab', starts: [...Array(11).keys(), 13, 14] },
      { text: 'a🔑%41b', starts: [0, 1, 1, 10, 11, 12, 13, 14] },
    ]);
  });
});
