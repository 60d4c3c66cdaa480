import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { SBOM, REPORT } from '../support/samples.ts';

type Inputs = Readonly<Record<string, string>>;

/** Runs the action, and expects that it fails with this message without connecting to the server. */
async function expectRefusal(inputs: Inputs, message: RegExp, env: Inputs = {}): Promise<StepRun> {
  const server = await openServer(({ socket }) => socket.destroy());
  const workspace = await makeWorkspace({
    'scan.json': REPORT,
    'bom.json': SBOM,
    'other.json': REPORT,
    'empty.json': '',
    'cut.json': REPORT.slice(0, -1),
    'plain.txt': 'no findings\n',
    'ca.der': Buffer.from('308201903082', 'hex'),
  });
  const run = await runAction(workspace, { 'base-url': server.origin, ...inputs }, { env });
  expect(run.exitCode).toBe(1);
  // The runner itself warns of an unknown input.
  const errors = run.annotations.filter(({ level }) => level === 'error');
  expect(errors).toHaveLength(1);
  expect(errors[0]?.title).toMatch(/^Scan upload not sent \((?:inputs|files|contents)\)$/);
  expect(errors[0]?.message).toMatch(message);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', attempts: '0' });
  expect(run.outputs.error).toMatch(message);
  expect(run.outputs['status-code']).toBe('');
  expect(run.summary).toContain('Scan upload not sent');
  expect(run.summary).toContain('re-runs use the original files.');
  expect(`${run.log}${run.summary}${JSON.stringify(run.outputs)}`).not.toContain(TOKEN);
  expect(server.connections()).toBe(0);
  return run;
}

describe('an invalid input', () => {
  test.each<[string, Inputs, RegExp]>([
    ['two ways of naming files', { files: 'a', 'scan-file': 'b' }, /named in 2 ways/],
    [
      'more patterns than could be matched in time',
      { files: 'a\n!b\n'.repeat(1000), 'scan-file': '' },
      /^`files` has 2000 patterns, more than 1000\. Use wildcards, or name a directory\./,
    ],
    ['an empty token', { token: '' }, /^`token` is empty\.(?:$|\nCheck the name)/],
    [
      'a misspelt token',
      { token: '', tokne: TOKEN },
      /^`token` is empty\. `tokne` is set, .* Did you mean `token`\?/,
    ],
    [
      'a misspelt scan-file',
      { 'scan-file': '', 'scan-flie': 'scan.json' },
      /^No files are named\. `scan-flie` is set, .* Did you mean `scan-file`\?/,
    ],
    [
      'a token with a line break',
      { token: `${TOKEN}\nX: y` },
      /^`token` has a line.* several lines/,
    ],
    [
      'a key as the token',
      { token: `-----BEGIN PRIVATE KEY-----\n${TOKEN}\n-----END PRIVATE KEY-----` },
      /^`token` has a line break, .* the secret is a key or a certificate\./,
    ],
    [
      'a token that begins with its prefix',
      { token: `bearer ${TOKEN}` },
      /^`token` begins with 'Bearer', which `token-prefix` puts before it/,
    ],
    ['a word in place of a number', { retries: 'banana' }, /^`retries` must be a whole number/],
    [
      'a user name and password in base-url',
      { 'base-url': `http://me:${TOKEN}@127.0.0.1:1` },
      /^`base-url` must not contain a user/,
    ],
    [
      'the URL of an operation as base-url',
      { 'base-url': 'https://a.example/tenant/v1/scanner/upload-file/' },
      /^`base-url` must not end in .* Set it to 'https:\/\/a\.example\/tenant'\./,
    ],
    [
      'http to a host that is not loopback',
      { 'base-url': 'http://a.example' },
      /^`base-url` must begin with https.*`allow-http: true`/,
    ],
    [
      'a header without a colon',
      { headers: `X-A: b\n${TOKEN}` },
      /^`headers`, line 2: not of the form/,
    ],
    [
      'a file without a certificate as ca-cert',
      { 'ca-cert': 'plain.txt' },
      /^`ca-cert` has no usable cert/,
    ],
    [
      'a DER file as ca-cert',
      { 'ca-cert': 'ca.der' },
      /^`ca-cert`: .* openssl x509 -inform der -in 'ca\.der' -out 'ca\.der\.pem'/,
    ],
    [
      'a missing file as ca-cert',
      { 'ca-cert': 'certs/none.pem' },
      /^`ca-cert`: the file 'certs\/none\.pem' does not exist in the workspace\./,
    ],
    [
      'a missing file as scans',
      { 'scan-key': '', 'scan-file': '', scans: 'none.json' },
      /^`scans`: the file 'none\.json' does not exist/,
    ],
  ])('fails the step before anything is sent: %s', async (_, inputs, message) => {
    await expectRefusal(inputs, message);
  });

  test('fails the step before anything is sent: NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    await expectRefusal({}, /ca-cert/, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  });

  test('is reported together with all others', async () => {
    const named = { files: '!a', 'scan-file': '' };
    const inputs = { ...named, 'scan-key': '42', retries: 'x', 'dry-run': 'y', token: '' };
    const server = await openServer(({ socket }) => socket.destroy());
    const run = await runAction(await makeWorkspace(), { 'base-url': server.origin, ...inputs });
    const lines = run.annotations.map(({ message }) => message.split('\n'));
    expect(lines).toEqual([
      [
        expect.stringMatching(/^`token` is empty/),
        expect.stringMatching(/^`scan-key`/),
        expect.stringMatching(/^`files`/),
        expect.stringMatching(/^`dry-run`/),
        expect.stringMatching(/^`retries`/),
        expect.stringContaining('reusable workflow'),
        expect.stringContaining('#pull-requests-from-forks'),
        expect.stringContaining('auth: none'),
      ],
    ]);
    expect(server.connections()).toBe(0);
  });
});

describe('files that do not match the inputs', () => {
  test.each<[string, Inputs, RegExp]>([
    [
      'several matches for scan-file',
      { 'scan-file': '*.json' },
      /^`scan-file` must match exactly one file, but matches 5: 'bom\.json', 'cut\.json'.*(?:$|\nMake the pattern match one file\. )/,
    ],
    [
      'a misspelled name',
      { 'scan-file': 'scam.json' },
      /^`scan-file`: no file matches 'scam\.json'\. Did you mean 'scan\.json'/,
    ],
    [
      'a directory that does not exist',
      { 'scan-file': 'reports/scan.json' },
      /The directory 'reports' does not exist\. Did you mean 'scan\.json'/,
    ],
    [
      'one pattern of two that matches nothing',
      { files: 'scan.json\nmissing.json' },
      /'missing.json'.*Every pattern must match at least one file\.(?:$|\nCorrect the pattern, or the step)/,
    ],
    [
      'two files, neither of them CycloneDX',
      { files: 'scan.json\nother.json' },
      /^`files` matched 2 files\.(?:$|\n[^]*\nMatch one file, .*or name them: `scan-file`, or )/,
    ],
    ['a path that leaves the workspace', { 'scan-file': '../x.json' }, /'..\/x.json' is not valid/],
  ])('fail the step before anything is sent: %s', async (_, inputs, message) => {
    const { summary } = await expectRefusal(inputs, message);
    // A re-run cannot help: it uses the same files.
    expect(summary).not.toContain('re-run the failed jobs');
  });
});
