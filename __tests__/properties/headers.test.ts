import { validateHeaderName, validateHeaderValue } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Header } from '../../src/service/settings.ts';
import { parseHeaderName, parseHeaders } from '../../src/inputs/headers.ts';
import { isFieldValue } from '../../src/text.ts';
import { SECRET } from '../support/inputs.ts';
import { CODE_POINT, anyCase, anyText, characterOf } from './arbitraries.ts';
import { tryRead } from './try-read.ts';
import type { Reading } from './try-read.ts';

/** Names that the action or node:http sets, and names of framing headers. */
const RESERVED =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|expect|upgrade|te|trailer|accept-encoding|proxy-.*|traceparent)$/i;

const TOKEN_CHARACTERS =
  "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const NAME = fc.oneof(
  fc.string({ unit: characterOf(TOKEN_CHARACTERS), minLength: 1, maxLength: 12 }),
  fc.constantFrom('Authorization', 'X-Key', 'Cookie', 'Accept', '__proto__', 'constructor'),
);
const LATIN1 = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));
const VALUE = fc.oneof(
  fc.string({ unit: LATIN1, maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  anyText(),
);
const LINE = fc.oneof(
  fc.tuple(NAME, fc.constantFrom(': ', ':', ' : '), VALUE).map((pieces) => pieces.join('')),
  anyText(),
  fc.constantFrom('', ' ', ':', ': ', 'a', 'a:', ':a'),
);
const INPUT = fc
  .array(fc.tuple(LINE, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 6 })
  .map((lines) => lines.flat().join(''));

function parse(text: string, tokenHeader?: string): Reading<readonly Header[]> {
  return tryRead(() => parseHeaders(text, tokenHeader));
}

function isTaken(take: () => unknown): boolean {
  try {
    take();
    return true;
  } catch {
    return false;
  }
}

describe('parseHeaders', () => {
  test('accepts what node:http can send, each name once and none reserved, or names the invalid lines', () => {
    fc.assert(
      fc.property(INPUT, fc.option(NAME, { nil: undefined }), (text, tokenHeader) => {
        const { value: headers = [], problems } = parse(text, tokenHeader);
        for (const { name, value } of headers) {
          expect(() => validateHeaderName(name)).not.toThrow();
          expect(() => validateHeaderValue(name, value)).not.toThrow();
          expect(value).toBe(value.trim() || 'not empty');
        }
        const names = headers.map(({ name }) => name.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
        expect(names.filter((name) => RESERVED.test(name))).toEqual([]);
        expect(names).not.toContain(tokenHeader?.toLowerCase());
        const lines = problems.map((problem) => /^`headers`, line ([1-9]\d*): /.exec(problem)?.[1]);
        expect(lines).not.toContain(undefined);
        expect(new Set(lines).size).toBe(lines.length);
      }),
      { numRuns: 600 },
    );
  });

  test('never shows a value in a message', () => {
    const line = fc
      .tuple(NAME, VALUE, VALUE)
      .map(([name, ...values]) => `${name}: ${values.join(SECRET).replace(/[\r\n]/g, '')}`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), NAME, (lines, tokenHeader) => {
        expect(parse(lines.join('\n'), tokenHeader).problems.join(' ')).not.toContain(SECRET);
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseHeaderName and isFieldValue', () => {
  test('accept what node:http accepts, unless it is reserved or empty', () => {
    const anyName = fc.oneof(NAME, NAME.chain(anyCase), anyText(8));
    const anyValue = fc.oneof(VALUE, fc.string({ unit: CODE_POINT }));
    fc.assert(
      fc.property(anyName, anyValue, (name, value) => {
        expect(isTaken(() => parseHeaderName('token-header', name))).toBe(
          isTaken(() => validateHeaderName(name)) && !RESERVED.test(name),
        );
        const isSendable = value !== '' && isTaken(() => validateHeaderValue('a', value));
        expect(isFieldValue(value)).toBe(isSendable);
      }),
      { numRuns: 400 },
    );
  });
});
