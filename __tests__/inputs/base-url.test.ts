import { describe, expect, test } from '@jest/globals';
import { parseBaseUrl } from '../../src/inputs/base-url.ts';
import { isLoopback } from '../../src/service/host.ts';
import { SECRET, catchTexts } from '../support/inputs.ts';

const BEGIN = 'must begin with https:// and a host name';
const EMPTY = ': the expression for the host is empty.';
const INVALID =
  'is not a valid URL. Check its host and port; an IPv6 address needs brackets: https://[ADDRESS]:PORT.';
const SPACE =
  'has white space or an invisible character: remove it, or write %20 for a space that belongs to it.';
const FRAGMENT = "has a '#': write the address of the API, not that of a page.";
const REMOVE = 'remove it; a key in it goes into `headers`.';
const APPENDED = 'must end before /v1/scanner/, which the action appends.';
const USER =
  'has a user name or password: save the output of `printf %s USER:PASSWORD | base64 -w0` as `token`, and set `token-prefix: Basic`.';

describe('parseBaseUrl', () => {
  test.each([
    ['https://host', 'https://host/'],
    // The path is a prefix, and may be that of a gateway.
    ['https://host/a//mail@home:a:b/', 'https://host/a//mail@home:a:b/'],
    ['https://host/v1/scanners', 'https://host/v1/scanners'],
    // A loopback address needs no TLS.
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.1', 'http://127.0.0.1/'],
    ['http://[::1]:80', 'http://[::1]/'],
  ])('accepts the address %s', (text, href) => {
    expect(parseBaseUrl(text, false, false)?.href).toBe(href);
  });

  test('returns undefined for no text in a dry run alone', async () => {
    expect(parseBaseUrl('', false, true)).toBeUndefined();
    expect(await catchTexts(() => parseBaseUrl('', true, false))).toEqual([
      '`base-url` is empty.',
      'Save a variable (no secret) for `vars.NAME`; check names after `inputs` or `matrix`.',
    ]);
  });

  test.each([
    ['https://', `${BEGIN}, not 'https://'${EMPTY}`],
    ['HTTPS:///tenant', `${BEGIN}, not 'HTTPS:///tenant'${EMPTY}`],
    ['/api', `${BEGIN}, not '/api'${EMPTY}`],
    ['xhttps://host', `${BEGIN}, not 'xhttps://host'.`],
    [`ftp://${'x'.repeat(35)}`, `${BEGIN}, not a text of 41 characters.`],
    [`me:${SECRET}@host`, `${BEGIN}.`],
    [`//me:${SECRET}@host`, `${BEGIN}${EMPTY}`],
    ['https://:443', INVALID],
    ['https://fd12::10:8443/a', INVALID],
    ['https://host/a?api-version=1&b', `has a query (\`api-version\`): ${REMOVE}`],
    [`https://host/?#${SECRET}=1`, `has a query (\`?\`): ${REMOVE}`],
    // What may be a secret is not shown: a value, the end of Base64, and a part of a password.
    ['https://host/?c2VjcmV0=1', `has a query (\`?\`): ${REMOVE}`],
    ['https://host/?secret==', `has a query (\`?\`): ${REMOVE}`],
    ['https://host/?secret=', `has a query (\`?\`): ${REMOVE}`],
    [`https://me:a?canary=${SECRET}@host`, `has a query (\`?\`): ${REMOVE}`],
    [`https://me:${SECRET}#x@host`, FRAGMENT],
    ['https://host/#/a?b=c', FRAGMENT],
    ['vars.URL', 'is the text of an expression: write ${{ }} around it.'],
    ['ht\ttps://host', SPACE],
    ['https://host/\u200B', SPACE],
    ['https://host/\u0001', SPACE],
    ['https://host\\x', "has a '\\': write '/'."],
    [`https://me:a@${SECRET}@host`, USER],
    [`https://${SECRET}@host`, USER],
    ['https://host/a/v1/scanner/upload-file/', APPENDED],
  ])('refuses %j', async (text, problem) => {
    expect(await catchTexts(() => parseBaseUrl(text, true, false))).toEqual([
      `\`base-url\` ${problem}`,
    ]);
  });

  test.each(['HTTP://host', 'http://localhost.example', 'http://127.0.0.1.example'])(
    'accepts http to another host only with allow-http: %s',
    async (text) => {
      expect(await catchTexts(() => parseBaseUrl(text, false, false))).toEqual([
        '`base-url` must begin with https://, because http:// sends the token and the files unencrypted. To allow that, set `allow-http: true`.',
      ]);
      expect(parseBaseUrl(text, true, false)?.href).toBe(new URL(text).href);
    },
  );
});

test.each(['128.0.0.1', '127.0.0.1.2', 'x127.0.0.1', 'mylocalhost', '[::ffff:7f00:1]'])(
  'isLoopback returns false for %j',
  (hostname) => {
    expect(isLoopback(hostname)).toBe(false);
  },
);
