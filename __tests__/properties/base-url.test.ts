import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { InputError } from '../../src/errors.ts';
import { isLoopback, parseBaseUrl } from '../../src/inputs/base-url.ts';
import { locateOperation } from '../../src/service/operations.ts';
import { getOperation } from '../support/plans.ts';
import { SECRET } from '../support/inputs.ts';
import { anyCase, anyText, characterOf, insertedInto } from './arbitraries.ts';

const OPERATION = fc.constantFrom('upload-file', 'upload-multiple-files');
const HOST = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom('localhost', 'LOCALHOST', '127.0.0.1', '[::1]', 'host', 'bücher.example'),
);
const PORT = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
);
const SEGMENT = fc.oneof(
  fc.webSegment(),
  fc.constantFrom('tenant', 'a%20b', '%2e%2e', '..', '.', '', 'mail@home', ':', 'a;b=c,d', 'ü'),
);
const PREFIX = fc
  .array(SEGMENT, { maxLength: 5 })
  .map((segments) => segments.map((segment) => `/${segment}`).join(''));

/** A base URL in all its parts, as an author may write one. */
const WRITTEN = fc
  .tuple(fc.constantFrom('https://', 'http://').chain(anyCase), HOST, PORT, PREFIX)
  .map(([scheme, host, port, prefix]) => ({ authority: `${scheme}${host}${port}`, prefix }));

/** What comes near an address, and what does not. */
const ANY = fc.oneof(
  anyText(),
  WRITTEN.map(({ authority, prefix }) => authority + prefix),
  WRITTEN.chain(({ authority, prefix }) => insertedInto(authority + prefix, anyText(6))),
  WRITTEN.chain(({ authority, prefix }) =>
    fc
      .constantFrom('user@', 'user:pass@', ':@')
      .map((user) => authority.replace('//', `//${user}`) + prefix),
  ),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  anyText(12).map((rest) => `https://${rest}`),
);

/** The URL, or undefined where the text was refused. Fails for any other error. */
function tryParse(text: string, allowHttp: boolean): URL | undefined {
  try {
    return parseBaseUrl(text, allowHttp);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** What is thrown, in words; empty where nothing is. */
function readMessage(action: () => unknown): string {
  try {
    action();
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('a base URL that is taken', () => {
  test('has http(s), a host and a path, and nothing else', () => {
    fc.assert(
      fc.property(ANY, fc.boolean(), (text, allowHttp) => {
        const url = tryParse(text, allowHttp);
        if (url === undefined) return;
        expect(['http:', 'https:']).toContain(url.protocol);
        expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
        expect(url.host).not.toBe('');
        expect(url.href).toBe(`${url.protocol}//${url.host}${url.pathname}`);
        const isSafe = allowHttp || url.protocol === 'https:' || isLoopback(url.hostname);
        expect(isSafe).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  test('is what the author wrote: same host, same prefix', () => {
    fc.assert(
      fc.property(WRITTEN, ({ authority, prefix }) => {
        const parsed = URL.parse(authority + prefix);
        const url = tryParse(authority + prefix, true);
        expect(url?.origin).toBe(parsed?.origin);
        expect(url?.pathname).toBe(parsed?.pathname.replace(/(?<=.)\/+$|^\/+$/, '') || '/');
      }),
      { numRuns: 750 },
    );
  });

  test('is taken again as it was written down', () => {
    fc.assert(
      fc.property(ANY, (text) => {
        const url = tryParse(text, true);
        if (url === undefined) return;
        expect(tryParse(url.href, true)?.href).toBe(url.href);
      }),
      { numRuns: 500 },
    );
  });

  test('is where every operation lies, below its prefix', () => {
    fc.assert(
      fc.property(ANY, OPERATION, (text, operation) => {
        const base = tryParse(text, true);
        if (base === undefined) return;
        const url = locateOperation(base, getOperation(operation));
        const prefix = base.pathname === '/' ? '' : base.pathname;
        expect(url.href).toBe(`${base.origin}${prefix}/v1/scanner/${operation}`);
        expect(new URL(url.href).href).toBe(url.href);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a base URL that is refused', () => {
  const forbidden = fc.oneof(
    characterOf(' \t\n\r\v\f\0\\'),
    fc.constantFrom('\u00a0', '\u2028', '\u200b', '\u202e', '\u0085', '\ufeff'),
    fc.integer({ min: 0, max: 0x20 }).map((code) => String.fromCharCode(code)),
    fc.integer({ min: 0x7f, max: 0xa0 }).map((code) => String.fromCharCode(code)),
  );

  test('has white space, a control character or a backslash anywhere', () => {
    const spoilt = WRITTEN.chain(({ authority, prefix }) =>
      insertedInto(authority + prefix, forbidden),
    );
    fc.assert(
      fc.property(spoilt, fc.boolean(), (text, allowHttp) => {
        expect(tryParse(text, allowHttp)).toBeUndefined();
      }),
      { numRuns: 750 },
    );
  });

  test('has an @ in its authority', () => {
    const user = fc.oneof(
      fc.webAuthority({ withUserInfo: false }),
      fc.string({ unit: 'grapheme' }),
      fc.tuple(fc.domain(), fc.domain()).map((pieces) => pieces.join(':')),
    );
    const text = fc.tuple(fc.constantFrom('https://', 'HTTP://'), user, HOST, PREFIX);
    fc.assert(
      fc.property(text, ([scheme, before, host, prefix]) => {
        fc.pre(!/[/?#]/.test(before));
        expect(tryParse(`${scheme}${before}@${host}${prefix}`, true)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('has a query or a fragment, be it empty', () => {
    const end = fc.tuple(
      fc.constantFrom('?', '#'),
      fc.oneof(fc.constant(''), fc.webQueryParameters()),
    );
    fc.assert(
      fc.property(WRITTEN, end, ({ authority, prefix }, [mark, rest]) => {
        expect(tryParse(`${authority}${prefix}${mark}${rest}`, true)).toBeUndefined();
      }),
    );
  });

  test('is never repeated in the message', () => {
    const secretive = fc.oneof(
      ANY.chain((text) => insertedInto(text, fc.constant(SECRET))),
      ANY.map((text) => `https://user:${SECRET}@${text}`),
      ANY.map((text) => `${SECRET}://${text}`),
    );
    fc.assert(
      fc.property(secretive, fc.boolean(), (text, allowHttp) => {
        expect(readMessage(() => parseBaseUrl(text, allowHttp))).not.toContain(SECRET);
      }),
      { numRuns: 750 },
    );
  });
});
