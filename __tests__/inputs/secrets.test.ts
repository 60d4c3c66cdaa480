import { describe, expect, test } from '@jest/globals';
import { readSecrets } from '../../src/inputs/secrets.ts';
import { setEnvironment } from '../support/environment.ts';
import { catchTexts, collect, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';

isolateEnvironment();

/** The secrets of these inputs, by what is done with them. */
async function listSecrets(inputs: Texts) {
  setInputs(inputs);
  const secrets = await collect(({ problems }) => readSecrets(problems));
  const list = (isWanted: (secret: (typeof secrets)[number]) => boolean) =>
    Array.from(new Set(secrets.filter(isWanted).map(({ value }) => value)));
  return {
    masked: list(({ isMasked }) => isMasked),
    hidden: list(({ isMasked }) => !isMasked),
    words: list(({ mayBeWords }) => mayBeWords),
  };
}

const [BEGIN, END] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
const KEY = `${BEGIN}\nMIGHAgEAMBMG\n  ByqGSM49AgEG \nshort\n${END}\n`;
const LINES = ['MIGHAgEAMBMG', 'ByqGSM49AgEG'];

describe('readSecrets', () => {
  test.each<[string, Texts, ...string[]]>([
    ['nothing of blank inputs', { token: ' \n\t', headers: '\n \r\n', 'client-key': '  ' }],
    ['a token of any length', { token: ' t \n' }, 't'],
    ['long lines of a token', { token: '{\r\n\nfirst-1\rsecond-2\n}' }, 'second-2'],
    ['the lines of a key between its markers', { 'client-key': KEY }, ...LINES],
    ['a key without line breaks', { 'client-key': `${BEGIN}\\nMIGHAgE\\n${END}` }, '\\nMIGHAgE\\n'],
    ['no path of a key file', { 'client-key': '/run/secrets/client-key.pem' }],
    ['a key in Base64', { 'client-key': LINES.join('\n') }, ...LINES],
  ])('masks %s, and takes it for no words', async (_, inputs, ...masked) => {
    expect(await listSecrets(inputs)).toEqual({ masked, hidden: [], words: [] });
  });

  test('masks the whole value of a credential header, which may be words', async () => {
    const value = 'Basic dXNlcjpwYXNz';
    const secrets = { masked: [value], hidden: [], words: [value] };
    const headers = `\n X-Key : ${value} \nX-Auth: 1234567`;
    expect(await listSecrets({ headers })).toEqual(secrets);
  });

  test('hides a value that may be a credential, also of a line that is no header', async () => {
    const headers = 'X-ApiKey: 12345678\nno-colon-of-a-token\nX-Repo: 87654321\nX-Sig: 1234567';
    const hidden = ['12345678', 'no-colon-of-a-token'];
    expect(await listSecrets({ headers })).toEqual({ masked: [], hidden, words: hidden });
  });

  test('masks the token that requests OIDC tokens', async () => {
    setEnvironment({ ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'requests' });
    expect(await listSecrets({})).toEqual({ masked: ['requests'], hidden: [], words: [] });
  });

  test.each<[string, Texts, ...string[]]>([
    ['as it is and decoded', { http_proxy: 'http://a:p%40ssword@b' }, 'p%40ssword', 'p@ssword'],
    ['without a scheme', { HTTPS_PROXY: ' a:pass:word@b:1\n' }, 'pass%3Aword', 'pass:word'],
    ['of a proxy that is not supported', { https_proxy: 'socks5://a:password@b' }, 'password'],
    ['not below 8 characters', { HTTP_PROXY: 'http://a:1234567@b' }],
    ['not without one', { https_proxy: 'http://user@host:8080' }],
  ])('masks the password of a proxy, which may be words: %s', async (_, variables, ...masked) => {
    setEnvironment(variables);
    expect(await listSecrets({})).toEqual({ masked, hidden: [], words: masked });
  });

  test('takes secrets of 16 KiB, and leaves out and reports larger ones', async () => {
    const token = 'x'.repeat(16 * 1024);
    expect(await listSecrets({ token })).toMatchObject({ masked: [token] });
    for (const inputs of [{ token: `${token}x` }, { headers: `X-Key: ${token}x` }]) {
      setInputs({ token: '', ...inputs });
      let secrets: unknown;
      const read = () => collect(({ problems }) => (secrets = readSecrets(problems)));
      expect(await catchTexts(read)).toEqual([
        'A secret has more than 16 KiB: a line of `token`, `client-key` or `headers`, or the password of a proxy. Check what it is set to.',
      ]);
      expect(secrets).toEqual([]);
    }
  });
});
