import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isLoopback, parseBaseUrl } from '../../src/inputs/base-url.ts';
import { OPERATIONS, locateOperation } from '../../src/service/operations.ts';
import { SECRET } from '../support/inputs.ts';
import { HOST, PORT, anyCase, anyText, insertedInto } from './arbitraries.ts';
import { tryRead } from './try-read.ts';

const SCHEME = fc.constantFrom('https://', 'http://').chain(anyCase);
const SEGMENT = fc.oneof(
  fc.webSegment(),
  fc.constantFrom('tenant', 'a%20b', '%2e%2e', '..', '.', '', 'mail@home', ':', 'a;b=c,d', 'ü'),
);
const PREFIX = fc
  .array(SEGMENT, { maxLength: 5 })
  .map((segments) => segments.map((segment) => `/${segment}`).join(''));

/** A valid base URL, as an author may write it. */
const WRITTEN = fc.tuple(SCHEME, HOST, PORT, PREFIX).map((pieces) => pieces.join(''));

/** Base URLs, and texts that resemble one. */
const ANY = fc.oneof(
  anyText(),
  WRITTEN,
  WRITTEN.chain((text) => insertedInto(text, anyText(6))),
  fc
    .tuple(WRITTEN, fc.constantFrom('user@', 'user:pass@', ':@'))
    .map(([text, user]) => text.replace('//', `//${user}`)),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  anyText(12).map((rest) => `https://${rest}`),
);

function parse(text: string, allowHttp = true): URL | undefined {
  return tryRead(() => parseBaseUrl(text, allowHttp)).value;
}

describe('parseBaseUrl', () => {
  test('accepts only http(s), a host and a path, which prefixes every operation', () => {
    fc.assert(
      fc.property(ANY, fc.boolean(), (text, allowHttp) => {
        const url = parse(text, allowHttp);
        if (url === undefined) return;
        expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
        expect(url.host).not.toBe('');
        expect(url.href).toBe(`${url.protocol}//${url.host}${url.pathname}`);
        const isPlain = url.protocol === 'http:' && (allowHttp || isLoopback(url.hostname));
        expect(isPlain || url.protocol === 'https:').toBe(true);
        expect(parse(url.href)?.href).toBe(url.href);
        const prefix = url.pathname === '/' ? '' : url.pathname;
        for (const operation of OPERATIONS) {
          const { href } = locateOperation(url, operation);
          expect(href).toBe(`${url.origin}${prefix}/v1/scanner/${operation.name}`);
        }
      }),
      { numRuns: 750 },
    );
  });

  test('never repeats the text in a message', () => {
    const secretive = fc.oneof(
      ANY.chain((text) => insertedInto(text, fc.constant(SECRET))),
      ANY.map((text) => `https://user:${SECRET}@${text}`),
      ANY.map((text) => `${SECRET}://${text}`),
    );
    fc.assert(
      fc.property(secretive, fc.boolean(), (text, allowHttp) => {
        const { problems } = tryRead(() => parseBaseUrl(text, allowHttp));
        expect(problems.join()).not.toContain(SECRET);
      }),
      { numRuns: 750 },
    );
  });
});
