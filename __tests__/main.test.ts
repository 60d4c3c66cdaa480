import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { parseKeyValues } from '../local/step/file-commands.ts';
import { CancelledError, TimeLimitError } from '../src/errors.ts';
import { run } from '../src/main.ts';
import { makeFolder } from './support/directories.ts';
import { TOKEN, makeWorkspace } from './support/run-action.ts';
import { INVENTORY, REPORT, SCAN_KEY } from './support/samples.ts';
import { openService } from './support/service.ts';

// The black-box tests run the bundle; these run the stages in this process, where each of their
// branches can be counted.

interface InProcessRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly outputs: Readonly<Record<string, string>>;
}

const environment = { ...process.env };

afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

async function runHere(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  signal: AbortSignal = new AbortController().signal,
): Promise<InProcessRun> {
  const outputPath = join(await makeFolder(), 'outputs');
  writeFileSync(outputPath, '');
  const given = { 'scan-key': SCAN_KEY, token: TOKEN, summary: 'false', ...inputs };
  process.env.GITHUB_WORKSPACE = workspace;
  process.env.GITHUB_OUTPUT = outputPath;
  for (const [name, value] of Object.entries(given)) {
    process.env[`INPUT_${name.toUpperCase()}`] = value;
  }
  const written: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  const limit = (milliseconds: number): { signal: AbortSignal; deadline: number } => ({
    signal,
    deadline: Date.now() + milliseconds,
  });
  const exitCode = await run({ signal, limit });
  const { pairs } = parseKeyValues(readFileSync(outputPath, 'utf8'));
  const outputs = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
  return { exitCode, stdout: written.join(''), outputs };
}

describe('run', () => {
  test('masks the token before it says anything, uploads, and returns 0', async () => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace({ 'bom.json': INVENTORY, 'scan.json': REPORT });
    const { exitCode, stdout, outputs } = await runHere(workspace, {
      'base-url': service.url,
      files: '*.json',
    });
    expect(exitCode).toBe(0);
    expect(outputs).toMatchObject({ uploaded: 'true', operation: 'upload-multiple-files' });
    expect(service.uploads).toHaveLength(1);
    expect(stdout.startsWith(`::add-mask::${TOKEN}`)).toBe(true);
    expect(stdout).toContain("DependenciesCDX 'bom.json'");
  });

  test('tells a refusal in one annotation and returns 1', async () => {
    const answers = [{ status: 409, contentType: 'text/plain', body: '{"detail":"Twice."}' }];
    const service = await openService({ token: TOKEN, answers });
    const inputs = { 'base-url': service.url, 'scan-file': 'scan.json' };
    const { exitCode, stdout, outputs } = await runHere(await makeWorkspace(), inputs);
    expect(exitCode).toBe(1);
    expect(outputs).toMatchObject({ result: 'rejected', error: 'Twice.', 'status-code': '409' });
    expect(stdout.match(/^::error title=Scan upload rejected \(409\)::Twice\./gm)).toHaveLength(1);
  });

  test('says which proxy is used, and masks its password', async () => {
    process.env.http_proxy = 'user:pass-of-the-proxy@127.0.0.1:9';
    const { stdout } = await runHere(await makeWorkspace(), {
      'base-url': 'http://scans.example',
      'allow-http': 'true',
      'scan-file': 'scan.json',
      'dry-run': 'true',
    });
    expect(stdout).toContain('through the proxy 127.0.0.1:9');
    expect(stdout).toContain('::add-mask::pass-of-the-proxy');
    expect(stdout).toContain('Dry run: nothing was sent.');
  });

  test.each([
    ['error', 1, /^::error title=Scan upload not sent%3A files::No file matches/m],
    ['warn', 0, /^::warning title=Scan upload skipped::No file matches/m],
    ['ignore', 0, /^Skipped: No file matches/m],
  ])('if-no-files-found: %s returns %i', async (policy, code, line) => {
    const { exitCode, stdout, outputs } = await runHere(await makeWorkspace(), {
      'base-url': 'http://127.0.0.1:9',
      'scan-file': 'none.json',
      'if-no-files-found': policy,
    });
    expect(exitCode).toBe(code);
    expect(stdout).toMatch(line);
    expect(outputs.uploaded).toBe('false');
  });

  test.each([
    ['error', 1],
    ['warn', 0],
    ['off', 0],
  ])('content-check: %s of an empty file returns %i', async (strictness, code) => {
    const { exitCode, stdout } = await runHere(await makeWorkspace({ 'scan.json': '' }), {
      'base-url': 'http://127.0.0.1:9',
      'scan-file': 'scan.json',
      'content-check': strictness,
      'dry-run': 'true',
    });
    expect(exitCode).toBe(code);
    expect(stdout.includes('is empty (0 bytes)')).toBe(strictness !== 'off');
  });

  test('names short header values once the inputs are good', async () => {
    const { stdout } = await runHere(await makeWorkspace(), {
      'base-url': 'http://127.0.0.1:9',
      'scan-file': 'scan.json',
      headers: 'X-Short: yes\nX-Long: long-enough',
      'dry-run': 'true',
    });
    expect(stdout).toMatch(/^::notice title=.*::.*the values of X-Short$/m);
  });

  test('takes a secret out of names, paths and the service it names', async () => {
    const name = `a ${TOKEN}`;
    const scans = [
      { name, 'scan-key': SCAN_KEY, 'scan-file': `${TOKEN}.json` },
      { 'scan-key': SCAN_KEY, 'scan-file': 'none.json' },
    ];
    const summaryPath = join(await makeFolder(), 'summary');
    writeFileSync(summaryPath, '');
    process.env.GITHUB_STEP_SUMMARY = summaryPath;
    for (const [policy, error] of [
      ['error', 'scans[1]: No file matches'],
      ['ignore', ''],
    ] as const) {
      const { stdout, outputs } = await runHere(
        await makeWorkspace({ [`${TOKEN}.json`]: REPORT }),
        {
          'base-url': `https://${TOKEN}.example`,
          'scan-key': '',
          scans: JSON.stringify(scans),
          summary: 'true',
          'if-no-files-found': policy,
          'dry-run': 'true',
        },
      );
      const summary = readFileSync(summaryPath, 'utf8');
      const [mask, ...lines] = stdout.split('\n');
      expect(mask).toBe(`::add-mask::${TOKEN}`);
      expect(lines.join('\n')).toContain('[a ***] ');
      expect(`${lines.join('\n')}${JSON.stringify(outputs)}${summary}`).not.toContain(TOKEN);
      expect(outputs.error).toMatch(new RegExp(`^${error.replaceAll(/[[\]]/g, '\\$&')}`));
      expect(JSON.parse(outputs.results ?? '')).toMatchObject([{ name: 'a ***' }, { name: null }]);
      expect(summary).toContain('&#42;&#42;&#42;&#46;example');
    }
  });

  test('does not let a secret change what is the action’s own', async () => {
    const service = await openService({ token: 'upload-file' });
    const { stdout, outputs } = await runHere(await makeWorkspace(), {
      'base-url': service.url,
      'scan-file': 'scan.json',
      token: 'upload-file',
      headers: `X-Result: accepted\nX-Key: ${SCAN_KEY}\nX-Part: ScanJsonFile`,
    });
    expect(stdout).toContain('::add-mask::upload-file');
    expect(outputs).toMatchObject({
      uploaded: 'true',
      result: 'accepted',
      operation: 'upload-file',
      manifest: expect.stringContaining('"part":"ScanJsonFile"'),
      results: expect.stringContaining(`"scan-key":"${SCAN_KEY}"`),
    });
  });

  test('ends every scan with what ends the step, and the step if it has none', async () => {
    const signal = AbortSignal.abort(new CancelledError('SIGTERM'));
    const scans = ['a', 'b'].map((name) => ({ name, 'scan-key': SCAN_KEY, 'scan-file': 'x' }));
    const inputs = { 'base-url': 'http://127.0.0.1:9', 'scan-key': '', token: TOKEN };
    const ended = await runHere(
      await makeWorkspace(),
      { ...inputs, scans: JSON.stringify(scans) },
      signal,
    );
    const end = { result: 'not-sent', error: 'cancelled; not uploaded' };
    expect(JSON.parse(ended.outputs.results ?? '')).toMatchObject([
      { name: 'a', ...end },
      { name: 'b', ...end },
    ]);
    expect(ended.stdout.match(/^::error /gm)).toHaveLength(1);
    const none = await runHere(await makeWorkspace(), { ...inputs, scans: '[' });
    expect(none.outputs).toMatchObject({ result: 'not-sent', results: '[]' });
    expect(none.outputs.error).toMatch(/^scans is not valid JSON/);
  });

  test('shows no secret that stands where an input is wrong', async () => {
    const inputs = { 'base-url': `https://me:${TOKEN}@scans.example`, auth: TOKEN };
    const { stdout, outputs } = await runHere(await makeWorkspace(), inputs);
    expect(stdout.replace(`::add-mask::${TOKEN}`, '')).not.toContain(TOKEN);
    expect(JSON.stringify(outputs)).not.toContain(TOKEN);
    expect(stdout).toContain('***');
  });

  test('shows no secret that a header is named by', async () => {
    process.env.RUNNER_DEBUG = '1';
    const service = await openService({ token: TOKEN });
    const { exitCode, stdout } = await runHere(await makeWorkspace(), {
      'base-url': service.url,
      'scan-file': 'scan.json',
      headers: `X-${TOKEN}: yes`,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('the values of X-***');
    expect(stdout).toMatch(/^::debug::Request headers: .*X-\*\*\*/m);
    expect(stdout.replace(`::add-mask::${TOKEN}`, '')).not.toContain(TOKEN);
  });

  test.each([
    ['a cancellation', new CancelledError('SIGTERM'), 143, 'cancelled; not uploaded'],
    ['the time limit', new TimeLimitError(5), 1, 'The time limit of 5 s'],
  ])('is ended by %s before anything is sent', async (_, reason, code, error) => {
    const inputs = { 'base-url': 'http://127.0.0.1:9', 'scan-file': 'scan.json' };
    const signal = AbortSignal.abort(reason);
    const { exitCode, outputs } = await runHere(await makeWorkspace(), inputs, signal);
    expect(exitCode).toBe(code);
    expect(outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', attempts: '0' });
    expect(outputs.error).toContain(error);
  });
});
