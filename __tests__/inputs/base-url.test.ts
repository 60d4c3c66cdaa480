import { describe, expect, test } from '@jest/globals';
import { isLoopback, parseBaseUrl } from '../../src/inputs/base-url.ts';
import { SECRET, catchProblems, isolateEnvironment } from '../support/inputs.ts';

isolateEnvironment();

const NO_HOST = 'has no host name: the expression after https:// may be empty.';
const BEGIN = 'must begin with https:// and a host name';
const APPENDED = ', which the action appends.';
const MEANT = " Set it to 'https://a.example'.";
const PATH = '/v1/scanner/upload-file';
const BLANK = 'must not contain white space or control characters.';
const USER =
  'must not contain a user name or password: save the output of `printf USER:PASSWORD | base64` as `token`, and set `token-prefix: Basic`.';

function refuse(text: string, allowHttp = true): readonly string[] {
  return catchProblems(() => parseBaseUrl(text, allowHttp, false));
}

describe('parseBaseUrl', () => {
  test.each([
    ['https://host', 'https://host/'],
    ['https://host//', 'https://host/'],
    ['HTTPS://Host.Example:8443', 'https://host.example:8443/'],
    ['https://host:443', 'https://host/'],
    ['https://[2001:db8::1]:444', 'https://[2001:db8::1]:444/'],
    ['https://b\u00fccher.example', 'https://xn--bcher-kva.example/'],
    // The path is a prefix, and may be that of a gateway.
    ['https://host/a/b//', 'https://host/a/b'],
    ['https://host/Tenant%20One', 'https://host/Tenant%20One'],
    ['https://host/a//mail@home:a:b', 'https://host/a//mail@home:a:b'],
    ['https://host/v1', 'https://host/v1'],
    ['https://host/upload-file', 'https://host/upload-file'],
    ['https://host/v1/scanner/x', 'https://host/v1/scanner/x'],
    // A loopback address needs no TLS.
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.1', 'http://127.0.0.1/'],
    ['http://[::1]:80', 'http://[::1]/'],
  ])('accepts the address %s', (text, href) => {
    expect(parseBaseUrl(text, false, false)?.href).toBe(href);
  });

  test('returns undefined for no text in a dry run alone', () => {
    expect(parseBaseUrl('', false, true)).toBeUndefined();
    expect(refuse('')).toEqual(['`base-url` is empty. Set it to the URL of the service.']);
  });

  test.each([
    ['https://', NO_HOST],
    ['https:///tenant', NO_HOST],
    ['https://:443', NO_HOST],
    ['/api', `${BEGIN}, not '/api': the expression before the '/' is empty.`],
    ['host', `${BEGIN}, not 'host'.`],
    ['https:host', `${BEGIN}, not 'https:host'.`],
    [`ftp://${'x'.repeat(35)}`, `${BEGIN}, not a text of 41 characters.`],
    [`me:${SECRET}@host`, `${BEGIN}.`],
    ['https://host:port', 'is not a valid URL. Check its host and port.'],
    ['https://fd12::10:8443/a', 'must have an IPv6 address in brackets: https://[ADDRESS]:PORT.'],
    ['https://host\\path', 'must not contain a backslash.'],
    ['vars.URL', 'is the text of an expression: write ${{ }} around it.'],
    ['ht\ttps://host', BLANK],
    [' https://host', BLANK],
    ['https://host\u2028', BLANK],
    ['https://ho\u200bst', BLANK],
    [`https://me:${SECRET}@host`, USER],
    [`https://me:a@${SECRET}@host?a`, USER],
    // The address that is meant.
    ['a.example', `${BEGIN}, not 'a.example'.${MEANT}`],
    ['a.example/v1/scanner/', `${BEGIN}, not 'a.example/v1/scanner/'.${MEANT}`],
    [
      'a.example:8443/b/',
      `${BEGIN}, not 'a.example:8443/b/'. Set it to 'https://a.example:8443/b'.`,
    ],
    ['https://https://a.example', `must have https:// only once.${MEANT}`],
    ['https://a.example/?tab=1', `must not contain a query (?).${MEANT}`],
    ['https://a.example/#/scans/1', `must not contain a fragment (#).${MEANT}`],
    ['https://a.example/v1/scanner', `must not end in /v1/scanner${APPENDED}${MEANT}`],
    ['https://a.example/V1/Scanner/upload-file//', `must not end in ${PATH}${APPENDED}${MEANT}`],
    [
      'https://a.example/v1/scanner/upload-multiple-files/?a',
      `must not contain a query (?).${MEANT}`,
    ],
    // Not of what may be a part of a password.
    [`https://me:1?${SECRET}@a.example`, 'must not contain a query (?).'],
    [`https://me:1#${SECRET}@a.example`, 'must not contain a fragment (#).'],
  ])('refuses %j', (text, problem) => {
    expect(refuse(text)).toEqual([`\`base-url\` ${problem}`]);
  });

  test.each([
    'HTTP://host',
    'http://mylocalhost',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:127.0.0.1]',
  ])('accepts http to another host only with allow-http: %s', (text) => {
    expect(refuse(text, false)).toEqual([
      '`base-url` must begin with https://, because http:// sends the token and the files unencrypted. To allow that, set `allow-http: true`.',
    ]);
    expect(parseBaseUrl(text, true, false)?.href).toBe(new URL(text).href);
  });
});

test.each(['::1', '127.0.0', '127.0.0.1.2', 'x127.0.0.1', '10.127.0.0.1', '127.0.0.1234', ''])(
  'isLoopback returns false for %j',
  (hostname) => {
    expect(isLoopback(hostname)).toBe(false);
  },
);
