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

async function read(inputs: Texts): Promise<Credential> {
  setInputs(inputs);
  return readCredential(() => new URL('https://host.example:8443/tenant'));
}

function refuseBaseUrl(): URL {
  throw new InputError('No base-url.');
}

describe('readCredential', () => {
  test.each<[Texts, Credential]>([
    [{ token: ' abc\n' }, { kind: 'token', header: 'Authorization', value: 'Bearer abc' }],
    [
      { token: 'abc', 'token-prefix': 'Token' },
      { kind: 'token', header: 'Authorization', value: 'Token abc' },
    ],
    [
      { token: 'abc', auth: '', 'token-prefix': '', 'token-header': '' },
      { kind: 'token', header: 'Authorization', value: 'Bearer abc' },
    ],
    [{ auth: 'none' }, { kind: 'none' }],
    [
      { auth: 'oidc' },
      {
        kind: 'oidc',
        header: 'Authorization',
        prefix: 'Bearer ',
        audience: 'https://host.example:8443',
      },
    ],
    [
      { token: 'abc', 'token-header': 'X-Key' },
      { kind: 'token', header: 'X-Key', value: 'abc' },
    ],
    [
      { token: 'Bearer abc', 'token-header': 'X-Key' },
      { kind: 'token', header: 'X-Key', value: 'Bearer abc' },
    ],
    [
      { token: 'abc', 'token-header': 'X-Key', 'token-prefix': 'Bearer' },
      { kind: 'token', header: 'X-Key', value: 'Bearer abc' },
    ],
    [
      { token: 'abc', 'token-header': 'X-Forwarded-authorization' },
      { kind: 'token', header: 'X-Forwarded-authorization', value: 'Bearer abc' },
    ],
    [
      { token: 'abc', 'token-header': 'Authorization-Key' },
      { kind: 'token', header: 'Authorization-Key', value: 'abc' },
    ],
    [
      { token: 'abc', 'token-prefix': 'none' },
      { kind: 'token', header: 'Authorization', value: 'abc' },
    ],
    [
      { auth: 'oidc', 'oidc-audience': 'scans', 'token-header': 'X-Id' },
      { kind: 'oidc', header: 'X-Id', prefix: '', audience: 'scans' },
    ],
  ])('reads %j', async (inputs, credential) => {
    expect(await read(inputs)).toEqual(credential);
  });

  test.each<[Texts, string | undefined]>([
    [{}, 'proxy.example:3128'],
    [{ no_proxy: 'host.example' }, 'proxy.example:3128'],
    [{ no_proxy: 'idp.example' }, undefined],
  ])(
    'reads where OIDC tokens come from, and the proxy for that host: %j',
    async (variables, host) => {
      Object.assign(process.env, { ...GRANTED, https_proxy: 'proxy.example:3128', ...variables });
      const credential = await read({ auth: 'oidc' });
      const source = credential.kind === 'oidc' ? credential.source : undefined;
      expect(source).toMatchObject({
        url: new URL('https://idp.example/token?v=1'),
        token: SECRET,
      });
      expect(source?.proxy?.url.host).toBe(host);
    },
  );

  test.each(Object.keys(GRANTED))('knows no source of OIDC tokens without %s', async (name) => {
    Object.assign(process.env, { ...GRANTED, [name]: '' });
    expect(await read({ auth: 'oidc' })).toHaveProperty('source', undefined);
  });

  test('refuses a source of OIDC tokens, or a proxy to it, that is no URL', async () => {
    Object.assign(process.env, { ...GRANTED, https_proxy: 'socks5://proxy' });
    const proxy = expect.stringMatching(/^The environment variable https_proxy names a socks5/);
    expect(await catchLaterProblems(read({ auth: 'oidc' }))).toEqual([proxy]);
    process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] = 'idp.example';
    const url = expect.stringMatching(/^The environment variable ACTIONS_ID_TOKEN_REQUEST_URL /);
    expect(await catchLaterProblems(read({ auth: 'oidc' }))).toEqual([url]);
  });

  test('needs the base URL only for the default audience', async () => {
    setInputs({ auth: 'oidc', 'oidc-audience': 'scans' });
    expect(await readCredential(refuseBaseUrl)).toMatchObject({ audience: 'scans' });
    setInputs({ 'oidc-audience': '' });
    expect(await catchLaterProblems(readCredential(refuseBaseUrl))).toEqual(['No base-url.']);
  });

  test.each<[Texts, RegExp]>([
    [{ auth: 'basic' }, /^`auth` must be one of token, oidc, none, not 'basic'\.$/],
    [{ token: `${SECRET}\nX-Evil: 1` }, /^`token` has several lines\. Save only the token /],
    [{ token: `{"token":"${SECRET}"}` }, /^`token` is JSON\. Save only the token /],
    [{ token: `["${SECRET}"]` }, / is JSON\. /],
    [{ token: `user\r${SECRET}` }, /^`token` has several lines\. /],
    [{ token: `\u201c${SECRET}\u201d` }, /^`token` has a character that a header cannot carry\. /],
    [
      { token: SECRET, 'token-header': 'X Key' },
      /^`token-header` is not a valid header name: it is the name alone\.$/,
    ],
    [{ auth: 'oidc', 'token-header': 'Content-Length' }, /^`token-header` must not be Content-L/],
    [{ token: SECRET, 'token-prefix': 'Bearer\nX-Evil: 1' }, /^`token-prefix` /],
  ])('refuses %j', async (inputs, message) => {
    expect(await catchLaterProblems(read(inputs))).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    [`Bearer ${SECRET}`, undefined, 'Bearer'],
    [`bearer  ${SECRET}`, undefined, 'Bearer'],
    [`ApiKey ${SECRET}`, 'ApiKey', 'ApiKey'],
  ])(
    'refuses a token that begins with its prefix, without repeating the token: %j',
    async (token, prefix, shown) => {
      const inputs = { token, ...(prefix !== undefined && { 'token-prefix': prefix }) };
      const problems = await catchLaterProblems(read(inputs));
      expect(problems).toEqual([
        `\`token\` begins with '${shown}', which \`token-prefix\` puts before it. Remove it from the token, or set \`token-prefix: none\`.`,
      ]);
      expect(problems.join('')).not.toContain(SECRET);
    },
  );

  test.each([
    [`Bearer${SECRET}`, 'Bearer', `Bearer Bearer${SECRET}`],
    [`Bearer ${SECRET}`, 'none', `Bearer ${SECRET}`],
  ])('accepts the token %j with the prefix %s unchanged', async (token, prefix, value) => {
    expect(await read({ token, 'token-prefix': prefix })).toMatchObject({ value });
  });

  test('refuses a user name and a password that are not in Base64', async () => {
    const problem = 'With `token-prefix: Basic`, `token` must be user:password in Base64.';
    const inputs = { token: `me:${SECRET}`, 'token-prefix': 'Basic' };
    expect(await catchLaterProblems(read(inputs))).toEqual([problem]);
    expect(await read({ ...inputs, token: 'bWU6cHc=' })).toMatchObject({ value: 'Basic bWU6cHc=' });
  });

  test('reports all problems', async () => {
    const inputs = { token: `${SECRET}\0`, 'token-header': 'Host', 'token-prefix': 'Bear\u0435r' };
    expect(await catchLaterProblems(read(inputs))).toEqual([
      expect.stringMatching(/^`token-header` must not be Host/),
      expect.stringMatching(/^`token-prefix` /),
      expect.stringMatching(/^`token` has a character/),
    ]);
  });
});
