import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { formatHelp, readFlags } from '../../local/try/flags.ts';
import { readManifest } from '../../local/step/manifest.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { openService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPT = join(ROOT, 'local', 'try.ts');
const TOKEN = 'try-me-4711';

const { inputs } = await readManifest(ROOT);

/** Runs the script and waits for its end. */
async function runTry(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: unknown; readonly out: string; readonly err: string }> {
  const { PATH = '', HOME = '', SystemRoot = '' } = process.env;
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, SystemRoot, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { code: child.exitCode, out, err };
}

describe('readFlags', () => {
  test('takes every input but the token', () => {
    const args = ['--base-url', 'https://a', '--scan-file=b', '--debug', '--workspace', 'c'];
    expect(readFlags(args, inputs, ROOT)).toEqual({
      inputs: { 'base-url': 'https://a', 'scan-file': 'b' },
      workspace: join(ROOT, 'c'),
      isDebug: true,
    });
    expect(readFlags(['--files', '*'], inputs, ROOT)).toMatchObject({ workspace: ROOT });
  });

  test.each([
    [['--token', 'secret'], /^the token is read from the environment variable SCAN_UPLOAD_TOKEN$/],
    [['--token=secret'], /^the token is read from/],
    [['--bogus'], /--bogus/],
    [['--scan-key'], /--scan-key/],
    [['report.json'], /report\.json/],
    [[], /^no input is given$/],
  ])('refuses %j', (args, message) => {
    expect(() => readFlags(args, inputs, ROOT)).toThrow(message);
  });
});

describe('formatHelp', () => {
  test('lists every input but the token, with its default', () => {
    const help = formatHelp(inputs);
    for (const { name } of inputs) {
      expect(help.includes(`\n  --${name} `)).toBe(name !== 'token');
    }
    expect(help).toMatch(/\n {2}--retries +Further attempts .* \(8\)\n/);
  });
});

describe('local/try.ts', () => {
  test('runs the committed action, and shows log, outputs and summary', async () => {
    const service = await openService({ token: TOKEN });
    const args = ['--base-url', service.url, '--scan-key', SCAN_KEY];
    const run = await runTry([...args, '--files', 'local/scans/trivy.json'], {
      SCAN_UPLOAD_TOKEN: TOKEN,
    });
    expect(run).toMatchObject({ code: 0, err: '' });
    expect(service.uploads).toHaveLength(1);
    expect(run.out).toMatch(/^ScanJsonFile 'local\/scans\/trivy\.json'/);
    expect(run.out).toContain('\nOutputs\n  uploaded=true\n');
    expect(run.out).toContain('\nSummary\n  ### ✅ Scan upload accepted\n');
    expect(run.out).toMatch(/\nExit code\n {2}0\n$/);
    expect(run.out).not.toContain(TOKEN);
  });

  test('ends with the step’s own exit code', async () => {
    const service = await openService({ token: 'another' });
    const args = ['--base-url', service.url, '--scan-key', SCAN_KEY, '--scan-file', 'package.json'];
    const run = await runTry(args, { SCAN_UPLOAD_TOKEN: TOKEN });
    expect(run.code).toBe(1);
    expect(run.out).toContain('\nError: HTTP 401');
    const coloured = await runTry(args, { SCAN_UPLOAD_TOKEN: TOKEN, FORCE_COLOR: '1' });
    expect(coloured.out).toContain('\n\u001b[31mError: HTTP 401');
    expect(coloured.out).toContain('\n\u001b[1mOutputs\u001b[22m\n');
  });

  test('tells of a wrong flag in one line', async () => {
    const run = await runTry(['--bogus']);
    expect(run).toMatchObject({ code: 2, out: '' });
    expect(run.err).toMatch(/^Unknown option '--bogus'.*; usage: npm run try -- .*\n$/);
  });

  test('explains itself', async () => {
    const run = await runTry(['--help']);
    expect(run).toMatchObject({ code: 0, err: '' });
    expect(run.out).toContain('SCAN_UPLOAD_TOKEN');
  });
});
