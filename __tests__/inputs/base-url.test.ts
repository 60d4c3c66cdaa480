import { describe, expect, test } from '@jest/globals';
import { isLoopback, parseBaseUrl } from '../../src/inputs/base-url.ts';
import { catchProblems } from '../support/inputs.ts';

describe('parseBaseUrl', () => {
  test.each([
    ['https://host', 'https://host/'],
    ['https://host//', 'https://host/'],
    ['HTTPS://Host.Example:8443', 'https://host.example:8443/'],
    ['https://host:443', 'https://host/'],
    ['https://[2001:db8::1]:444', 'https://[2001:db8::1]:444/'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ])('accepts the address %s', (text, href) => {
    expect(parseBaseUrl(text, false).href).toBe(href);
  });

  test.each([
    ['https://host/tenant/', '/tenant'],
    ['https://host/a/b//', '/a/b'],
    ['https://host/Tenant%20One', '/Tenant%20One'],
    ['https://host/a//mail@home', '/a//mail@home'],
  ])('keeps the path prefix of %s', (text, pathname) => {
    expect(parseBaseUrl(text, false).pathname).toBe(pathname);
  });

  test.each([
    ['', /^`base-url` is required\. Set it to the URL of the service\.$/],
    ...['https://', 'http://', 'https:///tenant', 'https://:443'].map((text): [string, RegExp] => {
      return [
        text,
        /^`base-url` has no host name: an expression after https:\/\/ may be empty\. Set it to /,
      ];
    }),
    ['host', /^`base-url` must begin with https:\/\/ and a host name\.$/],
    ['https:host', /must begin with https/],
    ['ftp://host', /must begin with https/],
    ['xhttps://host', /must begin with https/],
    ['https://host:port', /^`base-url` is not a valid URL\. Check its host and port\.$/],
    [
      'https://host?',
      /^`base-url` must not contain a query \(\?\)\. Set it to 'https:\/\/host'\.$/,
    ],
    [
      'https://host#',
      /^`base-url` must not contain a fragment \(#\)\. Set it to 'https:\/\/host'\.$/,
    ],
    [
      'https://@host',
      /^`base-url` must not contain a user name or password: save the output of `printf USER:PASSWORD \| base64` as `token`, and set `token-prefix: Basic`\. Set it to 'https:\/\/host'\.$/,
    ],
    ['https://host\\path', /^`base-url` must not contain a backslash\.$/],
    ['https:\\\\host', /must not contain a backslash/],
    ['https://https://host', /^`base-url` must have https:\/\/ only once\.$/],
  ])('refuses %j', (text, message) => {
    expect(catchProblems(() => parseBaseUrl(text, true))).toEqual([expect.stringMatching(message)]);
  });

  test.each(['https://host/v1', 'https://host/upload-file', 'https://host/v1/scanner/x'])(
    'accepts a prefix that may be that of a gateway: %s',
    (text) => {
      expect(parseBaseUrl(text, false).href).toBe(text);
    },
  );

  test.each([' ', '\t', '\u2028', '\0', '\u200b'])('refuses %j in any place', (character) => {
    for (const text of [`${character}https://host`, `ht${character}tps://host`, 'https://host/']) {
      expect(catchProblems(() => parseBaseUrl(`${text}${character}`, true))).toEqual([
        '`base-url` must not contain white space or control characters.',
      ]);
    }
  });

  test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://127.1', 'http://[::1]:80'])(
    'accepts http to a loopback address: %s',
    (text) => {
      expect(parseBaseUrl(text, false).protocol).toBe('http:');
    },
  );

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
