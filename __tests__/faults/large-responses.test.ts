import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { makeMeter } from './support/usage.ts';

const LARGE_BYTES = 1024 ** 3;
const MOST_MORE_KIB = 40 * 1024;
/** The client reads 1 MiB at most; the rest is what the buffers of both kernels take. */
const MOST_SENT_BYTES = 32 * 1024 * 1024;
/** Words, since a text without them is truncated in another way. */
const BLOCK = Buffer.from('The scan was not what it should be. '.repeat(2000));

/** How a response is framed: its header, and how a block is written. */
const FRAMINGS = {
  'in chunks': [
    'Transfer-Encoding: chunked',
    (block: Buffer) =>
      Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]),
  ],
  unframed: ['Connection: close', (block: Buffer) => block],
} as const;

type Framing = keyof typeof FRAMINGS;

/** Writes a response no faster than it is taken, until it is whole or nobody takes any more. */
async function writeResponse(
  socket: Socket,
  status: number,
  framing: Framing,
  bytes: number,
): Promise<void> {
  const [header, frame] = FRAMINGS[framing];
  socket.write(`HTTP/1.1 ${status} Status\r\nContent-Type: text/plain\r\n${header}\r\n\r\n`);
  const closed = once(socket, 'close');
  for (let left = bytes; left > 0 && !socket.destroyed; left -= BLOCK.length) {
    const isTaken = socket.write(frame(BLOCK.subarray(0, left)));
    if (!isTaken) await Promise.race([once(socket, 'drain'), closed]);
  }
  socket.end(framing === 'unframed' ? '' : '0\r\n\r\n');
}

/** A step that gets such a response: its run, its peak memory, and how much the server sent. */
async function runWith(
  ...response: [status: number, framing: Framing, bytes: number]
): Promise<{ readonly run: StepRun; readonly peakKiB: number; readonly sent: number }> {
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    await writeResponse(peer.socket, ...response);
  });
  const meter = await makeMeter();
  const inputs = { 'base-url': server.origin, retries: '0' };
  const run = await runAction(await makeWorkspace(), inputs, { env: meter.env });
  const sent = server.peers.reduce((sum, { socket }) => sum + socket.bytesWritten, 0);
  return { run, peakKiB: meter.read().peakKiB, sent };
}

describe('a large response costs next to no memory', () => {
  test.concurrent.each<[number, Framing, string]>([
    [200, 'in chunks', 'unconfirmed'],
    [400, 'unframed', 'rejected'],
  ])('%i, %s: is %s', async (status, framing, result) => {
    const small = await runWith(status, framing, 100);
    const { run, peakKiB, sent } = await runWith(status, framing, LARGE_BYTES);
    expect(run.outputs).toMatchObject({
      uploaded: 'false',
      result,
      'status-code': String(status),
    });
    expect(peakKiB - small.peakKiB).toBeLessThan(MOST_MORE_KIB);
    expect(sent).toBeLessThan(MOST_SENT_BYTES);
  });
});
