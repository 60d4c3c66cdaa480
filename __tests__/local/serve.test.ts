import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readFlags } from '../../local/serve/flags.ts';
import { describeRequest } from '../../local/serve/describe.ts';
import { makeFolder } from '../support/directories.ts';
import { SCAN_KEY, sha256 } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';
import { buildForm, send } from './http-client.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'local', 'serve.ts');

describe('readFlags', () => {
  test('makes options of flags', () => {
    const args = '--folder d --port 80 --token t --token-header X --token-prefix none --prefix /p';
    expect(readFlags([...args.split(' '), '--max-body-bytes', 'Infinity'], {})).toEqual({
      folder: 'd',
      port: 80,
      token: 't',
      tokenHeader: 'X',
      tokenPrefix: '',
      prefix: '/p',
      maxBodyBytes: Infinity,
      answers: [],
    });
  });

  test('scripts answers', () => {
    const args = '--folder d --status 503 --times 2 --retry-after 3 --delay-ms 40'.split(' ');
    const answer = { status: 503, retryAfter: '3', delayMs: 40 };
    expect(readFlags(args, {})).toMatchObject({ answers: [answer, answer] });
  });

  test('takes the token from the environment, and none from an empty one', () => {
    const args = ['--folder', 'd'];
    expect(readFlags(args, { SCAN_UPLOAD_TOKEN: 'e' })).toMatchObject({ token: 'e' });
    expect(readFlags(args, { SCAN_UPLOAD_TOKEN: '' })).not.toHaveProperty('token');
    expect(readFlags([...args, '--token', 't'], { SCAN_UPLOAD_TOKEN: 'e' })).toMatchObject({
      token: 't',
    });
  });

  test.each([
    ['--bogus', /--bogus/],
    ['x', /x/],
    ['--port 1', /--folder is missing/],
    ['--folder d --port 70000', /^--port: /],
    ['--folder d --port 1e3', /^--port: /],
    ['--folder d --status 99', /^--status: /],
    ['--folder d --times 0', /^--times: /],
    ['--folder d --max-body-bytes -1', /max-body-bytes/],
  ])('refuses %s', (args, message) => {
    expect(() => readFlags(args.split(' '), {})).toThrow(message);
  });
});

describe('describeRequest', () => {
  test('quotes what a terminal would obey', () => {
    const line = describeRequest({
      method: 'GET',
      path: '/\u001b[2J',
      rawHeaders: [],
      bodyBytes: 0,
      bodySha256: '',
      status: undefined,
      upload: undefined,
    });
    expect(line).toBe('GET "/\\u001b[2J" unanswered 0 bytes');
  });
});

async function start(args: readonly string[]): Promise<{
  readonly lines: AsyncIterator<string>;
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}> {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp(async () => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    lines,
    stop: async (signal) => {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

describe('local/serve.ts', () => {
  test('prints its URL and every request, and ends on a signal', async () => {
    const { lines, stop } = await start(['--folder', await makeFolder(), '--token', 't']);
    const url = String((await lines.next()).value);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const body = buildForm([
      { name: 'ScanKey', content: SCAN_KEY },
      { name: 'ScanJsonFile', content: '{}', filename: 'a b.json' },
    ]);
    await send(`${url}/v1/scanner/upload-file`, { body });
    expect((await lines.next()).value).toBe(
      `POST /v1/scanner/upload-file 401 ${body.length} bytes`,
    );
    await send(`${url}/v1/scanner/upload-file`, { body, headers: { Authorization: 'Bearer t' } });
    expect((await lines.next()).value).toBe(
      `POST /v1/scanner/upload-file 200 ${body.length} bytes | ScanJsonFile "a b.json" 2 bytes sha256:${sha256('{}')}`,
    );
    expect(await stop('SIGTERM')).toBe(0);
  });

  test.each([
    { args: ['--help'], code: 0, stream: 'stdout', text: /--max-body-bytes N/ },
    { args: ['--bogus'], code: 2, stream: 'stderr', text: /^[^\n]*usage: [^\n]*\n$/ },
    { args: ['--port', '-1'], code: 2, stream: 'stderr', text: /^[^\n]*usage: [^\n]*\n$/ },
    { args: ['--folder', 'x', '--host', '0.0.0.0'], code: 2, stream: 'stderr', text: /^host: / },
  ] as const)('$args exits $code', async ({ args, code, stream, text }) => {
    const child = spawn(process.execPath, [SCRIPT, ...args]);
    let output = '';
    child[stream].on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(child, 'close');
    expect(child.exitCode).toBe(code);
    expect(output).toMatch(text);
  });
});
