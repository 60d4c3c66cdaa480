import { validateHeaderName, validateHeaderValue } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Credential, Proxy } from '../../src/service/settings.ts';
import { readCredential } from '../../src/inputs/credential.ts';
import { settleProxy } from '../../src/inputs/proxy.ts';
import { SECRET, isolateEnvironment, setInputs } from '../support/inputs.ts';
import { HOST, PORT, anyText, insertedInto } from './arbitraries.ts';
import { tryRead, tryReadLater } from './try-read.ts';
import type { Reading } from './try-read.ts';

isolateEnvironment();

const SERVICE = new URL('https://scan.example/');
/** A value of an environment variable: no lone surrogates, and no NUL. */
const VARIABLE = anyText().map((text) => text.toWellFormed().replaceAll('\0', ''));
const FIELD = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });

function readToken(token: string, prefix: string, header: string): Promise<Reading<Credential>> {
  setInputs({ auth: 'token', token, 'token-prefix': prefix, 'token-header': header });
  return tryReadLater(readCredential(() => SERVICE));
}

describe('readCredential', () => {
  test('refuses a token, or sends it after its prefix', async () => {
    const header = fc.constantFrom('', 'Authorization', 'X-Key');
    const prefix = fc.oneof(fc.constantFrom('', 'none', 'Bearer', 'Token token'), FIELD, VARIABLE);
    await fc.assert(
      fc.asyncProperty(fc.oneof(FIELD, VARIABLE), prefix, header, async (token, scheme, name) => {
        const { value } = await readToken(token, scheme, name);
        if (value === undefined) return;
        const word = scheme.trim() || (name === 'X-Key' ? 'none' : 'Bearer');
        const start = word === 'none' ? '' : `${word} `;
        const sent = `${start}${token.trim()}`;
        expect(value).toEqual({ kind: 'token', header: name || 'Authorization', value: sent });
        expect(() => validateHeaderName(name || 'Authorization')).not.toThrow();
        expect(() => validateHeaderValue('Authorization', sent)).not.toThrow();
        expect(token.trim()).not.toBe('');
      }),
      { numRuns: 750 },
    );
  });

  test('never repeats a token in a message', async () => {
    const secretive = VARIABLE.chain((text) => insertedInto(text, fc.constant(SECRET)));
    await fc.assert(
      fc.asyncProperty(secretive, VARIABLE, async (token, other) => {
        expect((await readToken(token, other, other)).problems.join()).not.toContain(SECRET);
      }),
      { numRuns: 400 },
    );
  });
});

const SCHEME = fc.constantFrom('', 'http://', 'https://', 'HTTP://', 'socks5://', 'http:/', '://');
/** A proxy variable with a password, or a similar text. */
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
  fc.tuple(HOST, fc.oneof(PORT, fc.constantFrom(':0', ':70000'))).map((pieces) => pieces.join('')),
);

function readProxy(text: string): Reading<Proxy | undefined> {
  for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
  process.env['https_proxy'] = text;
  return tryRead(() => settleProxy(SERVICE));
}

describe('settleProxy', () => {
  test('refuses a proxy, or returns its origin', () => {
    fc.assert(
      fc.property(NEAR_PROXY, (text) => {
        const { value, problems } = readProxy(text);
        if (problems.length > 0) return;
        expect(value === undefined).toBe(text.trim() === '');
        if (value === undefined) return;
        expect(['http:', 'https:']).toContain(value.url.protocol);
        expect(value.url.href).toBe(`${value.url.origin}/`);
        expect(value.url.hostname).not.toBe('');
        expect(readProxy(value.url.href).value?.url).toEqual(value.url);
      }),
      { numRuns: 750 },
    );
  });

  test('decodes the password once, adds it to the secrets, and shows it in no message and no URL', () => {
    fc.assert(
      fc.property(PROXY, (text) => {
        const { value, problems } = readProxy(text);
        expect(`${problems.join()}${value?.url.href}`).not.toContain(SECRET);
        if (value === undefined) return;
        const password = /:([^:]*)@/.exec(text)?.[1] ?? '';
        expect(value.secrets).toEqual([
          new URL(`http://:${password}@x`).password,
          decodeURIComponent(password),
        ]);
        const sent = Buffer.from(value.authorization?.slice('Basic '.length) ?? '', 'base64');
        expect(sent.toString().endsWith(`:${decodeURIComponent(password)}`)).toBe(true);
      }),
      { numRuns: 750 },
    );
  });
});
