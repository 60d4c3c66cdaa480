import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { describeLinux, describePosix } from '../support/files.ts';
import { countAttempts, makeWorkspace, preload, runAction } from '../support/run-action.ts';
import { makeReply, listen, openServer } from '../support/servers.ts';
import { makeFolder, KIB, REPORT, makeKey } from '../support/workspace.ts';

// What a step uses of its machine: memory, time on the processor, open files, and an output that nobody reads.

/** Linux counts in `maxRSS` what the process that started this one had. */
const WRITE_USAGE = `
  import { readFileSync, writeFileSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const peakKiB = process.platform === 'linux'
      ? Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
      : process.resourceUsage().maxRSS;
    writeFileSync(process.env.USAGE_FILE, \`\${peakKiB} \${(user + system) / 1000}\`);
  });`;

interface Usage {
  readonly run: StepRun;
  /** Resident memory at its highest. */
  readonly peakKiB: number;
  /** Time on the processor, of all threads. */
  readonly cpuMs: number;
}

/** Runs the action after `code`, for which PIPE is set. Throws if it did not come to its end. */
async function measure(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  code = '',
  pipe = '',
): Promise<Usage> {
  const path = join(await makeFolder(), 'usage');
  const env = { ...preload(WRITE_USAGE + code), USAGE_FILE: path, PIPE: pipe };
  const run = await runAction(workspace, inputs, { env });
  const [peakKiB = Number.NaN, cpuMs = Number.NaN] = readFileSync(path, 'utf8')
    .split(' ')
    .map(Number);
  return { run, peakKiB, cpuMs };
}

const LARGE_BYTES = 1024 ** 3;
const MOST_MORE_KIB = 40 * KIB;
/** The client reads 1 MiB at most; the rest is what the buffers of both kernels take. */
const MOST_SENT_BYTES = 32 * 1024 * KIB;
/** Words, since a text without them is truncated in another way. */
const BLOCK = Buffer.from('The scan was not what it should be. '.repeat(2000));
const CHUNK = Buffer.concat([
  Buffer.from(`${BLOCK.length.toString(16)}\r\n`),
  BLOCK,
  Buffer.from('\r\n'),
]);

/** Writes blocks no faster than they are taken, until there are enough or nobody takes any more. */
async function writeBlocks(socket: Socket, block: Buffer, bytes: number): Promise<void> {
  const closed = once(socket, 'close');
  for (let left = bytes; left > 0 && !socket.destroyed; left -= block.length) {
    if (!socket.write(block)) await Promise.race([once(socket, 'drain'), closed]);
  }
}

describe('a large response costs next to no memory', () => {
  test.concurrent.each([
    [200, 'Transfer-Encoding: chunked', CHUNK, '0\r\n\r\n', 'unconfirmed'],
    [400, 'Connection: close', BLOCK, '', 'rejected'],
  ] as const)('%i, %s', async (status, framing, block, end, result) => {
    const measureWith = async (bytes: number): Promise<Usage & { readonly sent: number }> => {
      const server = await openServer(async (peer) => {
        await peer.readUpload();
        peer.send(`HTTP/1.1 ${status} Status\r\nContent-Type: text/plain\r\n${framing}\r\n\r\n`);
        await writeBlocks(peer.socket, block, bytes);
        peer.socket.end(end);
      });
      const inputs = { 'base-url': server.origin, retries: '0' };
      const usage = await measure(await makeWorkspace(), inputs);
      return { ...usage, sent: server.peer.socket.bytesWritten };
    };
    const small = await measureWith(1);
    const { run, peakKiB, sent } = await measureWith(LARGE_BYTES);
    const outputs = { uploaded: 'false', result, 'status-code': String(status) };
    expect(run.outputs).toMatchObject(outputs);
    expect(peakKiB - small.peakKiB).toBeLessThan(MOST_MORE_KIB);
    expect(sent).toBeLessThan(MOST_SENT_BYTES);
  });
});

/** Many times what a step takes, and less than an endless loop has by the time it is ended. */
const MOST_CPU_MS = 3000;

/** Makes for much output: each value is masked in two lines, with its scheme and without. */
const HEADERS = Array.from(
  { length: 30 },
  (_, index) => `X-Token-${index}: Basic ${String(index).padStart(4000, 'v')}`,
).join('\n');

const DETAIL = 'The scan is bad.';
const PROBLEM = JSON.stringify({ title: DETAIL, detail: `${DETAIL} `.repeat(3000) });
const RESPONSES = {
  accepted: makeReply(200),
  rejected: makeReply(400, { body: PROBLEM }),
};

/** Makes a pipe the output of the process, before anything is written. A limit of the output passes 20 times as fast. */
const OPEN_PIPE = `
  import { closeSync, constants, openSync, writeSync } from 'node:fs';
  import timers from 'node:timers/promises';
  const { setTimeout: wait } = timers;
  timers.setTimeout = (ms, ...rest) => wait(ms / 20, ...rest);
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const reader = openSync(process.env.PIPE, O_RDONLY | O_NONBLOCK);
  for (const fd of [1, 2]) {
    closeSync(fd);
    openSync(process.env.PIPE, O_WRONLY | O_NONBLOCK);
  }`;
const READERS = {
  gone: 'closeSync(reader);',
  'deaf, and the pipe is full': `
    try {
      for (;;) writeSync(1, 'x'.repeat(4096));
    } catch {
      // EAGAIN: the pipe is full.
    }`,
};

describePosix('a step whose output nobody reads', () => {
  test.concurrent.each([
    ['deaf, and the pipe is full', 'accepted', 0],
    ['gone', 'rejected', 1],
  ] as const)('with a reader that is %s, %s: ends with %i', async (reader, result, code) => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      peer.send(RESPONSES[result]);
    });
    const pipe = join(await makeFolder(), 'output');
    execFileSync('mkfifo', [pipe]);
    const inputs = { 'base-url': server.origin, headers: HEADERS, 'timeout-seconds': '60' };
    const workspace = await makeWorkspace();
    const { run, cpuMs } = await measure(workspace, inputs, OPEN_PIPE + READERS[reader], pipe);
    expect(run.exitCode).toBe(code);
    expect(run.stdout).toBe('');
    expect(run.outputs).toMatchObject({ uploaded: String(code === 0), result });
    expect(countAttempts(run)).toBe(1);
    expect(run.summary).toMatch(/^### . Scan upload/u);
    expect(cpuMs).toBeLessThan(MOST_CPU_MS);
  });
});

/** Has the largest number of files that the process has open written to its standard error at its end. */
const COUNT_FILES = `
  import { readdirSync } from 'node:fs';
  import promises from 'node:fs/promises';
  const { open } = promises;
  let most = 0;
  promises.open = async (...args) => {
    const handle = await open(...args);
    most = Math.max(most, readdirSync('/proc/self/fd').length);
    return handle;
  };
  process.once('exit', () => process.stderr.write(String(most)));`;

describeLinux('many scans', () => {
  test.concurrent(
    'are uploaded with fewer than 64 files open, and keep of refusals the texts only',
    async () => {
      const files = Array.from({ length: 60 }, (_, index) => `${index}.json`);
      const lists = Array.from({ length: 21_000 }, () => '[]').join();
      let requests = 0;
      const server = createServer((request, response) => {
        requests += 1;
        const refuse = () => response.writeHead(400).end(`{"title":"x","a":[${lists}]}`);
        request.resume().once('end', refuse);
      });
      const scans = files.map((name, index) => ({ 'scan-key': makeKey(index), 'scan-file': name }));
      const inputs = {
        'base-url': `http://127.0.0.1:${await listen(server)}`,
        scans: JSON.stringify(scans),
        'scan-key': '',
        'scan-file': '',
        'max-parallel': '8',
      };
      const workspace = await makeWorkspace(
        Object.fromEntries(files.map((name) => [name, REPORT])),
      );
      const { run, peakKiB } = await measure(workspace, inputs, COUNT_FILES);
      expect(run.outputs).toMatchObject({ result: 'rejected', reason: 'problem' });
      expect(requests).toBe(60);
      // Eight files, eight connections, and about twenty files that Node itself opens.
      expect(Number(run.stderr)).toBeGreaterThan(8);
      expect(Number(run.stderr)).toBeLessThan(64);
      // The objects of the refusals would take 240 MiB.
      expect(peakKiB).toBeLessThan(280 * KIB);
    },
  );
});
