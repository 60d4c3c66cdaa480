import { describe, expect, test } from '@jest/globals';
import { isCredentialHeader, listSecretParts, listSecrets } from '../../src/inputs/secrets.ts';

const KEY =
  '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n  ByqGSM49AgEG \nshort\n-----END PRIVATE KEY-----\n';

describe('isCredentialHeader', () => {
  test.each([
    'Authorization',
    'Proxy-Authorization',
    'X-Auth',
    'Cookie',
    'PRIVATE-TOKEN',
    'X-Api-Key',
    'client-secret',
    'X-Password',
    'X-Pass',
    'X-Credential',
    'X-JWT-Assertion',
    'X-Session',
    'X-Signature-256',
    ' Ocp-Apim-Subscription-Key ',
  ])('takes %j for a credential', (name) => {
    expect(isCredentialHeader(name)).toBe(true);
  });

  test.each([
    'X-Repo',
    'Idempotency-Key',
    'idempotency-key ',
    'X-Author',
    'X-Keyboard',
    'X-Passport',
    'X-Tokens',
    'X-ApiKey',
    'x_api_key',
    'Accept',
    '',
  ])('does not take %j for a credential', (name) => {
    expect(isCredentialHeader(name)).toBe(false);
  });
});

describe('listSecrets', () => {
  test.each([
    ['nothing for empty texts', '', '', '', []],
    ['a token of any length', 't', '', '', ['t']],
    ['a token without surrounding white space', '  token \n', '', '', ['token']],
    ['each line of a token', 'one\r\n\ntwo\rthree', '', '', ['one', 'two', 'three']],
    ['a header value of 8 characters', '', 'X-Key: 12345678', '', ['12345678']],
    ['no header value of 7 characters', '', 'X-Key: 1234567', '', []],
    ['nothing for blank texts', ' \n\t', '\n \r\n', '  ', []],
    [
      'a value with its scheme and without it',
      '',
      'X-Key: Basic dXNlcjpwYXNz',
      '',
      ['Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ],
    [
      'the last word of a value',
      '',
      'X-Key: a b secret-value',
      '',
      ['a b secret-value', 'secret-value'],
    ],
    ['a short value only with its scheme', '', 'X-Key: Basic abc', '', ['Basic abc']],
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
    ['no cookie values of another header', '', 'X-Key: a=first-one; b', '', ['a=first-one; b']],
    ['no header line without a colon', '', 'no-colon-of-a-token', '', []],
    ['no value of another header', '', 'X-Repo: owner/repository', '', []],
    [
      'the lines of a key without its first and last line',
      '',
      '',
      KEY,
      ['MIGHAgEAMBMG', 'ByqGSM49AgEG'],
    ],
    [
      'no part of a truncated last line of a key',
      '',
      '',
      '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY',
      ['MIGHAgEAMBMG'],
    ],
    ['no path of a key file', '', '', '/run/secrets/client-key.pem', []],
    [
      'a key in Base64',
      '',
      '',
      'LS0tLS1CRUdJTiBQUklWQVRF\nIEtFWS0tLS0t',
      ['LS0tLS1CRUdJTiBQUklWQVRF', 'IEtFWS0tLS0t'],
    ],
    ['a key without its first line', '', '', 'MIGHAgEAMBMG', ['MIGHAgEAMBMG']],
    [
      'a key without line breaks',
      '',
      '',
      '-----BEGIN PRIVATE KEY-----\\nMIGHAgEAMBMG\\n-----END PRIVATE KEY-----',
      ['\\nMIGHAgEAMBMG\\n'],
    ],
    [
      'each secret once',
      'same-secret',
      'X-Key: same-secret\nX-Token: same-secret',
      '',
      ['same-secret'],
    ],
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
    ['a Basic token after two spaces', `Basic  ${BASIC}`, 'none', ''],
    ['a Basic token without a user', Buffer.from(`:${SECRET}`).toString('base64'), 'Basic', ''],
    ['a header line without a colon', 'short', 'Bearer', SECRET],
    ['a Basic header', 'short', 'Bearer', `X-Auth: Basic ${BASIC}\r\nX-B: other`],
    ['the parameters of a URL', 'short', 'Bearer', `X-Auth: Shared sr=x&sig=${SECRET}&se=1`],
  ])('lists the secret of %s', (_, token, prefix, headers) => {
    expect(listSecretParts(token, prefix, headers)).toContain(SECRET);
  });

  test.each(
    (
      'X-ApiKey x_api_key X-AuthToken Authentication X-ClientSecret X-Passwd X-Pwd X-Credentials ' +
      'X-JwtAssertion X-SessionId X-Sig X-HMACSIGNATURE X-Cookies X-Tokens X-Pass'
    ).split(' '),
  )('lists the value of %s and its parts', (name) => {
    const headers = `${name}: id=${SECRET}; v=1`;
    expect(listSecretParts('', 'none', headers)).toEqual([`id=${SECRET}; v=1`, SECRET]);
  });

  test.each(['X-Repo', 'X-Project', 'X-Passport', 'Idempotency-Key', ' idempotency-key', 'Accept'])(
    'lists no value of %s',
    (name) => {
      expect(listSecretParts('', 'none', `${name}: ${SECRET}`)).toEqual([]);
    },
  );

  test('lists a Basic credential encoded and decoded', () => {
    expect(listSecretParts('', 'none', `X-Auth: Basic ${BASIC}`)).toEqual(
      expect.arrayContaining([`user:${SECRET}`, BASIC.replace(/=+$/, ''), `Basic ${BASIC}`]),
    );
  });

  test.each(['aaaaaaa=bbbbbbb', 'aaa,bbb;ccc ddd', '=a=b c,d'])('lists %j in quotes', (quoted) => {
    expect(listSecretParts(`Token token="${quoted}"`, 'none', '')).toContain(quoted);
    expect(listSecretParts('', 'none', `X-Auth: Token a="b", token="${quoted}"`)).toContain(quoted);
  });

  test.each(['utf8', 'latin1'] as const)('decodes a Basic credential in %s', (encoding) => {
    const token = Buffer.from('m\u00fcller:p\u00e4ssw\u00f6rter', encoding).toString('base64');
    expect(listSecretParts(token, 'Basic', '')).toContain('p\u00e4ssw\u00f6rter');
  });

  test.each([
    ['a scheme', '1234567', 'SharedKeyLite', ''],
    ['a cookie', '1234567', 'Bearer', 'Cookie: JSESSIONID=1'],
    ['parameters', '1234567', 'none', 'X-Signature: algorithm="a", signature="b"'],
  ])('does not list the name of %s', (_, token, prefix, headers) => {
    const parts = listSecretParts(token, prefix, headers);
    expect(parts.filter((part) => /^[a-z]+$/i.test(part))).toEqual([]);
  });

  test('does not decode what is not a Basic credential', () => {
    const text = Buffer.from('without a colon').toString('base64');
    expect(listSecretParts('', 'none', `X-Auth: Basic ${text}`)).toEqual([`Basic ${text}`, text]);
  });

  test('lists no short values, and each value once', () => {
    expect(listSecretParts('a b=c;d', 'Bearer', 'X-A: true\nX-B: 1, 2')).toEqual([]);
    expect(listSecretParts('12345678', 'none', 'X-Key: 12345678')).toEqual(['12345678']);
  });
});
