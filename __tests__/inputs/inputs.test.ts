import { beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readManifest } from '../../local/step/manifest.ts';
import { Problems } from '../../src/inputs/fields.ts';
import { readInputs, readTimeLimit } from '../../src/inputs/inputs.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import type { Selection } from '../../src/files/find.ts';
import { makeFolder } from '../support/directories.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { makeCertificate } from '../support/certificates.ts';
import { SECRET, catchProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');
const OTHER_KEY = '01890a5d-ac96-774b-bcce-b302099a8057';

const REQUIRED: Texts = {
  'base-url': 'https://host.example/tenant',
  'scan-key': SCAN_KEY,
  files: 'scan.json',
  token: SECRET,
};

/** The only scan of a step. */
function makeSingle(scan: Partial<ScanEntry>): ScanEntry {
  const selection = [{ input: 'files', text: 'scan.json' }] as const;
  return { label: undefined, name: undefined, scanKey: SCAN_KEY, selection, ...scan };
}

isolateEnvironment();
beforeEach(() => setInputs(REQUIRED));

/** The inputs as plain data. */
async function readStep(inputs: Texts = {}): Promise<object> {
  setInputs(inputs);
  const problems = new Problems();
  readTimeLimit(problems);
  const { baseUrl, ...others } = await readInputs(REPOSITORY, problems);
  return { ...others, baseUrl: baseUrl?.href };
}

function select(...selection: Selection): object {
  return { scans: [makeSingle({ selection })] };
}

function tokenIn(header: string, value: string): object {
  return { credential: { kind: 'token', header, value } };
}

const OIDC = { kind: 'oidc', header: 'Authorization', prefix: 'Bearer ', audience: 'scans' };
const PAIR: Texts = { files: '', 'dependencies-file': 'a', 'vulnerabilities-file': 'b' };
const SELECTED: Selection = [
  { input: 'dependencies-file', text: 'a' },
  { input: 'vulnerabilities-file', text: 'b' },
];
const ENTRIES = `[{"scan-key":"${OTHER_KEY}","files":"scan.json"}]`;

/** What each input changes, except the inputs for certificates, which have a test below. */
const EFFECTS: readonly (readonly [string, Texts, object])[] = [
  ['base-url', { 'base-url': 'https://b' }, { baseUrl: 'https://b/' }],
  ['scan-key', { 'scan-key': OTHER_KEY }, { scans: [makeSingle({ scanKey: OTHER_KEY })] }],
  ['files', { files: '**' }, select({ input: 'files', text: '**' })],
  ['scan-file', { files: '', 'scan-file': 'a' }, select({ input: 'scan-file', text: 'a' })],
  ['dependencies-file, vulnerabilities-file', PAIR, select(...SELECTED)],
  [
    'scans',
    { 'scan-key': '', files: '', scans: ENTRIES },
    { scans: [makeSingle({ label: 'scans[0]', scanKey: OTHER_KEY })] },
  ],
  ['max-parallel', { 'max-parallel': '32' }, { maxParallel: 32 }],
  ['auth', { auth: 'none', token: '' }, { credential: { kind: 'none' } }],
  ['token', { token: 't' }, tokenIn('Authorization', 'Bearer t')],
  ['token-header', { 'token-header': 'X-Key' }, tokenIn('X-Key', SECRET)],
  ['token-prefix', { 'token-prefix': 'none' }, tokenIn('Authorization', SECRET)],
  ['oidc-audience', { auth: 'oidc', token: '', 'oidc-audience': 'scans' }, { credential: OIDC }],
  ['headers', { headers: 'X-A: 1' }, { headers: [{ name: 'X-A', value: '1' }] }],
  ['if-no-files-found', { 'if-no-files-found': 'warn' }, { noFiles: 'warn' }],
  ['include-hidden-files', { 'include-hidden-files': 'true' }, { includeHidden: true }],
  ['content-check', { 'content-check': 'off' }, { contentCheck: 'off' }],
  ['dry-run', { 'dry-run': 'True' }, { dryRun: true, scans: [makeSingle({})] }],
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
  expect(readTimeLimit(new Problems())).toBe(milliseconds);
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

  test('refuses an extra header that carries the token', async () => {
    const inputs = { 'token-header': 'X-Key', headers: `x-key: ${SECRET}` };
    expect(await catchProblems(() => readStep(inputs))).toEqual([
      expect.stringMatching(/^`headers`, line 1: x-key carries the token: use `token`/),
    ]);
    expect(await readStep({ ...inputs, auth: 'none' })).toMatchObject({ headers: [{}] });
  });

  test('reads the proxy for base-url', async () => {
    process.env.https_proxy = 'proxy.example:3128';
    const url = new URL('http://proxy.example:3128');
    expect(await readStep()).toMatchObject({ proxy: { url } });
  });

  test.each([
    ['max-parallel', ['0', '33'], 'a whole number from 1 to 32'],
    ['retries', ['-1', '101'], 'a whole number from 0 to 100'],
    ['stall-timeout-seconds', ['0', '432001'], 'a whole number from 1 to 432000'],
    ['timeout-seconds', ['0', '15m'], 'a whole number from 1 to 432000'],
    ['if-no-files-found', ['fail'], 'one of error, warn, ignore'],
    ['content-check', ['ignore'], 'one of error, warn, off'],
    ['auth', ['basic'], 'one of token, oidc, none'],
    ['dry-run', ['yes'], 'true or false'],
    ['include-hidden-files', ['1'], 'true or false'],
    ['allow-http', ['on'], 'true or false'],
  ])('refuses %s: %s', async (name, texts, expected) => {
    for (const text of texts) {
      expect(await catchProblems(() => readStep({ [name]: text }))).toEqual([
        `\`${name}\` must be ${expected}, not '${text}'.`,
      ]);
    }
  });

  test('reports all that is wrong', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const wrong = { 'timeout-seconds': 'x', headers: `Host: ${SECRET}\n${SECRET}`, files: '' };
    const problems = await catchProblems(() =>
      readStep({ ...wrong, 'base-url': 'x', retries: 'x' }),
    );
    expect(problems.map((problem) => problem.split(/[ ,=]/, 1)[0])).toEqual([
      '`timeout-seconds`',
      '`base-url`',
      '`headers`',
      '`headers`',
      'No',
      '`retries`',
      'NODE_TLS_REJECT_UNAUTHORIZED',
    ]);
  });

  test.each(['DRYRUN', 'DRY_RUN', 'Dry--Run_'])(
    'refuses the input %s before all else, unless it asks for an upload or is a dry run',
    async (name) => {
      const variable = `INPUT_${name}`;
      process.env[variable] = 'TRUE';
      expect(await catchProblems(() => readStep({ token: '', retries: 'x' }))).toEqual([
        `\`${name.toLowerCase()}\` is no input of this action: write \`dry-run\`.`,
      ]);
      expect(await readStep({ 'dry-run': 'true', retries: '' })).toMatchObject({ dryRun: true });
      for (const text of [' ', 'False']) {
        process.env[variable] = text;
        expect(await readStep({ 'dry-run': '', token: SECRET })).toMatchObject({ dryRun: false });
      }
    },
  );

  test.each(['INPUT_DRY', 'INPUT_DRYER', 'DRYRUN', 'XINPUT_DRYRUN'])(
    'accepts the variable %s',
    async (variable) => {
      process.env[variable] = 'true';
      expect(await readStep()).toMatchObject({ dryRun: false });
    },
  );

  test('names only the fork if a run for one has no credential', async () => {
    const folder = await makeFolder({ 'event.json': '{"repository":{"fork":true}}' });
    process.env['GITHUB_EVENT_PATH'] = join(folder, 'event.json');
    const empty = { 'base-url': '', 'scan-key': '', token: '' };
    expect(await catchProblems(() => readStep(empty))).toEqual([
      expect.stringMatching(/^`token` is empty: this repository is a fork/),
    ]);
    expect(await readStep({ ...empty, 'dry-run': 'true' })).toMatchObject({ dryRun: true });
  });

  test('requires only the files in a dry run', async () => {
    const empty = { 'base-url': '', 'scan-key': '', token: '', headers: 'X-A:' };
    expect(await readStep({ ...empty, 'dry-run': 'true' })).toMatchObject({
      baseUrl: undefined,
      scans: [{ scanKey: undefined }],
      headers: [],
    });
    expect(await catchProblems(() => readStep({ ...empty, 'dry-run': 'false' }))).toHaveLength(4);
  });

  test('says what each empty input needs, once', async () => {
    const empty = { 'base-url': '', 'scan-key': '', token: '' };
    const fixes = ['An expression with `vars` needs ', 'Write `${{ secrets.NAME }}`'].map((words) =>
      expect.stringContaining(words),
    );
    await expect(readStep(empty)).rejects.toHaveProperty('fixes', fixes);
  });
});
