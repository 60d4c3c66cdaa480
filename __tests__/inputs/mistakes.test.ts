import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { readInputs } from '../../src/inputs/inputs.ts';
import { readSecrets } from '../../src/inputs/secrets.ts';
import { makeFolder } from '../support/directories.ts';
import { SECRET, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

// What a message says about what teams really type, in the variables that the runner sets, and what it does not say.

isolateEnvironment();
beforeEach(() => {
  const url = 'https://scans.example';
  setInputs({ 'base-url': url, 'scan-key': SCAN_KEY, files: 'a', token: SECRET });
  for (const name of ['ACTOR', 'EVENT_NAME', 'EVENT_PATH']) delete process.env[`GITHUB_${name}`];
});

/** The lines of the message about these inputs; none if they are accepted. Fails if a secret is shown. */
async function explain(inputs: Texts): Promise<readonly string[]> {
  setInputs(inputs);
  return readInputs(import.meta.dirname).then(() => [], listLines);
}

function listLines(error: unknown): readonly string[] {
  if (!(error instanceof InputError)) throw error;
  expect(error.message).not.toContain(SECRET);
  return [...error.problems, ...error.fixes];
}

function listValues(): readonly string[] {
  return readSecrets().map(({ value }) => value);
}

function tooLong(name: string): string {
  return `A line of \`${name}\` has more than 16 KiB. Check what it is set to.`;
}

function rename(given: string, name: string): string {
  return `\`${given}\` is no input of this action: write \`${name}\`.`;
}

const LISTED = 'Inputs that this action does not have:';
const URL_REQUIRED = '`base-url` is required. Set it to the URL of the service.';
const KEY_REQUIRED = '`scan-key` is required. Set it to the UUID of the scan.';
const TOKEN_REQUIRED =
  '`token` is empty. Set it to a secret, which a called workflow gets only by its name or with `secrets: inherit`. To upload without a token, set `auth: oidc` or `auth: none`.';
const NO_HOST = expect.stringMatching(/^`base-url` has no host name: an expression after https/);
const NO_SCAN = expect.stringMatching(
  /^`scan-key`, `files` and `scans` are empty\. Set .*empty\.$/,
);
const IN_HEADERS =
  '`token` is empty. `headers` has a credential: set `token` to it, with `token-header: X-Api-Key`, or set `auth: none`.';
const NO_VALUE = '`headers`, line 1: X-Api-Key has no value (an empty secret?).';
const IN_ENVIRONMENT =
  'SCAN_UPLOAD_TOKEN is in `env:`, which the action does not read: write `token:` under `with:`.';
const OF_DEPENDABOT =
  'Runs for Dependabot get only its own secrets: save the token as a Dependabot secret too.';
const EMPTY = expect.stringMatching(
  /^If an expression is empty, check the name in it, .*, has it; for `vars` as a variable, not as a secret\. The output of another job needs `outputs:` there and `needs:` here\.$/,
);
const ANY = [TOKEN_REQUIRED, EMPTY];

test.each<[Texts, ...unknown[]]>([
  // Names in another spelling.
  [{ 'base-url': '', base_url: 'https://a.example' }, rename('base_url', 'base-url')],
  [
    { 'scan-key': '', scankey: SCAN_KEY, Max_Parallel: '2', retries: 'x' },
    rename('scankey', 'scan-key'),
    rename('max_parallel', 'max-parallel'),
  ],
  [{ dryrun: 'true' }, rename('dryrun', 'dry-run')],
  [{ 'dry-run': 'true', dry_run: 'false' }, rename('dry_run', 'dry-run')],
  [{ Token_: SECRET, token: '' }, rename('token_', 'token')],
  // Those of a composite action.
  [{ base_url: ' https://scans.example\n', dry_run: '', scankey: SCAN_KEY }],
  // Other names.
  [{ url: 'a', 'base-urls': 'b', retry: '3', timeout: '1' }],
  [{ retries: 'x', url: 'a' }, expect.stringMatching(/^`retries` must be/)],
  [
    { 'base-url': '', url: 'https://a.example', 'API-Key': SECRET },
    URL_REQUIRED,
    `${LISTED} \`url\`, \`api-key\`.`,
    EMPTY,
  ],
  [
    { files: '', file: 'a.json' },
    expect.stringMatching(/^No files are named\. /),
    `${LISTED} \`file\`.`,
    EMPTY,
  ],
  [
    { token: '', ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`x${at}`, ''])) },
    TOKEN_REQUIRED,
    expect.stringMatching(/ `x0`, .*, `x9` and 2 more\.$/),
    EMPTY,
  ],
  [
    { token: '', ['x'.repeat(51)]: '', ['y'.repeat(50)]: '' },
    TOKEN_REQUIRED,
    `${LISTED} \`${'y'.repeat(50)}\`.`,
    EMPTY,
  ],
  // Several that are missing.
  [{ 'base-url': '', 'scan-key': '', token: '' }, URL_REQUIRED, KEY_REQUIRED, ...ANY],
  [{ 'base-url': 'https://', 'scan-key': '', files: '', auth: 'none' }, NO_HOST, NO_SCAN, EMPTY],
  [
    { 'scan-key': '', files: '', scans: '[{"scan-file":"a"},{"scan-file":"b"}]' },
    `scans[0]: ${KEY_REQUIRED}`,
    `scans[1]: ${KEY_REQUIRED}`,
    EMPTY,
  ],
  // A token that is empty, by what else is set.
  [{ token: '', headers: `X-Trace: a\nX-Api-Key: ${SECRET}` }, IN_HEADERS],
  [{ token: '', headers: 'X-Api-Key:' }, TOKEN_REQUIRED, NO_VALUE, EMPTY],
  [
    { token: '', 'oidc-audience': 'a' },
    '`token` is empty. `oidc-audience` is set: set `auth: oidc` with it.',
  ],
  // Expressions with a brace or the dollar sign missing.
  ...['{{ vars.KEY }}', '${ vars.KEY }', 'vars.KEY', '${{vars.KEY}'].map(
    (text): [Texts, string] => [
      { 'scan-key': text },
      `\`scan-key\` is the text ${text}: write \${{ vars.KEY }}.`,
    ],
  ),
  // Values in each other's place.
  [
    { token: SCAN_KEY, 'scan-key': SECRET },
    '`scan-key` is not a UUID, but `token` is one: are they swapped?',
  ],
  [{ token: SCAN_KEY }],
  // Expressions without their braces.
  ...["github.event_name == 'push'", '!inputs.dry', "push != 'a'"].map((text): [Texts, string] => [
    { 'dry-run': text },
    `\`dry-run\` must be true or false, not '${text}'. Write \${{ ... }} around the whole expression.`,
  ]),
  [
    { 'scan-key': 'needs.a.outputs.key' },
    expect.stringMatching(/ Write \$\{\{ \.\.\. \}\} around/),
  ],
  [{ retries: '1.5' }, expect.stringMatching(/, not '1\.5'\.$/)],
])('explains the inputs of row %#', async (inputs, ...lines) => {
  expect(await explain(inputs)).toEqual(lines);
});

test.each([
  ['SCAN_UPLOAD_TOKEN', SECRET, IN_ENVIRONMENT],
  ['GITHUB_ACTOR', 'dependabot[bot]', OF_DEPENDABOT],
])('says of an empty token with the variable %s where one belongs', async (name, text, problem) => {
  process.env[name] = text;
  expect(await explain({ token: '' })).toEqual([`\`token\` is empty. ${problem}`]);
});

const FORK = [
  'This run for a fork has not all that an upload needs.',
  'Runs for forks get no secrets, no variables and no OIDC token, unless the repository sends them: set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`.',
];
const OIDC: Texts = { auth: 'oidc', token: '' };

test.each<[string, object, Texts, readonly unknown[]]>([
  ['a fork', pull('fork/a', true), { token: '', url: 'a', retries: 'x' }, FORK],
  ['a fork', pull('fork/a', true), { 'base-url': '', 'scan-key': '', token: '' }, FORK],
  ['a fork', pull('fork/a', true), OIDC, FORK],
  ['a fork', pull('fork/a', true), { ...OIDC, 'base-url': '' }, FORK],
  ['a fork', pull('fork/a', true), { retries: 'x' }, [expect.stringMatching(/^`retries`/)]],
  ['a fork', pull('fork/a', true), { ...OIDC, 'dry-run': 'true' }, []],
  ['a push', {}, { token: '' }, ANY],
  ['a push', {}, OIDC, []],
  ['a branch', pull('base/a', false), { token: '' }, ANY],
  ['a branch of a fork', pull('base/a', true), { token: '' }, ANY],
  ['the original of a fork', pull('original/a', false), { token: '' }, ANY],
])('says who gets no secrets, in a run for %s (%#)', async (_, event, inputs, lines) => {
  const path = join(await makeFolder(), 'event.json');
  writeFileSync(path, JSON.stringify(event));
  process.env['GITHUB_EVENT_PATH'] = path;
  expect(await explain(inputs)).toEqual(lines);
  // Such a run gets secrets.
  process.env['GITHUB_EVENT_NAME'] = 'pull_request_target';
  expect(await explain(inputs)).not.toEqual(FORK);
});

function pull(name: string, fork: boolean): object {
  const base = { repo: { full_name: 'base/a', fork: true } };
  return { pull_request: { head: { repo: { full_name: name, fork } }, base } };
}

test('secrets in lines of more than 16 KiB are refused', async () => {
  const text = 'x'.repeat(16 * 1024);
  const headers = `A: ${text.slice(3)}\nB: ${text.slice(3)}`;
  expect(await explain({ token: text, headers })).toEqual([]);
  const inputs = { token: `${text}x`, headers: `A: ${text}`, 'dry-run': 'true' };
  expect(await explain(inputs)).toEqual([tooLong('token'), tooLong('headers')]);
  const key = `-----BEGIN PRIVATE KEY-----\n${text}x`;
  expect(await explain({ 'client-key': key })).toContain(tooLong('client-key'));
});

test.each(['ghs_', 'ghp_', 'gho_', 'ghu_', 'ghr_', 'github_pat_'])(
  'a GitHub token is refused unless nothing is sent: %s',
  async (start) => {
    const token = `${start}${SECRET}`;
    expect(await explain({ token })).toEqual([
      '`token` is a GitHub token; it was not sent. Use the credential of the service, or `auth: oidc`. If the service takes GitHub tokens: `auth: none`, and the header in `headers`.',
    ]);
    expect(await explain({ token, 'dry-run': 'true' })).toEqual([]);
    expect(await explain({ token: `x${token}`, 'dry-run': 'false' })).toEqual([]);
  },
);

test.each(['token', 'base-url', 'scan-key'])(
  '%s may be no text that stands for another',
  async (name) => {
    for (const text of ['secrets.SCAN_TOKEN', 'vars.X', 'env.A-b']) {
      expect(await explain({ [name]: text })).toEqual([
        `\`${name}\` is the text ${text}: write \${{ ${text} }}.`,
      ]);
      expect(listValues()).not.toContain(text);
    }
    expect(await explain({ [name]: '${{ secrets.X }}' })).toEqual([
      `\`${name}\` is the text \${{ secrets.X }}: it is evaluated only in the workflow file.`,
    ]);
    expect(listValues().join()).not.toContain('secrets.X');
    const shell = 'is the name of a variable of the shell, which `with:` does not replace. Write';
    const contexts = name === 'token' ? ['secrets'] : ['vars', 'env'];
    for (const text of ['$A_KEY', '$env:A_KEY', '${A_KEY}', '$(A_KEY)', '%A_KEY%', '$canary']) {
      const shown = text === '$canary' ? 'NAME' : 'A_KEY';
      const written = contexts.map((context) => `\${{ ${context}.${shown} }}`).join(' or ');
      expect(await explain({ [name]: text })).toEqual([`\`${name}\` ${shell} ${written}.`]);
      const isSecret = name === 'token' && shown === 'NAME';
      expect(listValues().includes(text)).toBe(isSecret);
    }
    for (const quote of ['"', "'"]) {
      const text = `${quote}${SECRET}${quote}`;
      expect(await explain({ [name]: text })).toEqual([`\`${name}\` is in quotes. Remove them.`]);
    }
  },
);

const RESEMBLING = 'secrets. $ $a-b pa$word %a ghost xenv.A'.split(' ');

test.each([...RESEMBLING, 'a secrets.X', 'secrets.a b', `"${SECRET}`])(
  'a token that only resembles one is accepted: %j',
  async (token) => {
    expect(await explain({ token })).toEqual([]);
  },
);

test.each([
  ['scans.example.com', 'https://scans.example.com'],
  ['scans.example.com:8443/tenant/', 'https://scans.example.com:8443/tenant'],
  ['scans.example.com/v1/scanner/upload-file?a=b', 'https://scans.example.com'],
  ['https://a.example/x/v1/scanner', 'https://a.example/x'],
  ['https://a.example/v1/scanner/', 'https://a.example'],
  ['HTTPS://a.example/V1/Scanner/upload-file', 'HTTPS://a.example'],
  ['https://a.example/v1/scanner/upload-multiple-files//?key=x#y', 'https://a.example'],
  ['https://a.example:8443/app?tab=1', 'https://a.example:8443/app'],
  ['https://a.example/#/scans/1', 'https://a.example'],
  [`https://me:${SECRET}@a.example/v1/scanner/upload-file`, 'https://a.example'],
])('the base-url %s is corrected', async (text, meant) => {
  expect(await explain({ 'base-url': text })).toEqual([
    expect.stringMatching(new RegExp(`^\`base-url\` must .* Set it to '${meant}'\\.$`)),
  ]);
});

test.each([
  `me:${SECRET}@scans.example.com`,
  `https://me:a@${SECRET}@a.example`,
  `https://me:1?${SECRET}@a.example`,
  `https://me:1#${SECRET}@a.example`,
  `https://https://a.example?a`,
  `ftp://${SECRET}.example`,
  `${'a'.repeat(64)}.example`,
  'scans.example.com2',
  'eyJhbGciOi.eyJzdWIiOi.c2VjcmV0X2',
  'secretwithoutadot',
])('no base-url is proposed for %s', async (text) => {
  expect(await explain({ 'base-url': text })).toEqual([expect.not.stringContaining('Set it')]);
});
