import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { readEarly, readInputs } from '../../src/inputs/inputs.ts';
import { makeFolder } from '../support/directories.ts';
import { SECRET, catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

// What teams really type, in the variables that the runner sets.

isolateEnvironment();
beforeEach(() => {
  setInputs({
    'base-url': 'https://scans.example',
    'scan-key': SCAN_KEY,
    files: 'a',
    token: SECRET,
  });
  for (const name of ['ACTOR', 'EVENT_NAME', 'EVENT_PATH']) delete process.env[`GITHUB_${name}`];
});

/** The problems with these inputs; fails if they are accepted, or if a secret is shown. */
function refuse(inputs: Texts): Promise<readonly string[]> {
  setInputs(inputs);
  return catchLaterProblems(readInputs(import.meta.dirname));
}

/** What to do about the inputs, if the error says it itself. */
async function listFixes(inputs: Texts): Promise<readonly string[]> {
  setInputs(inputs);
  const error: unknown = await readInputs(import.meta.dirname).catch((thrown: unknown) => thrown);
  return error instanceof InputError ? error.fixes : [];
}

test.each(['ghs_', 'ghp_', 'gho_', 'ghu_', 'ghr_', 'github_pat_'])(
  'a GitHub token is refused unless nothing is sent: %s',
  async (start) => {
    const token = `${start}${SECRET}`;
    expect(await refuse({ token })).toEqual(['`token` is a GitHub token; it was not sent.']);
    expect(await listFixes({ token })).toEqual([
      'Use the credential of the service, or `auth: oidc`. If the service takes GitHub tokens: `auth: none`, and the header in `headers`.',
    ]);
    setInputs({ 'dry-run': 'true' });
    await expect(readInputs(import.meta.dirname)).resolves.toMatchObject({ dryRun: true });
    setInputs({ 'dry-run': 'false', token: `x${token}` });
    await expect(readInputs(import.meta.dirname)).resolves.toMatchObject({ dryRun: false });
  },
);

test.each(['token', 'base-url', 'scan-key'])(
  '%s may be no text that stands for another',
  async (name) => {
    for (const text of ['secrets.SCAN_TOKEN', 'vars.X', 'env.A-b']) {
      expect(await refuse({ [name]: text })).toEqual([
        `\`${name}\` is the text ${text}: write \${{ ${text} }}.`,
      ]);
      expect(readEarly().secrets.masked).not.toContain(text);
    }
    expect(await refuse({ [name]: '${{ secrets.X }}' })).toEqual([
      `\`${name}\` is the text \${{ secrets.X }}: it is evaluated only in the workflow file.`,
    ]);
    expect(readEarly().secrets.masked.join()).not.toContain('secrets.X');
    for (const text of ['$CANARY', '${CANARY}', '$(CANARY)', '%CANARY%']) {
      expect(await refuse({ [name]: text })).toEqual([
        expect.stringMatching(/^`[a-z-]+` is the name of a variable of the shell, (?!.*CANARY)/),
      ]);
    }
    for (const quote of ['"', "'"]) {
      const text = `${quote}${SECRET}${quote}`;
      expect(await refuse({ [name]: text })).toEqual([`\`${name}\` is in quotes. Remove them.`]);
    }
  },
);

test.each([
  'a secrets.X',
  'secrets.',
  'secrets.a b',
  '$',
  '$a-b',
  'pa$word',
  '%a',
  'ghost',
  `"${SECRET}`,
  'xenv.A',
])('a token that only resembles one is accepted: %j', async (token) => {
  setInputs({ token });
  await expect(readInputs(import.meta.dirname)).resolves.toMatchObject({
    credential: { value: `Bearer ${token}` },
  });
});

test.each([
  ['scans.example.com', 'https://scans.example.com'],
  ['scans.example.com:8443/tenant/', 'https://scans.example.com:8443/tenant'],
  ['scans.example.com/v1/scanner/upload-file?a=b', 'https://scans.example.com'],
  ['https://a.example/x/v1/scanner', 'https://a.example/x'],
  ['https://a.example/v1/scanner/', 'https://a.example'],
  ['HTTPS://a.example/V1/Scanner/upload-file', 'HTTPS://a.example'],
  ['https://a.example/v1/scanner/upload-multiple-files//?key=x#y', 'https://a.example'],
])('the base-url %s is corrected to %s', async (text, meant) => {
  expect(await refuse({ 'base-url': text })).toEqual([
    expect.stringMatching(new RegExp(`^\`base-url\` must .* Set it to '${meant}'\\.$`)),
  ]);
});

test.each([
  `me:${SECRET}@scans.example.com`,
  `https://me:${SECRET}@a.example/v1/scanner/upload-file`,
  `ftp://${SECRET}.example`,
  `${'a'.repeat(64)}.example`,
  'scans.example.com2',
  'eyJhbGciOi.eyJzdWIiOi.c2VjcmV0X2',
  'secretwithoutadot',
  `https://a.example?${SECRET}`,
])('no base-url is proposed for %s', async (text) => {
  expect(await refuse({ 'base-url': text })).toEqual([expect.not.stringContaining('Set it')]);
});

test.each<[string, object | undefined, string, RegExp]>([
  ['no event', undefined, 'me', /^Check the name of the secret .* `secrets: inherit`\.$/],
  ['a push', {}, 'me', /^Check the name of the secret/],
  [
    'a fork',
    pull('fork/a', true),
    'me',
    /^Runs for forks get no secrets: set `dry-run: \$\{\{ github\.event\.pull_request\.head\.repo\.fork == true \}\}`\.$/,
  ],
  ['a branch', pull('base/a', false), 'me', /^Check the name/],
  ['a branch of a fork', pull('base/a', true), 'me', /^Check the name/],
  ['the original of a fork', pull('original/a', false), 'me', /^Check the name/],
  ['Dependabot', pull('base/a', false), 'dependabot[bot]', /^Runs for Dependabot get only its own/],
])('an empty token is explained by %s', async (_, event, actor, fix) => {
  const directory = await makeFolder();
  process.env.GITHUB_ACTOR = actor;
  if (event !== undefined) {
    process.env.GITHUB_EVENT_PATH = join(directory, 'event.json');
    writeFileSync(join(directory, 'event.json'), JSON.stringify(event));
  }
  expect(await refuse({ token: '' })).toEqual(['`token` is empty.']);
  expect(await listFixes({ token: '' })).toEqual([
    expect.stringMatching(fix),
    'To upload without a token, set `auth: oidc` or `auth: none`.',
  ]);
  if (!String(fix).includes('forks')) return;
  process.env.GITHUB_EVENT_NAME = 'pull_request_target';
  expect((await listFixes({ token: '' }))[0]).toMatch(/^Check the name/);
});

function pull(name: string, fork: boolean): object {
  const base = { repo: { full_name: 'base/a', fork: true } };
  return { pull_request: { head: { repo: { full_name: name, fork } }, base } };
}

const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };
const LIST = JSON.stringify([ENTRY]);

test.each([
  ['Array', '`scans` is the text Array: write ${{ toJSON(...) }}.'],
  ['Object', '`scans` is the text Object: write ${{ toJSON(...) }}.'],
  [JSON.stringify(LIST), '`scans` is a JSON text inside a text: remove one `toJSON`.'],
  [JSON.stringify(` \n${LIST}`), '`scans` is a JSON text inside a text: remove one `toJSON`.'],
  [JSON.stringify(ENTRY), '`scans` is one object: put it into [ ].'],
  [`- name: a\n  scan-key: ${SCAN_KEY}`, '`scans` is YAML: write a JSON array.'],
  ['scans:\n  - name: a', '`scans` is YAML: write a JSON array.'],
  [
    `[${JSON.stringify(ENTRY)},\n]`,
    '`scans` is not valid JSON: remove the comma before the bracket.',
  ],
  [
    '[{"name": "a", }]',
    '`scans` is not valid JSON (line 1, column 16): remove the comma before the bracket.',
  ],
  [
    JSON.stringify([{ scanKey: SCAN_KEY, scan_file: 'a', 'Scan key': SCAN_KEY }]),
    "scans[0]: Write `scan-key` in place of 'scanKey'.",
    "scans[0]: Write `scan-file` in place of 'scan_file'.",
    "scans[0]: Write `scan-key` in place of 'Scan key'.",
  ],
  [
    JSON.stringify([{ scan_key: SCAN_KEY, file: 'a', key: 'b' }]),
    "scans[0]: Write `scan-key` in place of 'scan_key'.",
    expect.stringMatching(/^scans\[0\]: Unknown properties 'file', 'key'\. An entry has name, /),
  ],
])('scans as %j is explained', async (scans, ...problems) => {
  expect(await refuse({ scans, 'scan-key': '', files: '' })).toEqual(problems);
});
