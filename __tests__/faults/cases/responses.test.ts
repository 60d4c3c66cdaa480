import type { Peer } from '../../support/peer.ts';
import { SHORT, STALL, UNCONFIRMED, afterUpload } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileHeaders, hostileText } from '../harness/secrets.ts';

/** Sends a part of a response, and breaks the connection once it is sent. */
function cut(peer: Peer, how: 'end' | 'reset', text: string): void {
  peer.socket.write(text, () => peer[how]());
}

function trickle(peer: Peer, start: string, text: string): Promise<void> {
  peer.send(start);
  const timer = setInterval(() => peer.send(text), 100);
  peer.socket.once('close', () => clearInterval(timer));
  return peer.closed;
}

/** A slow response, which a limit ends. */
runCases([
  {
    name: 'no response, from a peer that ignores the end of the connection',
    transports: ['https-proxy'],
    inputs: () => SHORT,
    serve: afterUpload((peer) => {
      peer.socket.allowHalfOpen = true;
      peer.socket.pause();
    }),
    expected: { ...UNCONFIRMED, reason: 'time-limit' },
  },
  {
    name: 'the body of a 200 trickles until the time limit',
    transports: ['https'],
    inputs: () => SHORT,
    serve: afterUpload((peer) =>
      trickle(peer, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', ' '),
    ),
    expected: { ...UNCONFIRMED, reason: 'time-limit', status: '200' },
  },
  ...[200, 400].map((status) => ({
    name: `the body of a ${status} stalls`,
    inputs: () => STALL,
    serve: afterUpload((peer) => {
      peer.send(`HTTP/1.1 ${status} Status\r\nContent-Length: 1000\r\n\r\n{"partly":`);
    }),
    expected: {
      ...(status === 200
        ? ({ result: 'unconfirmed', reason: 'stalled' } as const)
        : ({ result: 'rejected', reason: 'refused' } as const)),
      status: String(status),
      attempts: 1,
    },
  })),
]);

/** The service has the whole upload, but no complete response arrives; `every-byte` has each byte of it. */
runCases([
  {
    name: 'the whole body, then reset, and the second attempt is accepted',
    inputs: () => ({ retries: '1' }),
    serve: afterUpload((peer, _scene, turn) => {
      if (turn === 1) return peer.reset();
      peer.reply(201, { body: '{}' });
    }),
    expected: { result: 'accepted', reason: '', status: '201', attempts: 2, connections: 2 },
  },
  ...(['end', 'reset'] as const).map((how) => ({
    name: `the whole body, then ${how}`,
    transports: ['http', 'https-proxy'] as const,
    serve: afterUpload((peer) => peer[how]()),
    expected: UNCONFIRMED,
  })),
  {
    name: 'a 200, truncated by reset',
    serve: afterUpload((peer) =>
      cut(peer, 'reset', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"partly":'),
    ),
    expected: { ...UNCONFIRMED, status: '200' },
  },
  {
    name: 'a 500 in chunks, truncated by its end',
    serve: afterUpload((peer) =>
      cut(peer, 'end', 'HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"par\r\n'),
    ),
    expected: { result: 'rejected', reason: 'unavailable', status: '500', attempts: 1 },
  },
]);

/** Bodies that a service does not send with this status. */
runCases([
  {
    name: 'a 200 that is a problem of more than 64 KiB',
    serve: afterUpload((peer) => {
      const body = JSON.stringify({ pad: 'x '.repeat(64 * 1024), status: 500 });
      peer.replyAsStranger(200, { body });
    }),
    expected: { result: 'rejected', reason: 'refused', status: '200', attempts: 1 },
  },
  {
    name: 'a 200 that is a problem with every secret',
    transports: ['https'],
    serve: afterUpload((peer, { secrets }) => {
      const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
      const body = JSON.stringify({ title: 'No', detail: `Not taken. ${hostileText(secrets)}` });
      peer.replyAsStranger(200, { headers, body });
    }),
    expected: { result: 'rejected', reason: 'problem', status: '200', attempts: 1 },
  },
  {
    name: 'a 403 page with a challenge that repeats every secret',
    serve: afterUpload((peer, { secrets }) => {
      const text = hostileText(secrets);
      const headers = { ...hostileHeaders(secrets), 'Content-Type': 'text/html' };
      const body = `<html><head><title>${text}</title></head><body>${text}</body></html>`;
      peer.reply(403, { headers, body });
    }),
    expected: { result: 'rejected', reason: 'credentials', status: '403', attempts: 1 },
  },
]);
