import { validateHeaderName, validateHeaderValue } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { InputError } from '../../src/errors.ts';
import type { Header } from '../../src/inputs/headers.ts';
import { parseHeaderName, parseHeaders } from '../../src/inputs/headers.ts';
import { isFieldValue } from '../../src/text.ts';
import { SECRET } from '../support/inputs.ts';
import { anyCase, anyText, characterOf } from './arbitraries.ts';

const RESERVED = [
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'accept-encoding',
  'proxy-authorization',
  'proxy-connection',
  'traceparent',
] as const;

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
const TOKEN_HEADER = fc.option(NAME, { nil: undefined });
const LINE = fc.oneof(
  fc.tuple(NAME, fc.constantFrom(': ', ':', ' : '), VALUE).map((pieces) => pieces.join('')),
  anyText(),
  fc.constantFrom('', ' ', ':', ': ', 'a', 'a:', ':a'),
);
const INPUT = fc
  .array(fc.tuple(LINE, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 6 })
  .map((lines) => lines.flat().join(''));

/** The headers, or the problems that were told instead. Fails for any other error. */
function tryParse(
  text: string,
  tokenHeader: string | undefined,
): { readonly headers: readonly Header[]; readonly problems: readonly string[] } {
  try {
    return { headers: parseHeaders(text, tokenHeader), problems: [] };
  } catch (error) {
    if (error instanceof InputError) return { headers: [], problems: error.problems };
    throw error;
  }
}

describe('headers that are taken', () => {
  test('can be sent by node:http, each once, none of them reserved', () => {
    fc.assert(
      fc.property(INPUT, TOKEN_HEADER, (text, tokenHeader) => {
        const { headers } = tryParse(text, tokenHeader);
        for (const { name, value } of headers) {
          expect(() => validateHeaderName(name)).not.toThrow();
          expect(() => validateHeaderValue(name, value)).not.toThrow();
          expect(value).toBe(value.trim());
          expect(value).not.toBe('');
        }
        const names = headers.map(({ name }) => name.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
        expect(RESERVED.filter((name) => names.includes(name))).toEqual([]);
        expect(names).not.toContain(tokenHeader?.toLowerCase());
      }),
      { numRuns: 1250 },
    );
  });

  test('are those that were written, in order', () => {
    const value = fc.string({ unit: LATIN1, minLength: 1 }).filter((text) => text === text.trim());
    const written = fc.uniqueArray(fc.tuple(NAME, value.filter(isFieldValue)), {
      selector: ([name]) => name.toLowerCase(),
      maxLength: 6,
    });
    fc.assert(
      fc.property(written, (pairs) => {
        fc.pre(!pairs.some(([name]) => isReserved(name)));
        const text = pairs.map((pair) => pair.join(': ')).join('\n');
        const headers = pairs.map(([name, content]) => ({ name, value: content }));
        expect(tryParse(text, undefined)).toEqual({ headers, problems: [] });
      }),
      { numRuns: 400 },
    );
  });

  test('have values that node:http takes, and no other single line has one', () => {
    fc.assert(
      fc.property(fc.oneof(VALUE, fc.string({ unit: 'binary' })), (value) => {
        const isSendable = value !== '' && isTaken(() => validateHeaderValue('a', value));
        expect(isFieldValue(value)).toBe(isSendable);
      }),
      { numRuns: 750 },
    );
  });
});

describe('headers that are refused', () => {
  const reserved = fc.oneof(
    fc.constantFrom(...RESERVED),
    NAME.map((name) => `content-${name}`),
    NAME.map((name) => `proxy-${name}`),
  );

  test('are reserved in any case, whatever stands beside them', () => {
    fc.assert(
      fc.property(reserved.chain(anyCase), VALUE, INPUT, (name, value, others) => {
        const line = `${name}: ${value}`.replace(/[\r\n]/g, ' ');
        const { headers, problems } = tryParse(`${others}\n${line}`, undefined);
        expect(headers).toEqual([]);
        expect(problems.at(-1)).toContain(`${name} must not be set`);
        expect(() => parseHeaderName('token-header', name)).toThrow(InputError);
      }),
      { numRuns: 400 },
    );
  });

  test('carry the token, in any case', () => {
    const cased = NAME.chain((name) => fc.tuple(anyCase(name), anyCase(name)));
    fc.assert(
      fc.property(cased, ([name, tokenHeader]) => {
        expect(tryParse(`${name}: a`, tokenHeader).headers).toEqual([]);
      }),
    );
  });

  test('never show a value in a message', () => {
    const line = fc
      .tuple(NAME, VALUE, VALUE)
      .map(
        ([name, before, after]) =>
          `${name}: ${`${before}${SECRET}${after}`.replace(/[\r\n]/g, '')}`,
      );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), NAME, (lines, tokenHeader) => {
        const { problems } = tryParse(lines.join('\n'), tokenHeader);
        expect(problems.join(' ')).not.toContain(SECRET);
      }),
      { numRuns: 500 },
    );
  });

  test('have one problem each, that names its line', () => {
    fc.assert(
      fc.property(INPUT, TOKEN_HEADER, (text, tokenHeader) => {
        const { problems } = tryParse(text, tokenHeader);
        const lines = problems.map((problem) => /^headers, line (\d+): /.exec(problem)?.[1]);
        expect(lines.every((line) => Number(line) >= 1)).toBe(true);
        expect(new Set(lines).size).toBe(lines.length);
      }),
      { numRuns: 250 },
    );
  });
});

describe('parseHeaderName', () => {
  test('takes what node:http takes, unless it is reserved', () => {
    fc.assert(
      fc.property(fc.oneof(NAME, NAME.chain(anyCase), anyText(8)), (name) => {
        expect(isTaken(() => parseHeaderName('token-header', name))).toBe(
          isTaken(() => validateHeaderName(name)) && !isReserved(name),
        );
      }),
      { numRuns: 500 },
    );
  });
});

function isTaken(take: () => unknown): boolean {
  try {
    take();
    return true;
  } catch {
    return false;
  }
}

function isReserved(name: string): boolean {
  return (
    RESERVED.some((reserved) => reserved === name.toLowerCase()) ||
    /^(?:content|proxy)-/i.test(name)
  );
}
