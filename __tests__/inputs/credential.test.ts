import { describe, expect, test } from '@jest/globals';
import { checkFork, readCredential } from '../../src/inputs/credential.ts';
import type { Credential } from '../../src/service/auth.ts';
import {
  SECRET,
  catchTexts,
  collect,
  isolateEnvironment,
  setEvent,
  setInputs,
} from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { setEnvironment } from '../support/workspace.ts';

isolateEnvironment();

/** The runner's variables in a job with `id-token: write`. */
const GRANTED = {
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://idp.example/token?v=1',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: SECRET,
};

async function readGiven(inputs: Texts, dryRun = false): Promise<Credential> {
  setInputs(inputs);
  const baseUrl = new URL('https://host.example:8443/tenant');
  return collect((reading) => readCredential(reading, baseUrl), { dryRun });
}

function makeToken(value: string, header = 'Authorization'): Credential {
  return { kind: 'token', header, value };
}

function makeOidc(header: string, prefix: string, audience: string): object {
  return { kind: 'oidc', header, prefix, audience };
}

const GITHUB = ['ghs_', 'ghp_', 'gho_', 'ghu_', 'ghr_', 'github_pat_'];
const REPEATED =
  'which `token-prefix` puts before it: remove it from the token, or set `token-prefix: none`.';
const CHARACTER =
  '`token` has a line break, or another character that a header cannot carry: save only the token as the secret.';

describe('readCredential', () => {
  test.each<[Texts, object]>([
    [{ token: ' abc\n' }, makeToken('Bearer abc')],
    [{ auth: 'none' }, { kind: 'none' }],
    [{ auth: 'oidc' }, makeOidc('Authorization', 'Bearer ', 'https://host.example:8443')],
    [{ token: 'Bearer abc', 'token-header': 'X-Key' }, makeToken('Bearer abc', 'X-Key')],
    [{ token: 'a', 'token-header': 'X-authorization' }, makeToken('Bearer a', 'X-authorization')],
    [{ token: 'a', 'token-header': 'Authorization-Key' }, makeToken('a', 'Authorization-Key')],
    [{ auth: 'oidc', 'oidc-audience': 'a', 'token-header': 'X-Id' }, makeOidc('X-Id', '', 'a')],
    // Texts that only resemble others.
    [{ token: `Bearer${SECRET}` }, makeToken(`Bearer Bearer${SECRET}`)],
    [{ token: `xghs_${SECRET}` }, makeToken(`Bearer xghs_${SECRET}`)],
  ])('reads %j', async (inputs, credential) => {
    expect(await readGiven(inputs)).toEqual(credential);
  });

  test.each<[Texts, string | undefined]>([
    [{}, 'proxy.example:3128'],
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

  test.each<[string, Texts]>([
    ...GITHUB.map((start): [string, Texts] => [
      "`token` is a GitHub token: use the service's credential, or `auth: oidc`. If the service takes GitHub tokens, write the header in `headers`, with `auth: none`.",
      { token: `${start}${SECRET}` },
    ]),
    [CHARACTER, { token: `${SECRET}\nX-Evil: 1` }],
    [CHARACTER, { token: `\u201c${SECRET}\u201d` }],
    [
      '`token-prefix` has a character that a header cannot carry. Remove it.',
      { auth: 'oidc', 'token-prefix': 'Bearer\nX-Evil: 1' },
    ],
    [`\`token\` begins with 'Bearer', ${REPEATED}`, { token: `bearer  ${SECRET}` }],
    [`\`token\` begins with 'Key', ${REPEATED}`, { token: `Key ${SECRET}`, 'token-prefix': 'Key' }],
    ['`token` is in quotes: remove them.', { token: `"${SECRET}"` }],
  ])('says %s of %j', async (problem, inputs) => {
    expect(await catchTexts(() => readGiven(inputs))).toEqual([problem]);
  });

  test('requires a token, except in a dry run', async () => {
    expect(await catchTexts(() => readGiven({ token: ' ' }))).toEqual([
      '`token` is empty.',
      "Save a secret for `secrets.NAME`, or give this repository the organization's; pass it to a called workflow.",
    ]);
    expect(await readGiven({}, true)).toEqual(makeToken('Bearer '));
    process.env['GITHUB_ACTOR'] = 'dependabot[bot]';
    expect(await catchTexts(() => readGiven({}))).toEqual([
      '`token` is empty in a run for Dependabot: save it as a Dependabot secret too.',
    ]);
  });
});

const FORK = { repository: { fork: true } };
const PULL = JSON.stringify({ ...FORK, pull_request: { head: { repo: { full_name: 'me/a' } } } });

test('checkFork says of a pull request from a fork that it gets nothing', async () => {
  await setEvent(PULL);
  for (const inputs of [{ token: ' ' }, { auth: 'oidc', token: SECRET }]) {
    setInputs(inputs);
    expect(await catchTexts(checkFork)).toEqual([
      'This run is for a pull request from a fork.',
      'Set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`: such runs get no secrets, variables or OIDC token.',
    ]);
  }
});

test('checkFork says of a fork that it has no secrets, unless it needs none', async () => {
  await setEvent(JSON.stringify(FORK));
  expect(await catchTexts(checkFork)).toEqual([
    '`token` is empty: this repository is a fork, without the secrets and variables of its parent.',
    "Add `if: github.repository == 'OWNER/REPO'` to the job, or save them in this repository too.",
  ]);
  setInputs({ auth: 'oidc' });
  await expect(checkFork()).resolves.toBeUndefined();
});

test.each<[Texts, Texts]>([
  [{ token: SECRET }, {}],
  [{ auth: 'none' }, {}],
  [{ auth: 'oidc' }, GRANTED],
])('checkFork accepts %j', async (inputs, variables) => {
  await setEvent(PULL);
  setInputs(inputs);
  setEnvironment(variables);
  await expect(checkFork()).resolves.toBeUndefined();
});
