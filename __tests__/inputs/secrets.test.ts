import { describe, expect, test } from '@jest/globals';
import { listSecretParts, listSecrets } from '../../src/inputs/secrets.ts';

const KEY =
  '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n  ByqGSM49AgEG \nshort\n-----END PRIVATE KEY-----\n';

describe('listSecrets', () => {
  test.each([
    ['nothing of empty texts', '', '', '', []],
    ['a token of any length', 't', '', '', ['t']],
    ['a token without surrounding white space', '  token \n', '', '', ['token']],
    ['each line of a token', 'one\r\n\ntwo\rthree', '', '', ['one', 'two', 'three']],
    ['a header value of 8 characters', '', 'X-A: 12345678', '', ['12345678']],
    ['no header value of 7 characters', '', 'X-A: 1234567', '', []],
    ['nothing of blank texts', ' \n\t', '\n \r\n', '  ', []],
    [
      'a value with its scheme, and without',
      '',
      'X-A: Basic dXNlcjpwYXNz',
      '',
      ['Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ],
    [
      'the last word of a value',
      '',
      'X-A: a b secret-value',
      '',
      ['a b secret-value', 'secret-value'],
    ],
    ['a short value only with its scheme', '', 'X-A: Basic abc', '', ['Basic abc']],
    [
      'the value of each cookie without quotes',
      '',
      'cookie: a=first-one; b="second-one";c=short',
      '',
      ['a=first-one; b="second-one";c=short', 'first-one', 'second-one'],
    ],
    [
      'cookies without white space',
      '',
      'Cookie : a= first-one ; b=second-one',
      '',
      ['a= first-one ; b=second-one', 'first-one', 'second-one'],
    ],
    [
      'quotes inside the value of a cookie',
      '',
      'cookie: a=x"first"; b="second"x',
      '',
      ['a=x"first"; b="second"x', 'x"first"', '"second"x'],
    ],
    ['no cookies of another header', '', 'X-A: a=first-one; b', '', ['a=first-one; b']],
    ['a header line without a colon', '', 'no-colon-at-all', '', ['no-colon-at-all']],
    [
      'the lines of a key without its first and last line',
      '',
      '',
      KEY,
      ['MIGHAgEAMBMG', 'ByqGSM49AgEG'],
    ],
    [
      'nothing of a truncated last line of a key',
      '',
      '',
      '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY',
      ['MIGHAgEAMBMG'],
    ],
    ['not the path of a key', '', '', '/run/secrets/client-key.pem', []],
    ['nothing twice', 'same-secret', 'X-A: same-secret\nX-B: same-secret', '', ['same-secret']],
  ])('lists %s', (_, token, headers, key, secrets) => {
    expect(listSecrets(token, headers, key)).toEqual(secrets);
  });
});

describe('listSecretParts', () => {
  const SECRET = 'sup3rs3cr3t';
  const BASIC = Buffer.from(`user:${SECRET}`).toString('base64');

  test.each([
    ['a scheme in the token', `Bearer ${SECRET}`, 'none', ''],
    ['a cookie as the token', `session=${SECRET}`, 'none', ''],
    ['a quoted value', 'short', 'Bearer', `Authorization: Token token="${SECRET}", user=x`],
    ['a value that is not last', 'short', 'Bearer', `Authorization: ApiKey ${SECRET} v=1`],
    ['a list', 'short', 'Bearer', `X-Auth: id=${SECRET}; v=1`],
    ['a prefix', 'short', `ApiKey key=${SECRET}`, ''],
    ['a Basic token', BASIC, 'Basic', ''],
    ['a Basic token with its scheme', `basic ${BASIC}`, 'none', ''],
    ['a Basic token behind two spaces', `Basic  ${BASIC}`, 'none', ''],
    ['a Basic token without a user', Buffer.from(`:${SECRET}`).toString('base64'), 'Basic', ''],
    ['a Basic header', 'short', 'Bearer', `X-A: Basic ${BASIC}\r\nX-B: other`],
  ])('lists the secret of %s', (_, token, prefix, headers) => {
    expect(listSecretParts(token, prefix, headers)).toContain(SECRET);
  });

  test('lists a Basic credential encoded and decoded', () => {
    expect(listSecretParts('', 'none', `X-A: Basic ${BASIC}`)).toEqual(
      expect.arrayContaining([`user:${SECRET}`, BASIC.replace(/=+$/, ''), `Basic ${BASIC}`]),
    );
  });

  test('does not decode what is not a Basic credential', () => {
    const text = Buffer.from('without a colon').toString('base64');
    expect(listSecretParts('', 'none', `X-A: Basic ${text}`)).toEqual([`Basic ${text}`, text]);
  });

  test('lists nothing short, and nothing twice', () => {
    expect(listSecretParts('a b=c;d', 'Bearer', 'X-A: true\nX-B: 1, 2')).toEqual([]);
    expect(listSecretParts('12345678', 'none', 'X-A: 12345678')).toEqual(['12345678']);
  });
});
