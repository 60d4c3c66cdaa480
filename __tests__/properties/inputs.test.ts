import { validateHeaderName, validateHeaderValue } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { isLoopback, parseBaseUrl } from '../../src/inputs/base-url.ts';
import { readCredential } from '../../src/inputs/credential.ts';
import { parseHeaderName, parseHeaders } from '../../src/inputs/headers.ts';
import { findProxy } from '../../src/inputs/proxy.ts';
import { parseScans } from '../../src/inputs/scans.ts';
import type { Credential, Proxy } from '../../src/service/settings.ts';
import { OPERATIONS, locateOperation } from '../../src/service/operations.ts';
import { isFieldValue } from '../../src/text.ts';
import { SECRET, isolateEnvironment, setInputs } from '../support/inputs.ts';
import { CODE_POINT, anyCase, anyText, insertedInto } from './arbitraries.ts';
import { tryRead } from './try-read.ts';

// What each input accepts and refuses is in the tables of __tests__/inputs.

isolateEnvironment();

const SERVICE = new URL('https://scan.example/');

/** A host as in a URL, with or without a port. */
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
const SCHEME = fc.constantFrom('https://', 'http://').chain(anyCase);
/** A valid base URL, as an author may write it. */
const WRITTEN = fc.tuple(SCHEME, HOST, PORT, PREFIX).map((pieces) => pieces.join(''));
const BASE_URL = fc.oneof(
  anyText(),
  WRITTEN,
  WRITTEN.chain((text) => insertedInto(text, anyText(6))),
  WRITTEN.map((text) => text.replace('//', '//user:pass@')),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);

/** A value of an environment variable: no lone surrogates, and no NUL. */
const VARIABLE = anyText().map((text) => text.toWellFormed().replaceAll('\0', ''));
const PROXY_SCHEME = fc.constantFrom('', 'http://', 'https://', 'socks5://', 'http:/', '://');
const PROXY = fc
  .tuple(PROXY_SCHEME, fc.constantFrom('', 'user', '%75', '%zz'), HOST, PORT)
  .map(([scheme, user, host, port]) => `${scheme}${user}:${SECRET}@${host}${port}`);

const NAME = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }),
  fc.constantFrom('Authorization', 'X-Key', 'Cookie', 'Content-Type', '__proto__'),
);
/** Names that the action or node:http sets, and names of framing headers. */
const RESERVED =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|expect|upgrade|te|trailer|accept-encoding|proxy-.*|traceparent)$/i;

const ENTRY = fc.dictionary(fc.constantFrom('name', 'scan-key', 'files', 'x'), fc.jsonValue());

function isTaken(take: () => unknown): boolean {
  try {
    take();
    return true;
  } catch {
    return false;
  }
}

/** Texts with the secret at any position. */
function within(text: Arbitrary<string>): Arbitrary<string> {
  return text.chain((near) => insertedInto(near, fc.constant(SECRET)));
}

function readToken(token: string, prefix: string, header: string): Promise<Credential> {
  setInputs({ auth: 'token', token, 'token-prefix': prefix, 'token-header': header });
  return readCredential(() => SERVICE);
}

function readProxy(text: string): Proxy | undefined {
  Object.assign(process.env, { https_proxy: text });
  return findProxy(SERVICE);
}

test('parseBaseUrl accepts only http(s), a host and a path, which prefixes every operation', async () => {
  await fc.assert(
    fc.asyncProperty(BASE_URL, fc.boolean(), async (text, allowHttp) => {
      const { value: url } = await tryRead(() => parseBaseUrl(text, allowHttp));
      if (url === undefined) return;
      expect(url.href).toBe(`${url.protocol}//${url.host}${url.pathname}`);
      expect(url.host).not.toBe('');
      const isPlain = url.protocol === 'http:' && (allowHttp || isLoopback(url.hostname));
      expect(isPlain || url.protocol === 'https:').toBe(true);
      expect(parseBaseUrl(url.href, allowHttp).href).toBe(url.href);
      const prefix = url.pathname === '/' ? '' : url.pathname;
      for (const operation of OPERATIONS) {
        const { href } = locateOperation(url, operation);
        expect(href).toBe(`${url.origin}${prefix}/v1/scanner/${operation.name}`);
      }
    }),
    { numRuns: 750 },
  );
});

test('headers accept what node:http accepts, unless it is reserved or empty', () => {
  const value = fc.oneof(anyText(), fc.string({ unit: CODE_POINT }));
  fc.assert(
    fc.property(fc.oneof(NAME, NAME.chain(anyCase), anyText(8)), value, (name, text) => {
      expect(isTaken(() => parseHeaderName('token-header', name))).toBe(
        isTaken(() => validateHeaderName(name)) && !RESERVED.test(name),
      );
      const isSendable = text !== '' && isTaken(() => validateHeaderValue('a', text));
      expect(isFieldValue(text)).toBe(isSendable);
    }),
    { numRuns: 400 },
  );
});

test('readCredential refuses a token, or sends it after its prefix', async () => {
  const header = fc.constantFrom('', 'Authorization', 'X-Key');
  const prefix = fc.oneof(fc.constantFrom('', 'none', 'Bearer'), NAME, VARIABLE);
  await fc.assert(
    fc.asyncProperty(fc.oneof(NAME, VARIABLE), prefix, header, async (token, scheme, name) => {
      const { value } = await tryRead(() => readToken(token, scheme, name));
      if (value === undefined) return;
      const word = scheme.trim() || (name === 'X-Key' ? 'none' : 'Bearer');
      const sent = `${word === 'none' ? '' : `${word} `}${token.trim()}`;
      expect(value).toEqual({ kind: 'token', header: name || 'Authorization', value: sent });
      expect(() => validateHeaderValue('Authorization', sent)).not.toThrow();
      expect(token.trim()).not.toBe('');
    }),
    { numRuns: 750 },
  );
});

describe('no message repeats what is refused', () => {
  // A host is shown.
  const urls = within(BASE_URL).filter((text) => !URL.parse(text)?.host.includes(SECRET));
  const addresses = BASE_URL.map((text) => `https://user:${SECRET}@${text}`);
  const lines = fc
    .tuple(NAME, VARIABLE)
    .map(([name, value]) => `${name}: ${value}${SECRET}${value}`);
  const scans = fc
    .tuple(fc.array(ENTRY, { maxLength: 3 }), fc.nat(), fc.constantFrom('', ' ', '\t'))
    .map(([entries, at, space]) => {
      const text = JSON.stringify([{ name: SECRET }, ...entries], null, space);
      return text.slice(0, 1 + (at % (text.length - 1)));
    });

  test.each<[string, Arbitrary<string>, (text: string) => unknown]>([
    ['of base-url', fc.oneof(urls, addresses), (text) => parseBaseUrl(text, true)],
    ['of token', within(VARIABLE), (text) => readToken(text, text, text)],
    ['of headers', lines, (text) => parseHeaders(text.replace(/[\r\n]/g, ''), 'X-Key')],
    ['of truncated scans', scans, (text) => parseScans(text)],
    ['of a proxy', fc.oneof(PROXY, within(VARIABLE)), readProxy],
  ])('%s', async (_, texts, read) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { problems } = await tryRead(() => read(text));
        expect(problems.join()).not.toContain(SECRET);
      }),
      { numRuns: 400 },
    );
  });
});
