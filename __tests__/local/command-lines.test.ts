import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { openService } from '../support/servers.ts';
import { cleanUp, makeFolder, SCAN_KEY, sha256 } from '../support/workspace.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TOKEN = 'try-me-4711';

function start(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const { PATH = '', HOME = '', SystemRoot = '' } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'local', script), ...args], {
    cwd: ROOT,
    env: { PATH, HOME, SystemRoot, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanUp(async () => void child.kill('SIGKILL'));
  return child;
}

async function run(
  ...args: Parameters<typeof start>
): Promise<{ readonly code: unknown; readonly out: string; readonly err: string }> {
  const child = start(...args);
  const closed = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { code: child.exitCode, out, err };
}

test.concurrent('the demo says which result is meant before each of its four steps', async () => {
  const { code, out } = await run('demo.ts', []);
  const results = out.match(/should be: \w+$|^ {3}result=.*$/gm)?.map((line) => line.trim());
  const accepted = ['should be: accepted', 'result=accepted, uploaded=true, exit code 0'];
  const rejected = ['should be: rejected', 'result=rejected, uploaded=false, exit code 1'];
  expect(results).toEqual([...accepted, ...accepted, ...rejected, ...rejected]);
  expect(out).toMatch(/\nAll 4 steps ended as expected\.\n$/);
  expect(out).not.toContain('local-demo-token');
  expect(code).toBe(0);
});

test.concurrent(
  'the service prints its URL and every request, and ends after a signal',
  async () => {
    const options = `--token-header X-Key --token-prefix none --prefix /p --scan-key ${SCAN_KEY}`;
    const script = '--port 0 --status 503 --retry-after 3 --delay-ms 1 --times 2';
    const args = ['--directory', await makeFolder(), ...`${options} ${script}`.split(' ')];
    const child = start('serve.ts', args, { SCAN_UPLOAD_TOKEN: TOKEN });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const url = String((await lines.next()).value);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/p$/);
    const body = new FormData();
    body.append('ScanKey', SCAN_KEY);
    body.append('ScanJsonFile', new Blob(['{}']), 'a b\u001b\u009b.json');
    const path = '/v1/scanner/upload-file';
    const send = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(url + path, { method: 'POST', body, headers });
    for (const status of [503, 503, 200]) {
      const response = await send({ 'X-Key': TOKEN });
      expect([response.status, response.headers.get('retry-after')]).toEqual(
        status === 503 ? [503, '3'] : [200, null],
      );
      const [head = '', part] = String((await lines.next()).value).split(' | ');
      expect(head.replace(/\d+ bytes/, 'N bytes')).toBe(`POST /p${path} ${status} N bytes`);
      const kept = `ScanJsonFile "a b\\u001b?.json" 2 bytes sha256:${sha256('{}')}`;
      expect(part).toBe(status === 200 ? kept : undefined);
    }
    expect((await send({})).status).toBe(401);
    child.kill('SIGTERM');
    await once(child, 'exit');
    // On Windows, a signal ends the process at once.
    expect(child.exitCode).toBe(process.platform === 'win32' ? null : 0);
  },
);

/** The environment of `try`: the token, and a temporary directory that is removed after the test. */
async function makeEnv(): Promise<Readonly<Record<string, string>>> {
  const directory = await makeFolder();
  return { SCAN_UPLOAD_TOKEN: TOKEN, TMPDIR: directory, TEMP: directory };
}

describe('try', () => {
  test.concurrent('runs the committed action, and shows log, outputs and summary', async () => {
    const { url, uploads } = await openService({ token: TOKEN });
    // An option that is repeated is a line more of its input.
    const files = ['--files=local/scans/*.json', '--files', '!local/scans/[bv]*'];
    const args = ['--base-url', url, '--scan-key', SCAN_KEY, ...files];
    const { code, out, err } = await run('try.ts', args, await makeEnv());
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(uploads).toHaveLength(1);
    expect(out).toContain('\nOutputs\n  uploaded=true\n');
    expect(out).toMatch(/\nSummary\n {2}### ✅ Scan uploaded: 1 critical, 2 high\n/);
    expect(out).toMatch(/\nExit code\n {2}0\n/);
    expect(out).not.toContain(TOKEN);
    const [, path = ''] = /^ {2}results-path=(.+)$/m.exec(out) ?? [];
    expect(readFileSync(path, 'utf8')).toContain('"path":"local/scans/trivy.json"');
  });

  test.concurrent.each([
    [['--help'], 0, /^usage: [^]*\n {2}--retries +Maximum number of retries .* \(8\)\n/],
    [['--help'], 0, /\n {2}--scans .* \(guide: docs\/multiple-scans\.md\)\.\n/],
    [['--token', 'secret'], 2, /^Unknown option '--token'.*\nusage: .*\nThe inputs: .* --help\n$/],
    [[], 2, /^Set SCAN_UPLOAD_TOKEN\.\nusage: [^\n]*\nThe inputs: [^\n]*\n$/],
  ])('exits for the arguments %j with %d', async (args, code, message) => {
    const { TMPDIR = '', TEMP = '' } = await makeEnv();
    const { out, err, ...end } = await run('try.ts', args, { TMPDIR, TEMP });
    expect(end.code).toBe(code);
    expect(out + err).toMatch(message);
  });
});
