import { validateHeaderName, validateHeaderValue } from 'node:http';
import { getProxyUrl } from '@actions/http-client/lib/proxy';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { InputError } from '../../src/errors.ts';
import type { Credential } from '../../src/inputs/credential.ts';
import { readCredential } from '../../src/inputs/credential.ts';
import { settleProxy } from '../../src/inputs/proxy.ts';
import type { Proxy } from '../../src/inputs/proxy.ts';
import { listSecrets } from '../../src/inputs/secrets.ts';
import { SECRET, isolateEnvironment, setInputs } from '../support/inputs.ts';
import { anyText, insertedInto, secret } from './arbitraries.ts';

isolateEnvironment();

const SERVICE = new URL('https://scan.example/');
/** What an environment can hold: whole characters, and no NUL. */
const VARIABLE = anyText().map((text) => text.toWellFormed().replaceAll('\0', ''));
const FIELD = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });

/** The value, or the message of the refusal. Fails for any other error. */
function tryRead<T>(read: () => T): { readonly value?: T; readonly message: string } {
  try {
    return { value: read(), message: '' };
  } catch (error) {
    if (error instanceof InputError) return { message: error.message };
    throw error;
  }
}

function readToken(token: string, prefix: string, header: string): ReturnType<typeof tryRead> {
  setInputs({ auth: 'token', token, 'token-prefix': prefix, 'token-header': header });
  return tryRead<Credential>(() => readCredential(() => SERVICE));
}

describe('a token', () => {
  test('is refused, or can be sent as it is behind its prefix', () => {
    const header = fc.constantFrom('', 'Authorization', 'X-Key');
    const prefix = fc.oneof(fc.constantFrom('', 'none', 'Bearer', 'Token token'), FIELD, VARIABLE);
    fc.assert(
      fc.property(fc.oneof(FIELD, VARIABLE), prefix, header, (token, scheme, name) => {
        const { value } = readToken(token, scheme, name);
        if (value === undefined) return;
        const start = scheme.trim() === 'none' ? '' : `${scheme.trim() || 'Bearer'} `;
        const sent = `${start}${token.trim()}`;
        expect(value).toEqual({ kind: 'token', header: name || 'Authorization', value: sent });
        expect(() => validateHeaderName(name || 'Authorization')).not.toThrow();
        expect(() => validateHeaderValue('Authorization', sent)).not.toThrow();
        expect(token.trim()).not.toBe('');
      }),
      { numRuns: 750 },
    );
  });

  test('is never repeated in a message', () => {
    fc.assert(
      fc.property(
        VARIABLE.chain((text) => insertedInto(text, fc.constant(SECRET))),
        VARIABLE,
        (token, other) => {
          expect(readToken(token, other, other).message).not.toContain(SECRET);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('listSecrets', () => {
  test('lists single lines, none of them blank, whatever the inputs are', () => {
    fc.assert(
      fc.property(anyText(), anyText(), anyText(), (token, headers, key) => {
        const pem = `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`;
        for (const listed of listSecrets(token, headers, pem)) {
          expect(listed.trim()).not.toBe('');
          expect(listed).not.toMatch(/[\r\n]/);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('lists the token whole, and each value of a header that is long enough', () => {
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(secret(), secret(8), end, (token, value, lineEnd) => {
        const secrets = listSecrets(token, `X-A: b${lineEnd}X-Key: ${value}${lineEnd}`, '');
        expect(secrets).toContain(token);
        expect(secrets).toContain(value);
      }),
      { numRuns: 250 },
    );
  });
});

const HOST = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('proxy', '[::1]', '127.0.0.1'));
const PORT = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 0, max: 70_000 }).map((port) => `:${port}`),
);
const SCHEME = fc.constantFrom('', 'http://', 'https://', 'HTTP://', 'socks5://', 'http:/', '://');
/** A proxy variable with a password in it, or something near one. */
const PROXY = fc
  .tuple(SCHEME, fc.constantFrom('', 'user', '%75', '%zz'), FIELD, HOST, PORT)
  .map(([scheme, user, more, host, port]) => {
    const password = `${SECRET}${encodeURIComponent(more)}`;
    return `${scheme}${user}:${password}@${host}${port}`;
  });
const NEAR_PROXY = fc.oneof(
  PROXY,
  PROXY.chain((text) => insertedInto(text, VARIABLE)),
  VARIABLE,
  fc.tuple(HOST, PORT).map((pieces) => pieces.join('')),
);

function readProxy(text: string): ReturnType<typeof tryRead<Proxy | undefined>> {
  for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
  process.env['https_proxy'] = text;
  return tryRead(() => settleProxy(SERVICE));
}

describe('a proxy', () => {
  test('is refused, or is the one that http-client goes through', () => {
    fc.assert(
      fc.property(NEAR_PROXY, (text) => {
        const { value, message } = readProxy(text);
        if (message !== '') return;
        const used = getProxyUrl(SERVICE);
        expect(value?.host).toBe(used?.host);
        expect(value === undefined).toBe(text.trim() === '');
        expect(['http:', 'https:', undefined]).toContain(used?.protocol);
      }),
      { numRuns: 750 },
    );
  });

  test('has its password among the secrets, and in no message and no host', () => {
    fc.assert(
      fc.property(PROXY, (text) => {
        const { value, message } = readProxy(text);
        expect(message).not.toContain(SECRET);
        expect(value?.host ?? '').not.toContain(SECRET);
        if (value === undefined) return;
        const { password } = new URL(process.env['https_proxy'] ?? '');
        expect(value.secrets).toEqual([password, decodeURIComponent(password)]);
      }),
      { numRuns: 750 },
    );
  });

  test('is settled the same the second time', () => {
    fc.assert(
      fc.property(NEAR_PROXY, (text) => {
        const first = readProxy(text);
        const settled = process.env['https_proxy'];
        fc.pre(first.value !== undefined && settled !== undefined);
        expect(readProxy(settled ?? '')).toEqual(first);
        expect(process.env['https_proxy']).toBe(settled);
      }),
      { numRuns: 250 },
    );
  });
});
