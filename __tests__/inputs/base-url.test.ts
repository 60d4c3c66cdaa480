import { describe, expect, test } from '@jest/globals';
import { isLoopback, parseBaseUrl } from '../../src/inputs/base-url.ts';
import { catchProblems } from '../support/inputs.ts';

const NO_HOST =
  'has no host name: an expression after https:// may be empty. Set it to the URL of the service.';
const NO_SCHEME = 'must begin with https:// and a host name.';
const USER =
  "must not contain a user name or password: save the output of `printf USER:PASSWORD | base64` as `token`, and set `token-prefix: Basic`. Set it to 'https://host'.";

describe('parseBaseUrl', () => {
  test.each([
    ['https://host', 'https://host/'],
    ['https://host//', 'https://host/'],
    ['HTTPS://Host.Example:8443', 'https://host.example:8443/'],
    ['https://host:443', 'https://host/'],
    ['https://[2001:db8::1]:444', 'https://[2001:db8::1]:444/'],
    ['https://b\u00fccher.example', 'https://xn--bcher-kva.example/'],
    // The path is a prefix, and may be that of a gateway.
    ['https://host/tenant/', 'https://host/tenant'],
    ['https://host/a/b//', 'https://host/a/b'],
    ['https://host/Tenant%20One', 'https://host/Tenant%20One'],
    ['https://host/a//mail@home', 'https://host/a//mail@home'],
    ['https://host/v1', 'https://host/v1'],
    ['https://host/upload-file', 'https://host/upload-file'],
    ['https://host/v1/scanner/x', 'https://host/v1/scanner/x'],
    // A loopback address needs no TLS.
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.0.0.1', 'http://127.0.0.1/'],
    ['http://127.1', 'http://127.0.0.1/'],
    ['http://[::1]:80', 'http://[::1]/'],
  ])('accepts the address %s', (text, href) => {
    expect(parseBaseUrl(text, false).href).toBe(href);
  });

  test.each<readonly string[]>([
    ['', 'is required. Set it to the URL of the service.'],
    ...['https://', 'http://', 'https:///tenant', 'https://:443'].map((text) => [text, NO_HOST]),
    ...['host', 'https:host', 'ftp://host', 'xhttps://host'].map((text) => [text, NO_SCHEME]),
    ['https://host:port', 'is not a valid URL. Check its host and port.'],
    ['https://host?', "must not contain a query (?). Set it to 'https://host'."],
    ['https://host#', "must not contain a fragment (#). Set it to 'https://host'."],
    ['https://@host', USER],
    ...['https://host\\path', 'https:\\\\host'].map((text) => [
      text,
      'must not contain a backslash.',
    ]),
    ['https://https://host', 'must have https:// only once.'],
    ['HTTPS://HTTP://host', 'must have https:// only once.'],
  ])('refuses %j', (text = '', problem) => {
    expect(catchProblems(() => parseBaseUrl(text, true))).toEqual([`\`base-url\` ${problem}`]);
  });

  test.each([' ', '\t', '\u2028', '\0', '\u200b'])('refuses %j in any place', (character) => {
    for (const text of [`${character}https://host`, `ht${character}tps://host`, 'https://host/']) {
      expect(catchProblems(() => parseBaseUrl(`${text}${character}`, true))).toEqual([
        '`base-url` must not contain white space or control characters.',
      ]);
    }
  });

  test.each([
    'http://host',
    'HTTP://host',
    'http://mylocalhost',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://127.example',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:127.0.0.1]',
  ])('accepts http to another host only with allow-http: %s', (text) => {
    expect(catchProblems(() => parseBaseUrl(text, false))).toEqual([
      expect.stringMatching(/^`base-url` must begin with https:\/\/: .* set `allow-http: true`\.$/),
    ]);
    expect(parseBaseUrl(text, true).href).toBe(new URL(text).href);
  });
});

describe('isLoopback', () => {
  test.each(['::1', '127.0.0', '127.0.0.1.2', 'x127.0.0.1', '10.127.0.0.1', '127.0.0.1234', ''])(
    'returns false for %j',
    (hostname) => {
      expect(isLoopback(hostname)).toBe(false);
    },
  );
});
