import { makeReply } from '../../support/peer.ts';
import { MIB } from '../../support/samples.ts';
import { ACCEPTED, NOT_SENT, afterHead, afterPart } from '../harness/case-scripts.ts';
import { hostileReply } from '../harness/hostile.ts';
import { STALL } from '../harness/limits.ts';
import { large, makeLarge } from '../harness/reports.ts';
import type { Expected, FaultCase, Transport } from '../harness/types.ts';

const FAR: readonly Transport[] = ['http', 'https-proxy'];
const medium = makeLarge(3);
/** A success that came before everything was sent. */
const EARLY = { ...NOT_SENT, status: '200' };
/** What is expected of a 401, or of a 413. */
function expectRefusal(status: number): Expected {
  const reason = status === 401 ? 'credentials' : 'too-large';
  return { result: 'rejected', reason, status: String(status), attempts: 1 };
}

/** Failures while the files are being sent. */
export const SENDING: readonly FaultCase[] = [
  {
    name: 'the service stops reading',
    transports: FAR,
    // More than the buffers of a proxy and of four sockets take.
    files: makeLarge(48),
    inputs: () => STALL,
    serve: async (peer) => {
      await peer.readHeadAndContinue();
      peer.socket.pause();
    },
    expected: { result: 'not-sent', reason: 'stalled', status: '' },
  },
  {
    name: 'reset after a part of the body',
    transports: FAR,
    files: large,
    serve: afterPart((peer) => peer.reset()),
    expected: NOT_SENT,
  },
  {
    name: 'end after a part of the body',
    transports: FAR,
    files: large,
    serve: afterPart((peer) => {
      peer.socket.pause();
      peer.end();
    }),
    expected: NOT_SENT,
  },
  {
    name: 'reset after a part of the body, and the second attempt is accepted',
    files: medium,
    inputs: () => ({ retries: '1' }),
    serve: async (peer, _scene, turn) => {
      await peer.readHeadAndContinue();
      if (turn > 1) {
        await peer.readRequest();
        return peer.reply(200);
      }
      await peer.readBytes(MIB);
      peer.reset();
    },
    expected: { ...ACCEPTED, attempts: 2, connections: 2 },
  },
  ...[401, 413].flatMap((status): FaultCase[] => [
    {
      name: `${status} instead of 100 Continue, then the end`,
      files: medium,
      serve: afterHead((peer, { secrets }) => peer.reply(status, hostileReply(secrets))),
      expected: expectRefusal(status),
      check: ({ server }) =>
        server.peers[0]?.body.length === 0 ? [] : ['files were sent before they were asked for'],
    },
    {
      name: `${status} instead of 100 Continue, then a reset`,
      files: medium,
      serve: afterHead((peer, { secrets }) =>
        peer.socket.write(makeReply(status, hostileReply(secrets)), () => peer.reset()),
      ),
      expected: expectRefusal(status),
    },
    {
      name: `${status} on the headers of a small upload, then a reset`,
      serve: afterHead((peer, { secrets }) =>
        peer.socket.write(makeReply(status, hostileReply(secrets)), () => peer.reset()),
      ),
      expected: expectRefusal(status),
    },
  ]),
  {
    name: '413 after a part of the body, which is left unread',
    transports: FAR,
    files: large,
    serve: afterPart((peer, { secrets }) => {
      peer.socket.pause();
      peer.reply(413, hostileReply(secrets));
    }),
    // Windows may drop what has arrived once the connection is reset.
    expected: {
      result: process.platform === 'win32' ? ['rejected', 'not-sent'] : 'rejected',
      reason: ['too-large', 'connection'],
      attempts: 1,
    },
  },
  {
    name: '200 on the headers of a small upload',
    transports: FAR,
    inputs: () => ({ retries: '2' }),
    // A busy machine may read the head only once the client has stopped waiting, together with the body.
    serve: afterHead((peer) =>
      peer.body.length === 0
        ? peer.replyAsStranger(200)
        : peer.readRequest().then(() => peer.reply(200)),
    ),
    expected: { ...EARLY, result: ['not-sent', 'accepted'], reason: ['connection', ''] },
  },
  {
    name: '200 instead of 100 Continue, then the end',
    transports: FAR,
    // More than the buffers hold, for a busy machine that responds only after the client has stopped waiting.
    files: large,
    serve: afterHead((peer) => {
      peer.socket.pause();
      peer.reply(200);
    }),
    expected: EARLY,
  },
  {
    name: '200 instead of 100 Continue, and the connection stays open',
    files: large,
    serve: afterHead((peer) => {
      peer.socket.pause();
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      peer.accepted = true;
    }),
    expected: EARLY,
  },
  {
    name: '200 after a part of the body, which is left unread',
    files: large,
    serve: afterPart((peer) => {
      peer.socket.pause();
      peer.reply(200);
    }),
    expected: EARLY,
  },
  {
    name: '200 after a part of the body, while the rest is being read',
    files: large,
    serve: afterPart((peer) => {
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      peer.accepted = true;
    }),
    expected: EARLY,
  },
];
