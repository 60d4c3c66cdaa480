import { describe, expect, test } from '@jest/globals';
import { isLoopback, parseBaseUrl } from '../../src/inputs/base-url.ts';
import { SECRET, catchProblems } from '../support/inputs.ts';

const REPLACED_BY_URL_PARSING = ['\t', '\n', '\r'];

describe('parseBaseUrl', () => {
  test.each([
    ['https://host', 'https://host/'],
    ['https://host/', 'https://host/'],
    ['https://host//', 'https://host/'],
    ['HTTPS://Host.Example:8443', 'https://host.example:8443/'],
    ['https://host:443', 'https://host/'],
    ['https://[2001:db8::1]:444', 'https://[2001:db8::1]:444/'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ])('takes the address %s', (text, href) => {
    expect(parseBaseUrl(text, false).href).toBe(href);
  });

  test.each([
    ['https://host/tenant', '/tenant'],
    ['https://host/tenant/', '/tenant'],
    ['https://host/a/b//', '/a/b'],
    ['https://host/Tenant%20One', '/Tenant%20One'],
    ['https://host/mail@home', '/mail@home'],
    ['https://host/a//mail@home', '/a//mail@home'],
    ['https://host/a:b;c=d', '/a:b;c=d'],
  ])('keeps the path prefix of %s', (text, pathname) => {
    expect(parseBaseUrl(text, false).pathname).toBe(pathname);
  });

  test.each([
    ['', /^base-url is required: the address of the service\.$/],
    ['host', /^base-url must begin with https:\/\/ and a host name\.$/],
    ['//host', /must begin with https/],
    ['/v1', /must begin with https/],
    ['https:', /must begin with https/],
    ['https:host', /must begin with https/],
    ['https:/host', /must begin with https/],
    ['https://', /must begin with https:\/\/ and a host name/],
    ['https:///host', /must begin with https:\/\/ and a host name/],
    ['ftp://host', /must begin with https/],
    ['file:///etc/passwd', /must begin with https/],
    ['javascript:alert(1)', /must begin with https/],
    ['xhttps://host', /must begin with https/],
    ['https://:443', /^base-url is not a valid URL\.$/],
    ['https://host:port', /not a valid URL/],
    ['https://host:65536', /not a valid URL/],
    ['https://ho%20st', /not a valid URL/],
    ['https://ho<st', /not a valid URL/],
    ['https://host?', /^base-url must not contain a query \(\?\)\.$/],
    ['https://host/path?a=b', /must not contain a query/],
    ['https://host#', /^base-url must not contain a fragment \(#\)\.$/],
    ['https://host/path#part', /must not contain a fragment/],
    ['https://user@host', /^base-url must not contain a user name or password\.$/],
    ['https://@host', /must not contain a user name/],
    ['https://good.example@evil.example', /must not contain a user name/],
    ['https://host\\path', /^base-url must not contain a backslash\.$/],
    ['https:\\\\host', /must not contain a backslash/],
    ['https://good.example\\@evil.example', /must not contain a backslash/],
  ])('refuses %j', (text, message) => {
    expect(catchProblems(() => parseBaseUrl(text, true))).toEqual([expect.stringMatching(message)]);
  });

  test.each(
    [' ', '\u00a0', '\u2028', '\0', '\x7f', '\u200b', '\u202e', '\ufeff'].concat(
      REPLACED_BY_URL_PARSING,
    ),
  )('refuses %j anywhere', (character) => {
    for (const text of [
      `${character}https://host`,
      `ht${character}tps://host`,
      `https://ho${character}st`,
      `https://host/a${character}b`,
      `https://host${character}`,
    ]) {
      expect(catchProblems(() => parseBaseUrl(text, true))).toEqual([
        'base-url must not contain white space or control characters.',
      ]);
    }
  });

  test.each([
    `https://user:${SECRET}@host`,
    `https://${SECRET}@host`,
    `https://host?key=${SECRET}`,
    `https://host#${SECRET}`,
    `https://host:${SECRET}`,
    `http://host/${SECRET}`,
    `ftp://user:${SECRET}@host`,
    `https://user:${SECRET}\\@host`,
    `https://user: ${SECRET}@host`,
  ])('never repeats what may be a password: %s', (text) => {
    expect(catchProblems(() => parseBaseUrl(text, false))).toHaveLength(1);
  });

  test.each([
    'http://localhost:8080',
    'http://LOCALHOST',
    'http://127.0.0.1',
    'http://127.1',
    'http://[::1]:80',
    'http://[0:0::1]',
  ])('takes http to this machine: %s', (text) => {
    expect(parseBaseUrl(text, false).protocol).toBe('http:');
  });

  test.each([
    'http://host',
    'HTTP://host',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://127.example',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:127.0.0.1]',
  ])('takes http to another host only with allow-http: %s', (text) => {
    expect(catchProblems(() => parseBaseUrl(text, false))).toEqual([
      expect.stringMatching(/^base-url must begin with https:\/\/: .* set allow-http: true\.$/),
    ]);
    expect(parseBaseUrl(text, true).href).toBe(new URL(text).href);
  });
});

describe('isLoopback', () => {
  test.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.255', true],
    ['[::1]', true],
    ['::1', false],
    ['localhost.example', false],
    ['mylocalhost', false],
    ['127.0.0', false],
    ['127.0.0.1.example', false],
    ['x127.0.0.1', false],
    ['10.127.0.0.1', false],
    ['', false],
  ])('%s: %j', (hostname, expected) => {
    expect(isLoopback(hostname)).toBe(expected);
  });
});
