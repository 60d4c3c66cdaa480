import { describe, expect, test } from '@jest/globals';
import { isMaskable, listSecretParts, listSecrets } from '../../src/inputs/secrets.ts';

const KEY =
  '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n  ByqGSM49AgEG \nshort\n-----END PRIVATE KEY-----\n';

describe('listSecrets', () => {
  test.each([
    ['nothing is secret', '', '', '', []],
    ['blank texts are not', ' \n\t', '\n \r\n', '  ', []],
    ['a token of any length', 't', '', '', ['t']],
    ['a token without surrounding white space', '  token \n', '', '', ['token']],
    ['each line of a token', 'one\r\n\ntwo\rthree', '', '', ['one', 'two', 'three']],
    ['a header value of 8 characters', '', 'X-A: 12345678', '', ['12345678']],
    ['no header value of 7 characters', '', 'X-A: 1234567', '', []],
    ['no header value that is a common word', '', 'X-A: true', '', []],
    [
      'what follows a scheme, alone and with it',
      '',
      'X-A: Basic dXNlcjpwYXNz',
      '',
      ['Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ],
    ['what comes last', '', 'X-A: a b secret-value', '', ['a b secret-value', 'secret-value']],
    ['only the whole if what follows is short', '', 'X-A: Basic abc', '', ['Basic abc']],
    ['a value with colons', '', 'X-A: ab:cd:ef:gh', '', ['ab:cd:ef:gh']],
    [
      'the value of each cookie, quoted or not',
      '',
      'cookie: a=first-one; b="second-one";c=short',
      '',
      ['a=first-one; b="second-one";c=short', 'first-one', 'second-one'],
    ],
    [
      'cookies with spaces around the name and the values',
      '',
      'Cookie : a= first-one ; b=second-one',
      '',
      ['a= first-one ; b=second-one', 'first-one', 'second-one'],
    ],
    [
      'quotes that are part of a cookie’s value',
      '',
      'cookie: a=x"first"; b="second"x',
      '',
      ['a=x"first"; b="second"x', 'x"first"', '"second"x'],
    ],
    ['no cookies in another header', '', 'X-A: a=first-one; b', '', ['a=first-one; b']],
    ['a header line that will be refused', '', 'no-colon-at-all', '', ['no-colon-at-all']],
    ['the lines of a key, but for its frame', '', '', KEY, ['MIGHAgEAMBMG', 'ByqGSM49AgEG']],
    [
      'nothing of a frame that was cut',
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
    ['what is not last', 'short', 'Bearer', `Authorization: ApiKey ${SECRET} v=1`],
    ['a list', 'short', 'Bearer', `X-Auth: id=${SECRET}; v=1`],
    ['a prefix', 'short', `ApiKey key=${SECRET}`, ''],
    ['a Basic token', BASIC, 'Basic', ''],
    ['a Basic token with its scheme', `basic ${BASIC}`, 'none', ''],
    ['a Basic token behind two spaces', `Basic  ${BASIC}`, 'none', ''],
    ['one without a user', Buffer.from(`:${SECRET}`).toString('base64'), 'Basic', ''],
    ['a Basic header', 'short', 'Bearer', `X-A: Basic ${BASIC}\r\nX-B: other`],
  ])('lists the secret of %s', (_, token, prefix, headers) => {
    expect(listSecretParts(token, prefix, headers)).toContain(SECRET);
  });

  test('lists the Basic credential whole, and without what encloses it', () => {
    expect(listSecretParts('', 'none', `X-A: Basic ${BASIC}`)).toEqual(
      expect.arrayContaining([`user:${SECRET}`, BASIC.replace(/=+$/, ''), `Basic ${BASIC}`]),
    );
  });

  test('does not take what is no Basic credential for one', () => {
    const text = Buffer.from('without a colon').toString('base64');
    expect(listSecretParts('', 'none', `X-A: Basic ${text}`)).toEqual([`Basic ${text}`, text]);
  });

  test('lists nothing that is short, and nothing twice', () => {
    expect(listSecretParts('a b=c;d', 'Bearer', 'X-A: true\nX-B: 1, 2')).toEqual([]);
    expect(listSecretParts('12345678', 'none', 'X-A: 12345678')).toEqual(['12345678']);
  });
});

describe('isMaskable', () => {
  test.each([
    ['', false],
    ['1234567', false],
    ['12345678', true],
  ])('%j: %j', (value, expected) => {
    expect(isMaskable(value)).toBe(expected);
  });
});
