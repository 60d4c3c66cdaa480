import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { makeMeter } from './support/usage.ts';

const LARGE_BYTES = 1024 ** 3;
const SMALL_BYTES = 100;
const MOST_MORE_KIB = 40 * 1024;
/** The client reads 1 MiB at most; the rest is what the buffers of both kernels take. */
const MOST_SENT_BYTES = 32 * 1024 * 1024;
/** Less than the limit of a test: a process that hangs is killed. */
const HUNG_MS = 15_000;
/** Words, since a text without them is truncated in another way. */
const BLOCK = Buffer.from('The scan was not what it should be. '.repeat(2000));

/** How a response is framed. */
const FRAMINGS = {
  'Content-Length': {
    header: (bytes: number) => `Content-Length: ${bytes}`,
    frame: (block: Buffer) => block,
  },
  chunked: {
    header: () => 'Transfer-Encoding: chunked',
    frame: (block: Buffer) =>
      Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]),
  },
  'chunks of a byte': {
    header: () => 'Transfer-Encoding: chunked',
    frame: (block: Buffer) => Buffer.from('1\r\nx\r\n'.repeat(block.length)),
  },
  unframed: { header: () => 'Connection: close', frame: (block: Buffer) => block },
};

type Framing = keyof typeof FRAMINGS;

interface LargeResponse {
  readonly status: number;
  readonly framing: Framing;
  readonly bytes: number;
}

/** Writes a response no faster than it is taken, until it is whole or nobody takes any more. */
async function writeResponse(
  socket: Socket,
  { status, framing, bytes }: LargeResponse,
): Promise<void> {
  const { header, frame } = FRAMINGS[framing];
  socket.write(`HTTP/1.1 ${status} Status\r\nContent-Type: text/plain\r\n${header(bytes)}\r\n\r\n`);
  const closed = once(socket, 'close');
  for (let left = bytes; left > 0 && !socket.destroyed; left -= BLOCK.length) {
    const isTaken = socket.write(frame(BLOCK.subarray(0, left)));
    if (!isTaken) await Promise.race([once(socket, 'drain'), closed]);
  }
  socket.end(header(bytes).includes('chunked') ? '0\r\n\r\n' : '');
}

/** A step that gets such a response: its run, its peak memory, and how much the server sent. */
async function runWith(
  response: LargeResponse,
): Promise<{ readonly run: StepRun; readonly peakKiB: number; readonly sent: number }> {
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    await writeResponse(peer.socket, response);
  });
  const meter = await makeMeter();
  const inputs = { 'base-url': server.origin, retries: '0' };
  const options = { env: meter.env, timeoutMs: HUNG_MS };
  const run = await runAction(await makeWorkspace(), inputs, options);
  const sent = server.peers.reduce((sum, { socket }) => sum + socket.bytesWritten, 0);
  return { run, peakKiB: meter.read().peakKiB, sent };
}

const small = new Map<number, ReturnType<typeof runWith>>();

/** The peak memory of a step that gets a small response. */
async function measureSmall(status: number): Promise<number> {
  const run = small.get(status) ?? runWith({ status, framing: 'unframed', bytes: SMALL_BYTES });
  small.set(status, run);
  return (await run).peakKiB;
}

describe('a response of 250,000 chunks of a byte each', () => {
  test.concurrent('is accepted and takes almost no memory', async () => {
    const large = await runWith({ status: 200, framing: 'chunks of a byte', bytes: 250_000 });
    expect(large.run.outputs.result).toBe('accepted');
    expect(large.peakKiB - (await measureSmall(200))).toBeLessThan(MOST_MORE_KIB);
  });
});

describe('a response of 1 GB', () => {
  test.concurrent.each<[number, Framing, string]>([
    [400, 'unframed', 'rejected'],
    [200, 'chunked', 'unconfirmed'],
    [200, 'unframed', 'unconfirmed'],
  ])('%i, %s: is %s and costs next to no memory', async (status, framing, result) => {
    const large = await runWith({ status, framing, bytes: LARGE_BYTES });
    expect(large.run.exitCode).toBe(1);
    expect(large.run.outputs).toMatchObject({
      uploaded: 'false',
      result,
      'status-code': String(status),
    });
    expect(large.peakKiB - (await measureSmall(status))).toBeLessThan(MOST_MORE_KIB);
    expect(large.sent).toBeLessThan(MOST_SENT_BYTES);
  });
});
