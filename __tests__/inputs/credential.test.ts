import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { readCredential } from '../../src/inputs/credential.ts';
import type { Credential } from '../../src/service/settings.ts';
import { SECRET, catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';

isolateEnvironment();

/** The runner's variables in a job with `id-token: write`. */
const GRANTED = {
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://idp.example/token?v=1',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: SECRET,
};

async function readGiven(inputs: Texts): Promise<Credential> {
  setInputs(inputs);
  return readCredential(() => new URL('https://host.example:8443/tenant'));
}

function refuseBaseUrl(): URL {
  throw new InputError('No base-url.');
}

function makeToken(value: string, header = 'Authorization'): Credential {
  return { kind: 'token', header, value };
}

function makeOidc(header: string, prefix: string, audience: string): object {
  return { kind: 'oidc', header, prefix, audience };
}

const HEADER_NAME = '`token-header` is not a valid header name: it is the name alone.';
const REPEATED = 'which `token-prefix` puts before it. Remove it from ';
const NOT_BASE64 = 'With `token-prefix: Basic`, `token` must be user:password in Base64.';

describe('readCredential', () => {
  test.each<[Texts, object]>([
    [{ token: ' abc\n' }, makeToken('Bearer abc')],
    [{ token: 'abc', 'token-prefix': 'Token' }, makeToken('Token abc')],
    [{ token: 'abc', auth: '', 'token-prefix': '', 'token-header': '' }, makeToken('Bearer abc')],
    [{ auth: 'none' }, { kind: 'none' }],
    [{ auth: 'oidc' }, makeOidc('Authorization', 'Bearer ', 'https://host.example:8443')],
    [{ token: 'abc', 'token-header': 'X-Key' }, makeToken('abc', 'X-Key')],
    [{ token: 'Bearer abc', 'token-header': 'X-Key' }, makeToken('Bearer abc', 'X-Key')],
    [{ token: 'a', 'token-header': 'X-Key', 'token-prefix': 'B' }, makeToken('B a', 'X-Key')],
    [{ token: 'a', 'token-header': 'X-authorization' }, makeToken('Bearer a', 'X-authorization')],
    [{ token: 'a', 'token-header': 'Authorization-Key' }, makeToken('a', 'Authorization-Key')],
    [{ token: 'abc', 'token-prefix': 'none' }, makeToken('abc')],
    [{ auth: 'oidc', 'oidc-audience': 'a', 'token-header': 'X-Id' }, makeOidc('X-Id', '', 'a')],
    // Prefixes that are not repeated.
    [{ token: `Bearer${SECRET}` }, makeToken(`Bearer Bearer${SECRET}`)],
    [{ token: `Bearer ${SECRET}`, 'token-prefix': 'none' }, makeToken(`Bearer ${SECRET}`)],
    [{ token: 'bWU6cHc=', 'token-prefix': 'Basic' }, makeToken('Basic bWU6cHc=')],
  ])('reads %j', async (inputs, credential) => {
    expect(await readGiven(inputs)).toEqual(credential);
  });

  test.each<[Texts, string | undefined]>([
    [{}, 'proxy.example:3128'],
    [{ no_proxy: 'host.example' }, 'proxy.example:3128'],
    [{ no_proxy: 'idp.example' }, undefined],
  ])(
    'reads where OIDC tokens come from, and the proxy for that host: %j',
    async (variables, host) => {
      Object.assign(process.env, { ...GRANTED, https_proxy: 'proxy.example:3128', ...variables });
      const credential = await readGiven({ auth: 'oidc' });
      const source = credential.kind === 'oidc' ? credential.source : undefined;
      const url = new URL('https://idp.example/token?v=1');
      expect(source).toMatchObject({ url, token: SECRET });
      expect(source?.proxy?.url.host).toBe(host);
    },
  );

  test.each(Object.keys(GRANTED))('knows no source of OIDC tokens without %s', async (name) => {
    Object.assign(process.env, { ...GRANTED, [name]: '' });
    expect(await readGiven({ auth: 'oidc' })).toHaveProperty('source', undefined);
  });

  test('refuses a source of OIDC tokens, or a proxy to it, that is no URL', async () => {
    Object.assign(process.env, { ...GRANTED, https_proxy: 'socks5://proxy' });
    const proxy = expect.stringMatching(/^The environment variable https_proxy names a socks5/);
    expect(await catchLaterProblems(readGiven({ auth: 'oidc' }))).toEqual([proxy]);
    process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] = 'idp.example';
    const url = expect.stringMatching(/^The environment variable ACTIONS_ID_TOKEN_REQUEST_URL /);
    expect(await catchLaterProblems(readGiven({ auth: 'oidc' }))).toEqual([url]);
  });

  test('needs the base URL only for the default audience', async () => {
    setInputs({ auth: 'oidc', 'oidc-audience': 'scans' });
    expect(await readCredential(refuseBaseUrl)).toMatchObject({ audience: 'scans' });
    setInputs({ 'oidc-audience': '' });
    expect(await catchLaterProblems(readCredential(refuseBaseUrl))).toEqual(['No base-url.']);
  });

  test.each<[string, Texts]>([
    ["`auth` must be one of token, oidc, none, not 'basic'.", { auth: 'basic' }],
    ['`token` has several lines. Save only ', { token: `${SECRET}\nX-Evil: 1` }],
    ['`token` is JSON. ', { token: `{"token":"${SECRET}"}` }],
    ['`token` is JSON. ', { token: `["${SECRET}"]` }],
    ['`token` has several lines. ', { token: `user\r${SECRET}` }],
    ['`token` has a character that a header cannot carry. ', { token: `\u201c${SECRET}\u201d` }],
    [HEADER_NAME, { token: SECRET, 'token-header': 'X Key' }],
    ['`token-header` must not be Content-L', { auth: 'oidc', 'token-header': 'Content-Length' }],
    ['`token-prefix` ', { token: SECRET, 'token-prefix': 'Bearer\nX-Evil: 1' }],
    [`\`token\` begins with 'Bearer', ${REPEATED}`, { token: `Bearer ${SECRET}` }],
    [`\`token\` begins with 'Bearer', ${REPEATED}`, { token: `bearer  ${SECRET}` }],
    ["`token` begins with 'Key', ", { token: `Key ${SECRET}`, 'token-prefix': 'Key' }],
    [NOT_BASE64, { token: `me:${SECRET}`, 'token-prefix': 'Basic' }],
  ])('refuses row %#: %s', async (problem, inputs) => {
    const [shown = '', ...more] = await catchLaterProblems(readGiven(inputs));
    expect([shown.slice(0, problem.length), ...more]).toEqual([problem]);
  });

  test('reports all problems', async () => {
    const inputs = { token: `${SECRET}\0`, 'token-header': 'Host', 'token-prefix': 'Bear\u0435r' };
    expect(await catchLaterProblems(readGiven(inputs))).toEqual([
      expect.stringMatching(/^`token-header` must not be Host/),
      expect.stringMatching(/^`token-prefix` /),
      expect.stringMatching(/^`token` has a character/),
    ]);
  });
});
