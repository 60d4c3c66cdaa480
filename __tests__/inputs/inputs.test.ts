import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readManifest } from '../../local/step/manifest.ts';
import { readInputs } from '../../src/inputs/inputs.ts';
import type { ScanRequest } from '../../src/inputs/scans.ts';
import type { Selection } from '../../src/inputs/selection.ts';
import type { Pair, Texts } from '../support/inputs.ts';
import {
  SECRET,
  catchProblems,
  isolateEnvironment,
  setInputs,
  makePair,
} from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');
const OTHER_KEY = '01890a5d-ac96-774b-bcce-b302099a8057';

const REQUIRED: Texts = {
  'base-url': 'https://host.example/tenant/',
  'scan-key': SCAN_KEY,
  files: 'scan.json',
  token: SECRET,
};

/** The one scan of a step, with another key or other files. */
function makeSingle(scan: Partial<ScanRequest>): ScanRequest {
  const selection = [{ input: 'files', text: 'scan.json' }] as const;
  return { label: undefined, name: undefined, scanKey: SCAN_KEY, selection, ...scan };
}

const READ_BY_DEFAULT = {
  baseUrl: 'https://host.example/tenant',
  scans: [makeSingle({})],
  maxParallel: 4,
  failFast: false,
  credential: { kind: 'token', header: 'Authorization', value: `Bearer ${SECRET}` },
  headers: [],
  noFiles: 'error',
  includeHidden: false,
  contentCheck: 'error',
  dryRun: false,
  retries: 8,
  stallMs: 60_000,
  timeoutMs: 900_000,
  tls: {},
  proxy: undefined,
};

isolateEnvironment();
beforeEach(() => setInputs(REQUIRED));

/** The inputs as plain data. */
function read(inputs: Texts = {}): object {
  setInputs(inputs);
  const { baseUrl, ...others } = readInputs(REPOSITORY);
  return { ...others, baseUrl: baseUrl.href };
}

let pair: Pair;
beforeAll(() => {
  pair = makePair('client');
});

/** Of each input of the action, what it changes. */
const EFFECTS: readonly [string, () => Texts, () => object][] = [
  ['base-url', () => ({ 'base-url': 'https://b' }), () => ({ baseUrl: 'https://b/' })],
  [
    'scan-key',
    () => ({ 'scan-key': OTHER_KEY }),
    () => ({ scans: [makeSingle({ scanKey: OTHER_KEY })] }),
  ],
  ['files', () => ({ files: '**' }), () => select([{ input: 'files', text: '**' }])],
  [
    'scan-file',
    () => ({ files: '', 'scan-file': 'a' }),
    () => select([{ input: 'scan-file', text: 'a' }]),
  ],
  [
    'dependencies-file',
    () => ({ files: '', 'dependencies-file': 'a', 'vulnerabilities-file': 'b' }),
    () =>
      select([
        { input: 'dependencies-file', text: 'a' },
        { input: 'vulnerabilities-file', text: 'b' },
      ]),
  ],
  [
    'vulnerabilities-file',
    () => ({ files: '', 'dependencies-file': 'c', 'vulnerabilities-file': 'd' }),
    () =>
      select([
        { input: 'dependencies-file', text: 'c' },
        { input: 'vulnerabilities-file', text: 'd' },
      ]),
  ],
  [
    'scans',
    () => ({ 'scan-key': '', files: '', scans: `[{"scan-key":"${OTHER_KEY}","scan-file":"a"}]` }),
    () => ({
      scans: [
        {
          label: 'scans[0]',
          name: undefined,
          scanKey: OTHER_KEY,
          selection: [{ input: 'scan-file', text: 'a' }],
        },
      ],
    }),
  ],
  ['max-parallel', () => ({ 'max-parallel': '32' }), () => ({ maxParallel: 32 })],
  ['fail-fast', () => ({ 'fail-fast': 'true' }), () => ({ failFast: true })],
  ['auth', () => ({ auth: 'none' }), () => ({ credential: { kind: 'none' } })],
  ['token', () => ({ token: 't' }), () => ({ credential: tokenIn('Authorization', 'Bearer t') })],
  [
    'token-header',
    () => ({ 'token-header': 'X-Key' }),
    () => ({ credential: tokenIn('X-Key', `Bearer ${SECRET}`) }),
  ],
  [
    'token-prefix',
    () => ({ 'token-prefix': 'none' }),
    () => ({ credential: tokenIn('Authorization', SECRET) }),
  ],
  [
    'oidc-audience',
    () => ({ auth: 'oidc', 'oidc-audience': 'scans' }),
    () => ({
      credential: { kind: 'oidc', header: 'Authorization', prefix: 'Bearer ', audience: 'scans' },
    }),
  ],
  ['headers', () => ({ headers: 'X-A: 1' }), () => ({ headers: [{ name: 'X-A', value: '1' }] })],
  ['if-no-files-found', () => ({ 'if-no-files-found': 'warn' }), () => ({ noFiles: 'warn' })],
  [
    'include-hidden-files',
    () => ({ 'include-hidden-files': 'true' }),
    () => ({ includeHidden: true }),
  ],
  ['content-check', () => ({ 'content-check': 'off' }), () => ({ contentCheck: 'off' })],
  ['dry-run', () => ({ 'dry-run': 'True' }), () => ({ dryRun: true })],
  ['retries', () => ({ retries: '0' }), () => ({ retries: 0 })],
  ['stall-timeout-seconds', () => ({ 'stall-timeout-seconds': '1' }), () => ({ stallMs: 1000 })],
  ['timeout-seconds', () => ({ 'timeout-seconds': '432000' }), () => ({ timeoutMs: 432_000_000 })],
  ['ca-cert', () => ({ 'ca-cert': pair.cert }), () => ({ tls: { ca: pair.cert.trim() } })],
  [
    'client-cert',
    () => ({ 'client-cert': pair.cert, 'client-key': pair.key }),
    () => ({ tls: { cert: pair.cert.trim(), key: pair.key.trim() } }),
  ],
  [
    'client-key',
    () => ({ 'client-cert': pair.cert, 'client-key': pair.key }),
    () => ({ tls: { cert: pair.cert.trim(), key: pair.key.trim() } }),
  ],
  [
    'allow-http',
    () => ({ 'allow-http': 'true', 'base-url': 'http://b' }),
    () => ({ baseUrl: 'http://b/' }),
  ],
];

function select(selection: Selection): object {
  return { scans: [makeSingle({ selection })] };
}

function tokenIn(header: string, value: string): object {
  return { kind: 'token', header, value };
}

describe('readInputs', () => {
  test('has a default for everything but the address, the key, the files and the token', () => {
    expect(read()).toEqual(READ_BY_DEFAULT);
  });

  test('takes an empty string for the default, as reusable workflows pass them', async () => {
    const { inputs } = await readManifest(REPOSITORY);
    const optional = inputs.map(({ name }) => name).filter((name) => REQUIRED[name] === undefined);
    expect(read(Object.fromEntries(optional.map((name) => [name, ''])))).toEqual(READ_BY_DEFAULT);
  });

  test.each(EFFECTS)('%s changes what is read', (_, inputs, expected) => {
    expect(read(inputs())).toEqual({ ...READ_BY_DEFAULT, ...expected() });
  });

  test('has every input of action.yml in the table above, but one that is asked for even if inputs are bad', async () => {
    const { inputs } = await readManifest(REPOSITORY);
    expect([...EFFECTS.map(([name]) => name), 'summary']).toEqual(inputs.map(({ name }) => name));
  });

  test.each(['', 'false', 'False', 'FALSE'])('refuses http with allow-http: %j', (text) => {
    const inputs = { 'base-url': 'http://host.example', 'allow-http': text };
    expect(catchProblems(() => read(inputs))).toEqual([
      expect.stringMatching(/^base-url must begin with https:/),
    ]);
  });

  test('does not complain of http beside an allow-http that cannot be read', () => {
    const inputs = { 'base-url': 'http://host.example', 'allow-http': 'maybe' };
    expect(catchProblems(() => read(inputs))).toEqual([
      "allow-http must be true or false, not 'maybe'.",
    ]);
  });

  test('reads paths of TLS material from the workspace', () => {
    expect(catchProblems(() => read({ 'ca-cert': 'package.json' }))).toEqual([
      'ca-cert holds no usable PEM certificate.',
    ]);
  });

  test("keeps extra headers off the token's own", () => {
    const inputs = { 'token-header': 'X-Key', headers: `x-key: ${SECRET}` };
    expect(catchProblems(() => read(inputs))).toEqual([
      'headers, line 1: x-key carries the token, use the token input.',
    ]);
  });

  test('knows no such header without a credential', () => {
    const inputs = { auth: 'none', headers: `Authorization: Basic ${SECRET}` };
    expect(read(inputs)).toMatchObject({
      headers: [{ name: 'Authorization', value: `Basic ${SECRET}` }],
    });
  });

  test('settles the proxy for the address', () => {
    process.env.https_proxy = 'proxy.example:3128';
    expect(read()).toMatchObject({ proxy: { host: 'proxy.example:3128', secrets: [] } });
    expect(process.env.https_proxy).toBe('http://proxy.example:3128/');
  });

  test.each([
    ['max-parallel', '0', 'a whole number from 1 to 32'],
    ['max-parallel', '33', 'a whole number from 1 to 32'],
    ['fail-fast', '1', 'true or false'],
    ['retries', '-1', 'a whole number from 0 to 100'],
    ['retries', '101', 'a whole number from 0 to 100'],
    ['retries', 'banana', 'a whole number from 0 to 100'],
    ['stall-timeout-seconds', '0', 'a whole number from 1 to 432000'],
    ['stall-timeout-seconds', '1.5', 'a whole number from 1 to 432000'],
    ['timeout-seconds', '0', 'a whole number from 1 to 432000'],
    ['timeout-seconds', '432001', 'a whole number from 1 to 432000'],
    ['if-no-files-found', 'fail', 'one of error, warn, ignore'],
    ['content-check', 'ignore', 'one of error, warn, off'],
    ['auth', 'basic', 'one of token, oidc, none'],
    ['dry-run', 'yes', 'true or false'],
    ['include-hidden-files', '1', 'true or false'],
    ['allow-http', 'on', 'true or false'],
    ['summary', 'none', 'true or false'],
  ])('refuses %s: %s', (name, text, expected) => {
    expect(catchProblems(() => read({ [name]: text }))).toEqual([
      `${name} must be ${expected}, not '${text}'.`,
    ]);
  });

  test('refuses NODE_TLS_REJECT_UNAUTHORIZED=0 and names ca-cert', () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const [problem, ...others] = catchProblems(read);
    expect(others).toEqual([]);
    expect(problem).toMatch(/^NODE_TLS_REJECT_UNAUTHORIZED=0 .*token.* ca-cert\.$/);
  });

  test('names a bad certificate beside NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    expect(catchProblems(() => read({ 'ca-cert': 'missing.pem' }))).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED=0 /),
      'ca-cert cannot be read (ENOENT).',
    ]);
  });

  test.each(['1', ''])('takes NODE_TLS_REJECT_UNAUTHORIZED=%s', (value) => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = value;
    expect(read()).toEqual(READ_BY_DEFAULT);
  });

  test('names every problem, once and together', () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const problems = catchProblems(() =>
      read({
        'base-url': `https://user:${SECRET}@host`,
        'scan-key': 'no-uuid',
        files: '',
        'max-parallel': 'x',
        'fail-fast': 'x',
        auth: 'oidc',
        headers: `Host: ${SECRET}\n${SECRET}`,
        'if-no-files-found': 'x',
        'include-hidden-files': 'x',
        'content-check': 'x',
        'dry-run': 'x',
        retries: 'x',
        'stall-timeout-seconds': 'x',
        'timeout-seconds': 'x',
        'allow-http': 'false',
        summary: 'x',
      }),
    );
    expect(problems.map((problem) => problem.split(/[ .]/, 3).join(' '))).toEqual([
      'base-url must not',
      'scan-key must be',
      'No files are',
      'max-parallel must be',
      'fail-fast must be',
      'headers, line 1:',
      'headers, line 2:',
      'if-no-files-found must be',
      'include-hidden-files must be',
      'content-check must be',
      'dry-run must be',
      'retries must be',
      'stall-timeout-seconds must be',
      'timeout-seconds must be',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off',
      'summary must be',
    ]);
  });

  test.each<[string, Texts, readonly RegExp[]]>([
    [
      'a bad header beside an empty token',
      { token: '', 'token-header': 'Host' },
      [/^token is empty/, /^token-header /],
    ],
    [
      'a bad switch beside a bad address',
      { 'allow-http': 'maybe', 'base-url': 'ftp://host' },
      [/^allow-http /, /^base-url /],
    ],
    [
      'a bad authority beside half a pair',
      { 'ca-cert': 'missing.pem', 'client-cert': 'missing.pem' },
      [/^ca-cert /, /^client-cert and client-key /],
    ],
  ])('does not let one problem hide another: %s', (_, inputs, problems) => {
    const found = catchProblems(() => read(inputs));
    expect(found).toHaveLength(problems.length);
    for (const problem of problems) {
      expect(found).toContainEqual(expect.stringMatching(problem));
    }
  });
});
