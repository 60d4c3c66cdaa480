import type { Peer } from '../../support/peer.ts';
import type { FaultCase, Transport } from '../harness/types.ts';
import { SHORT, STALL } from './limits.ts';
import { UNCONFIRMED, afterUpload } from '../harness/serve.ts';

const ALL: readonly Transport[] = ['http', 'https', 'https-proxy'];

type End = 'end' | 'reset';
const ENDS: readonly End[] = ['end', 'reset'];

/** Sends a part of a response, and breaks the connection once it is sent. */
async function cut(peer: Peer, how: End, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    peer.socket.write(text, () => resolve());
  });
  peer[how]();
}

/** F4: the service has the whole upload, but no response arrives. */
const LOST: readonly FaultCase[] = [
  ...ENDS.flatMap((how): FaultCase[] => [
    {
      row: 'F4',
      variant: `the whole body, then ${how}`,
      transports: ALL,
      serve: afterUpload((peer) => peer[how]()),
      expected: { ...UNCONFIRMED, says: /may have the scan/ },
    },
    {
      row: 'F4',
      variant: `the whole body, then ${how}, and the second attempt is accepted`,
      inputs: () => ({ retries: '1' }),
      serve: afterUpload((peer, _scene, turn) => {
        if (turn === 1) return peer[how]();
        peer.reply(201, { body: '{}' });
      }),
      expected: { result: 'accepted', status: '201', attempts: '2', connections: 2 },
    },
  ]),
  {
    row: 'F4',
    variant: 'a response truncated within its head',
    serve: afterUpload((peer) => cut(peer, 'end', 'HTTP/1.1 200 OK\r\nContent-Le')),
    expected: UNCONFIRMED,
  },
];

const FRAMINGS = {
  length: 'Content-Length: 1000\r\n\r\n{"partly":',
  chunked: 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"par\r\n',
} as const;

/** F5: the status arrives, but the body is truncated. */
const CUT: readonly FaultCase[] = Object.entries(FRAMINGS).flatMap(([framing, rest]) =>
  ENDS.flatMap((how) =>
    [200, 500].map((status): FaultCase => ({
      row: 'F5',
      variant: `${status}, ${framing}, truncated by ${how}`,
      serve: afterUpload((peer) => cut(peer, how, `HTTP/1.1 ${status} Status\r\n${rest}`)),
      expected: {
        result: status === 200 ? 'unconfirmed' : 'rejected',
        status: String(status),
        attempts: '1',
      },
    })),
  ),
);

/** F6, F7 and F9: a slow response. */
const SLOW: readonly FaultCase[] = [
  ...[200, 400].map((status): FaultCase => ({
    row: 'F6',
    variant: `the body of a ${status} stalls`,
    transports: ALL,
    inputs: () => STALL,
    serve: afterUpload((peer) => {
      peer.send(`HTTP/1.1 ${status} Status\r\nContent-Length: 1000\r\n\r\n{"partly":`);
    }),
    expected: {
      result: status === 200 ? 'unconfirmed' : 'rejected',
      status: String(status),
      attempts: '1',
      // Of a success, the stall's own limit must be what ended it, not that of the whole step.
      says: status === 200 ? /^(?!.*`timeout-seconds`\))/s : /HTTP 400/,
    },
  })),
  {
    row: 'F6',
    variant: 'the body of a 200 trickles until the time limit',
    inputs: () => SHORT,
    serve: afterUpload(async (peer) => {
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      trickle(peer, ' ');
      await peer.closed;
    }),
    expected: { result: 'unconfirmed', status: '200', attempts: '1' },
  },
  {
    row: 'F7',
    variant: 'no response at all',
    transports: ALL,
    inputs: () => SHORT,
    serve: (peer) => peer.readUpload(),
    expected: { ...UNCONFIRMED, says: /timeout-seconds/ },
  },
  {
    row: 'F7',
    variant: 'no response, from a peer that ignores the end of the connection',
    inputs: () => SHORT,
    serve: afterUpload((peer) => {
      peer.socket.allowHalfOpen = true;
      peer.socket.pause();
    }),
    expected: UNCONFIRMED,
  },
  {
    row: 'F9',
    variant: "the response's head trickles",
    inputs: () => SHORT,
    serve: afterUpload(async (peer) => {
      peer.send('HTTP/1.1 200 OK\r\nX-Pad: ');
      trickle(peer, 'x');
      await peer.closed;
    }),
    expected: { ...UNCONFIRMED, says: /timeout-seconds/ },
  },
];

function trickle(peer: Peer, text: string): void {
  const timer = setInterval(() => peer.send(text), 100);
  peer.socket.once('close', () => clearInterval(timer));
}

export const RESPONSES: readonly FaultCase[] = [...LOST, ...CUT, ...SLOW];
