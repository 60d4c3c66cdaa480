import { isUtf8 } from 'node:buffer';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { inspectBytes } from '../../src/formats/inspect-bytes.ts';
import { SMALLEST, writeDocument } from '../support/documents.ts';
import { anyText } from './arbitraries.ts';
import { escapeUnits } from './encodings.ts';

const KNOWN = fc.constantFrom(...Object.values(SMALLEST).flat()).map(writeDocument);
const NAME = fc.oneof(anyText(6), fc.constantFrom('"', '\\', '{', '}', ',', '\\"', '__proto__'));
const FEW = { maxLength: 4, maxKeys: 4 };
const SIMPLE = fc.jsonValue({ maxDepth: 1 });
const INNER = fc.oneof(SIMPLE, fc.dictionary(NAME, SIMPLE, FEW), NAME);
const VALUE = fc.oneof(INNER, fc.array(INNER, FEW));

/** JSON texts, with varying white space and escapes. */
const JSON_TEXT = fc
  .tuple(VALUE, fc.constantFrom('', ' ', '\t', '\r\n '), fc.boolean())
  .map(([value, spaces, isEscaped]) => {
    const text = JSON.stringify(value, null, spaces);
    return isEscaped ? escapeUnits(text, /[\u007f-\uffff]/g) : text;
  });
const PIECE = fc.constantFrom(
  ...'<a> </a> <a /> <!-- --> <? ?> <![CDATA[ ]]> [ > " & é <x:b> </x:b> <!DOCTYPE \r \n \0'.split(
    ' ',
  ),
);
const MARKUP = fc.array(PIECE, { maxLength: 14 }).map((pieces) => `<a>${pieces.join('')}`);
const STREAM = fc.tuple(JSON_TEXT, JSON_TEXT).map((two) => two.join('\n'));
const TEXT = fc.oneof(KNOWN, JSON_TEXT, MARKUP, STREAM);
const BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.constantFrom('', '\ufeff', ' \r\n'), TEXT)
    .map(([before, text]) => Buffer.from(before + text)),
  fc.tuple(TEXT, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([text, at, byte]) => {
    const bytes = Buffer.from(text);
    return bytes.fill(byte, at % bytes.length, (at % bytes.length) + 1);
  }),
);

/** Whether JSON.parse accepts the bytes as strict UTF-8. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

test('inspectBytes agrees with JSON.parse, names the first byte that is not UTF-8, counts nothing malformed', () => {
  fc.assert(
    fc.property(BYTES, (bytes) => {
      const content = inspectBytes(bytes);
      const { format, syntax, invalidByte, components, findings, kind = 'bare' } = content;
      const isWhole = ['bare', 'null', 'scalar', 'error'].includes(kind);
      expect(syntax === 'json' && isWhole && invalidByte === undefined).toBe(isJson(bytes));
      const [before, after] = [0, 4].map((more) => bytes.subarray(0, (invalidByte ?? 0) + more));
      expect(isUtf8(before ?? bytes)).toBe(true);
      expect(invalidByte === undefined || !isUtf8(after ?? bytes)).toBe(true);
      expect(isWhole || (components ?? findings) === undefined).toBe(true);
      expect(syntax === undefined).toBe(['empty', 'unknown'].includes(format));
    }),
    { numRuns: 1500 },
  );
});
