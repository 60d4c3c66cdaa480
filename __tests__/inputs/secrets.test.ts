import { beforeEach, describe, expect, test } from '@jest/globals';
import { hideSecrets } from '../../src/inputs/inputs.ts';
import { findProxy } from '../../src/inputs/proxy.ts';
import {
  hideHeaders,
  hideClientKey,
  hideRequestToken,
  hideToken,
  hideKey,
} from '../../src/inputs/secrets.ts';
import { clean, takeMasks } from '../../src/redaction/clean.ts';
import { catchTexts, collect, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { setEnvironment } from '../support/workspace.ts';

isolateEnvironment();
beforeEach(() => void takeMasks());

// The secrets that one test hides are hidden in all: each row has its own.
const [BEGIN, END] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
const KEY = `Bag Attributes\n  friendlyName: uploader\n${BEGIN}\nMIGHAgEAMBMG\n  ByqGSM49AgEG \nshort\n${END}\n`;
const LINES = ['MIGHAgEAMBMG', 'ByqGSM49AgEG'];
const NO_BREAKS = String.raw`\nMIGHAgF\n`;

describe('hideSecrets', () => {
  test.each<[string, Texts, Texts, ...string[]]>([
    ['nothing of blank inputs', { token: ' \n\t', headers: '\n \r\n', 'client-key': '  ' }, {}],
    ['a token of any length', { token: ' t \n' }, {}, 't'],
    ['long lines of a token', { token: '{\r\n\nfirst-1\rsecond-2\n}' }, {}, 'second-2'],
    ['the lines of a key between its markers', { 'client-key': KEY }, {}, ...LINES],
    ['a key without line breaks', { 'client-key': `${BEGIN}${NO_BREAKS}${END}` }, {}, NO_BREAKS],
    ['no path of a key file', { 'client-key': '/run/secrets/client-key.pem' }, {}],
    [
      'a key in Base64',
      { 'client-key': 'TUlHSEFnRUE\nTUJNRwpCeXFH' },
      {},
      'TUlHSEFnRUE',
      'TUJNRwpCeXFH',
    ],
    [
      'a header whole',
      { headers: '\n X-Key : Basic dXNlcjpwYXNz \nX-Auth: 1234567' },
      {},
      'Basic dXNlcjpwYXNz',
    ],
    ['no header that only may be one', { headers: 'X-ApiKey: 12345678\nX-Repo: 87654321' }, {}],
    [
      'the token that requests OIDC tokens',
      {},
      { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'requests' },
      'requests',
    ],
    [
      'a password as it is and decoded',
      {},
      { http_proxy: 'http://a:p%40ssword@b' },
      'p%40ssword',
      'p@ssword',
    ],
    ['one without a scheme', {}, { HTTPS_PROXY: ' a:pass:word@b:1\n' }, 'pass%3Aword', 'pass:word'],
    [
      'one of a proxy that is not supported',
      {},
      { https_proxy: 'socks5://a:p4ssword@b' },
      'p4ssword',
    ],
    ['none below 8 characters', {}, { HTTP_PROXY: 'http://a:1234567@b' }],
    ['none without one', {}, { https_proxy: 'http://user@host:8080' }],
  ])('masks %s', async (_, inputs, variables, ...masked) => {
    setInputs(inputs);
    setEnvironment(variables);
    await collect(({ faults }) => hideSecrets(faults));
    expect(takeMasks()).toEqual(masked);
    expect(masked.map(clean)).toEqual(masked.map(() => '***'));
  });

  test.each<[string, Texts, string, string]>([
    ['of a token', { token: 'my-secret-token' }, 'my-secret', '***'],
    // Of 12 letters or fewer they could be words.
    ['of letters in a header', { headers: 'X-Key: qwertzuiopasdf' }, 'qwertzuiopa', '***'],
    ['of a line that is no header', { headers: 'no-colon-of-a-t0ken' }, 'of-a-t0k', '***'],
    ['of a name that may be one', { headers: 'X-ApiKey: 1234567890' }, '23456789', '***'],
    ['of no other name', { headers: 'X-Repo: 9876543210' }, '98765432', '98765432'],
    ['of no words', { headers: 'X-Key: billing-upload' }, 'billing-uplo', 'billing-uplo'],
    // The words of our own sentences.
    ['of no word', { headers: 'Authorization: Basic password1' }, 'password', 'password'],
  ])('removes pieces %s', async (_, inputs, piece, shown) => {
    setInputs(inputs);
    await collect(({ faults }) => hideSecrets(faults));
    expect(clean(piece)).toBe(shown);
  });

  test.each([
    ['its scheme', 'Authorization: Bearer nightly-upload', 'nightly-upload'],
    ['a name', 'Cookie: session=weekly-upload', 'weekly-upload'],
  ])(
    'removes what stands behind %s, also if it is words, and masks it nowhere else',
    async (_, headers, secret) => {
      setInputs({ headers });
      await collect(({ faults }) => hideSecrets(faults));
      expect(clean(`no ${secret}`)).toBe('no ***');
      expect(takeMasks()).not.toContain(secret);
    },
  );

  test.each<[string, Texts]>([
    ['`token`', { token: 'SECRET' }],
    ['`headers`', { headers: 'X-Key: SECRET' }],
    ['`client-key`', { 'client-key': `${BEGIN}\n${'A'.repeat(64)}\nSECRET\n${END}` }],
  ])(
    'reports a secret of more than 16 KiB in %s, after it took all others',
    async (source, inputs) => {
      const long = 'x'.repeat(16 * 1024 + 1);
      const others = { http_proxy: `http://a:last-of-${source.length}@b` };
      setInputs(
        Object.fromEntries(
          Object.entries(inputs).map(([name, text]) => [name, text.replace('SECRET', long)]),
        ),
      );
      setEnvironment(others);
      expect(await catchTexts(() => collect(({ faults }) => hideSecrets(faults)))).toEqual([
        `${source} has a secret of more than 16 KiB: check what it is set to.`,
      ]);
      expect(takeMasks()).toEqual([`last-of-${source.length}`]);
    },
  );

  test('takes a secret of 16 KiB', async () => {
    const token = 'x'.repeat(16 * 1024);
    setInputs({ token });
    await collect(({ faults }) => hideSecrets(faults));
    expect(takeMasks()).toEqual([token]);
  });
});

test.each<[string, Texts, () => unknown]>([
  ['the token', { INPUT_TOKEN: 'on-return-1' }, hideToken],
  ['a header', { INPUT_HEADERS: 'X-Key: on-return-2' }, hideHeaders],
  ['a key', { 'INPUT_CLIENT-KEY': `${BEGIN}on-return-3${END}` }, hideClientKey],
  ['the key of a file', {}, () => hideKey(`${BEGIN}on-return-4${END}`)],
  ['the request token', { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'on-return-5' }, hideRequestToken],
  ['a password', { http_proxy: 'http://a:on-return-6@b' }, () => findProxy(new URL('http://c'))],
])('whatever reads %s has hidden it when it returns', (_, variables, read) => {
  setEnvironment(variables);
  read();
  const [secret = ''] = takeMasks();
  expect(secret).toMatch(/^on-return-\d$/);
  expect(clean(secret)).toBe('***');
});
