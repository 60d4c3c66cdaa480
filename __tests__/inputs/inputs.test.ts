import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readManifest } from '../../local/step/manifest.ts';
import { Faults } from '../../src/inputs/fields.ts';
import { readInputs, readTimeLimit } from '../../src/inputs/inputs.ts';
import { SECRET, catchTexts, isolateEnvironment, setEvent, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { makeCertificate } from '../support/network.ts';
import { SCAN_KEY } from '../support/workspace.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');
const OTHER_KEY = '01890a5d-ac96-774b-bcce-b302099a8057';

const REQUIRED: Texts = {
  'base-url': 'https://host.example/tenant',
  'scan-key': SCAN_KEY,
  files: 'scan.json',
  token: SECRET,
};
/** What a run without secrets and variables has. */
const EMPTY: Texts = { 'base-url': '', 'scan-key': '', token: '' };

isolateEnvironment();
beforeEach(() => setInputs(REQUIRED));

/** The inputs as plain data. */
async function readStep(inputs: Texts = {}): Promise<object> {
  setInputs(inputs);
  const faults = new Faults();
  readTimeLimit(faults);
  const { baseUrl, ...others } = await readInputs(REPOSITORY, faults);
  return { ...others, baseUrl: baseUrl?.href };
}

function select(...selection: readonly (readonly [string, string])[]): object {
  return {
    scans: [{ selection: selection.map(([input, text]) => ({ input, patterns: [{ text }] })) }],
  };
}

function tokenIn(header: string, value: string): object {
  return { credential: { kind: 'token', header, value } };
}

const PAIR: Texts = { files: '', 'dependencies-file': 'a', 'vulnerabilities-file': 'b' };
const SELECTED = [['dependencies-file', 'a'] as const, ['vulnerabilities-file', 'b'] as const];
const SCANS = `[{"name":"web","scan-key":"${OTHER_KEY}","files":"scan.json"}]`;
const OIDC = { auth: 'oidc', token: '', 'oidc-audience': 'scans' };

/** What each input changes, except the inputs for certificates, which have a test below. */
const EFFECTS: readonly (readonly [string, Texts, object])[] = [
  ['base-url', { 'base-url': 'https://b' }, { baseUrl: 'https://b/' }],
  ['scan-key', { 'scan-key': OTHER_KEY }, { scans: [{ scanKey: OTHER_KEY }] }],
  ['files', { files: '**' }, select(['files', '**'])],
  ['scan-file', { files: '', 'scan-file': 'a' }, select(['scan-file', 'a'])],
  ['dependencies-file, vulnerabilities-file', PAIR, select(...SELECTED)],
  ['scans', { 'scan-key': '', files: '', scans: SCANS }, { scans: [{ label: 'web' }] }],
  ['max-parallel', { 'max-parallel': '32' }, { maxParallel: 32 }],
  ['auth', { auth: 'none', token: '' }, { credential: { kind: 'none' } }],
  ['token', { token: 't' }, tokenIn('Authorization', 'Bearer t')],
  ['token-header', { 'token-header': 'X-Key' }, tokenIn('X-Key', SECRET)],
  ['token-prefix', { 'token-prefix': 'none' }, tokenIn('Authorization', SECRET)],
  ['oidc-audience', OIDC, { credential: { kind: 'oidc', audience: 'scans' } }],
  ['headers', { headers: 'X-A: 1' }, { headers: [{ name: 'X-A', value: '1' }] }],
  ['if-no-files-found', { 'if-no-files-found': 'warn' }, { noFiles: 'warn' }],
  ['include-hidden-files', { 'include-hidden-files': 'true' }, { includeHidden: true }],
  ['content-check', { 'content-check': 'off' }, { contentCheck: 'off' }],
  ['dry-run', { 'dry-run': 'True' }, { dryRun: true, scans: [{ scanKey: SCAN_KEY }] }],
  ['retries', { retries: '0' }, { retries: 0 }],
  ['stall-timeout-seconds', { 'stall-timeout-seconds': '1' }, { stallMs: 1000 }],
  ['allow-http', { 'allow-http': 'true', 'base-url': 'http://b' }, { baseUrl: 'http://b/' }],
];

test.each([
  ['', 900_000],
  ['432000', 432_000_000],
  ['432001', 900_000],
])('readTimeLimit returns the milliseconds of %j', (text, milliseconds) => {
  setInputs({ 'timeout-seconds': text });
  expect(readTimeLimit(new Faults())).toBe(milliseconds);
});

describe('readInputs', () => {
  test('reads an empty string, as reusable workflows pass it, as the default of action.yml', async () => {
    const { inputs } = await readManifest(REPOSITORY);
    const list = (read: (input: (typeof inputs)[number]) => string): Texts =>
      Object.fromEntries(inputs.map((input) => [input.name, read(input)]));
    const byDefault = await readStep({ ...list((input) => input.default), ...REQUIRED });
    expect(await readStep({ ...list(() => ''), ...REQUIRED })).toEqual(byDefault);
  });

  test.each(EFFECTS)('%s changes what is read', async (_, inputs, expected) => {
    expect(await readStep(inputs)).toMatchObject(expected);
  });

  test('ca-cert, client-cert, client-key change what is read', async () => {
    const { cert, key } = await makeCertificate('client');
    const inputs = { 'ca-cert': cert, 'client-cert': cert, 'client-key': key };
    const tls = { ca: cert.trim(), cert: cert.trim(), key: key.trim() };
    expect(await readStep(inputs)).toMatchObject({ tls });
  });

  test('is tested above with every input of action.yml', async () => {
    const { inputs } = await readManifest(REPOSITORY);
    const names = EFFECTS.flatMap(([name]) => name.split(', '));
    const others = ['ca-cert', 'client-cert', 'client-key', 'timeout-seconds'];
    expect([...names, ...others].toSorted()).toEqual(inputs.map(({ name }) => name).toSorted());
  });

  test('reads the proxy for base-url, and whether a header carries the token', async () => {
    process.env.https_proxy = 'proxy.example:3128';
    const url = new URL('http://proxy.example:3128');
    expect(await readStep()).toMatchObject({ proxy: { url } });
    const inputs = { 'token-header': 'X-Key', headers: `x-key: ${SECRET}` };
    expect(await catchTexts(() => readStep(inputs))).toEqual([
      expect.stringMatching(/^`headers`, line 1: x-key carries the token: use `token`/),
    ]);
  });

  test.each([
    ['max-parallel', ['0', '33'], 'a whole number from 1 to 32'],
    ['retries', ['-1', '101'], 'a whole number from 0 to 100'],
    ['stall-timeout-seconds', ['0', '432001'], 'a whole number from 1 to 432000'],
    ['timeout-seconds', ['0', '15m'], 'a whole number from 1 to 432000'],
  ])('refuses %s: %s', async (name, texts, expected) => {
    for (const text of texts) {
      expect(await catchTexts(() => readStep({ [name]: text }))).toEqual([
        `\`${name}\` must be ${expected}, not '${text}'.`,
      ]);
    }
  });

  test('reports all that is wrong, and each fix once', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const wrong = { 'timeout-seconds': 'x', headers: `Host: ${SECRET}\n${SECRET}`, retries: 'x' };
    const texts = await catchTexts(() => readStep({ ...EMPTY, ...wrong }));
    expect(texts.map((text) => text.split(/[.,=]/, 1)[0])).toEqual([
      '`timeout-seconds` must be a whole number from 1 to 432000',
      '`base-url` is empty',
      '`token` is empty',
      '`headers`',
      '`headers`',
      '`scan-key` is empty',
      '`retries` must be a whole number from 0 to 100',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'Save a variable (no secret) for `vars',
      'Save a secret for `secrets',
    ]);
  });

  test.each(['DRYRUN', 'DRY_RUN', 'Dry--Run_'])(
    'refuses the input %s before all else, unless it asks for an upload or is a dry run',
    async (name) => {
      const variable = `INPUT_${name}`;
      process.env[variable] = 'TRUE';
      expect(await catchTexts(() => readStep(EMPTY))).toEqual([
        `\`${name.toLowerCase()}\` is no input of this action: write \`dry-run\`.`,
      ]);
      expect(await readStep({ 'dry-run': 'true' })).toMatchObject({ dryRun: true });
      for (const text of [' ', 'False']) {
        process.env[variable] = text;
        expect(await readStep({ ...REQUIRED, 'dry-run': '' })).toMatchObject({ dryRun: false });
      }
    },
  );

  test('accepts variables that are no input of another spelling', async () => {
    for (const name of ['INPUT_DRY', 'INPUT_DRYER', 'XINPUT_DRYRUN']) process.env[name] = 'true';
    expect(await readStep()).toMatchObject({ dryRun: false });
  });

  test('requires only the files in a dry run, and otherwise names a fork alone', async () => {
    await setEvent('{"repository":{"fork":true}}');
    const inputs = { ...EMPTY, headers: 'X-A:', 'dry-run': 'true' };
    const scans = [{ scanKey: '' }];
    expect(await readStep(inputs)).toMatchObject({ baseUrl: undefined, scans, headers: [] });
    expect(await catchTexts(() => readStep({ 'dry-run': '' }))).toEqual([
      expect.stringMatching(/^`token` is empty: this repository is a fork/),
      expect.stringMatching(/^Add `if: github\.repository == /),
    ]);
  });
});
