import type { Peer } from '../../support/peer.ts';
import { UNCONFIRMED, afterUpload } from '../harness/case-scripts.ts';
import { SHORT, STALL } from '../harness/limits.ts';
import type { FaultCase, Transport } from '../harness/types.ts';

const FAR: readonly Transport[] = ['http', 'https-proxy'];

type End = 'end' | 'reset';
const ENDS: readonly End[] = ['end', 'reset'];

/** Sends a part of a response, and breaks the connection once it is sent. */
async function cut(peer: Peer, how: End, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    peer.socket.write(text, () => resolve());
  });
  peer[how]();
}

function trickle(peer: Peer, start: string, text: string): Promise<void> {
  peer.send(start);
  const timer = setInterval(() => peer.send(text), 100);
  peer.socket.once('close', () => clearInterval(timer));
  return peer.closed;
}

/** A slow response, which a limit ends. */
const SLOW: readonly FaultCase[] = [
  {
    name: 'no response at all',
    transports: FAR,
    inputs: () => SHORT,
    serve: (peer) => peer.readUpload(),
    expected: { ...UNCONFIRMED, reason: 'time-limit' },
  },
  {
    name: 'no response, from a peer that ignores the end of the connection',
    inputs: () => SHORT,
    serve: afterUpload((peer) => {
      peer.socket.allowHalfOpen = true;
      peer.socket.pause();
    }),
    expected: { ...UNCONFIRMED, reason: 'time-limit' },
  },
  {
    name: 'the head of a response trickles until the time limit',
    inputs: () => SHORT,
    serve: afterUpload((peer) => trickle(peer, 'HTTP/1.1 200 OK\r\nX-Pad: ', 'x')),
    expected: { ...UNCONFIRMED, reason: 'time-limit' },
  },
  {
    name: 'the body of a 200 trickles until the time limit',
    inputs: () => SHORT,
    serve: afterUpload((peer) =>
      trickle(peer, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', ' '),
    ),
    expected: { ...UNCONFIRMED, reason: 'time-limit', status: '200' },
  },
  ...[200, 400].map((status): FaultCase => ({
    name: `the body of a ${status} stalls`,
    transports: FAR,
    inputs: () => STALL,
    serve: afterUpload((peer) => {
      peer.send(`HTTP/1.1 ${status} Status\r\nContent-Length: 1000\r\n\r\n{"partly":`);
    }),
    expected: {
      ...(status === 200
        ? { result: 'unconfirmed', reason: 'stalled' }
        : { result: 'rejected', reason: 'refused' }),
      status: String(status),
      attempts: 1,
    },
  })),
];

/** The service has the whole upload, but no response arrives. */
const LOST: readonly FaultCase[] = [
  {
    name: 'the whole body, then reset, and the second attempt is accepted',
    inputs: () => ({ retries: '1' }),
    serve: afterUpload((peer, _scene, turn) => {
      if (turn === 1) return peer.reset();
      peer.reply(201, { body: '{}' });
    }),
    expected: { result: 'accepted', reason: '', status: '201', attempts: 2, connections: 2 },
  },
  ...ENDS.map((how): FaultCase => ({
    name: `the whole body, then ${how}`,
    transports: FAR,
    serve: afterUpload((peer) => peer[how]()),
    expected: UNCONFIRMED,
  })),
  {
    name: 'a response truncated within its head',
    serve: afterUpload((peer) => cut(peer, 'end', 'HTTP/1.1 200 OK\r\nContent-Le')),
    expected: UNCONFIRMED,
  },
];

const FRAMINGS = {
  length: 'Content-Length: 1000\r\n\r\n{"partly":',
  chunked: 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"par\r\n',
} as const;

/** The status arrives, but the body is truncated. */
const TRUNCATED: readonly FaultCase[] = Object.entries(FRAMINGS).flatMap(([framing, rest]) =>
  ENDS.flatMap((how) =>
    [200, 500].map((status): FaultCase => ({
      name: `a ${status} (${framing}), truncated by ${how}`,
      serve: afterUpload((peer) => cut(peer, how, `HTTP/1.1 ${status} Status\r\n${rest}`)),
      expected: {
        ...(status === 200
          ? { result: 'unconfirmed', reason: 'connection' }
          : { result: 'rejected', reason: 'unavailable' }),
        status: String(status),
        attempts: 1,
      },
    })),
  ),
);

// Cases that wait come first, so that the others run meanwhile.
export const RESPONSES: readonly FaultCase[] = [...SLOW, ...LOST, ...TRUNCATED];
