import { makeReply } from '../../support/peer.ts';
import { NOT_SENT, STALL, afterHead, afterPart, large, makeLarge } from '../harness/case.ts';
import type { CaseScript, FaultCase } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileReply } from '../harness/secrets.ts';

/** A success that came before everything was sent. */
const EARLY = { ...NOT_SENT, status: '200' };

/** Responds with every secret, and resets the connection. */
function refuseAndReset(status: number): CaseScript {
  return (peer, { secrets }) =>
    peer.socket.write(makeReply(status, hostileReply(secrets)), () => peer.reset());
}

const isUnsent: FaultCase['check'] = ({ server }) =>
  server.peers[0]?.body.length === 0 ? [] : ['files were sent before they were asked for'];

/** Failures while the files are being sent. */
runCases([
  {
    name: 'the service stops reading',
    transports: ['https-proxy'],
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
    transports: ['https'],
    files: large,
    serve: afterPart((peer) => peer.reset()),
    expected: NOT_SENT,
  },
  {
    name: 'end after a part of the body',
    transports: ['https-proxy'],
    files: large,
    serve: afterPart((peer) => {
      peer.socket.pause();
      peer.end();
    }),
    expected: NOT_SENT,
  },
  {
    name: 'a connection that ends within 100 Continue',
    // On a busy machine the client may have stopped waiting.
    files: large,
    serve: afterHead((peer) => {
      peer.socket.pause();
      peer.socket.end('HTTP/1.1 100 Conti');
    }),
    expected: NOT_SENT,
  },
]);

/** Refusals before everything was sent. */
runCases([
  {
    name: '401 instead of 100 Continue, then the end',
    files: makeLarge(3),
    serve: afterHead((peer, { secrets }) => peer.reply(401, hostileReply(secrets))),
    expected: { result: 'rejected', reason: 'credentials', status: '401', attempts: 1 },
    check: isUnsent,
  },
  {
    name: '413 instead of 100 Continue, then a reset',
    transports: ['https'],
    files: makeLarge(3),
    serve: afterHead(refuseAndReset(413)),
    expected: { result: 'rejected', reason: 'too-large', status: '413', attempts: 1 },
    check: isUnsent,
  },
  {
    name: '401 on the headers of a small upload, then a reset',
    transports: ['https'],
    serve: afterHead(refuseAndReset(401)),
    expected: { result: 'rejected', reason: 'credentials', status: '401', attempts: 1 },
  },
  ...(['reset', 'end'] as const).map((how): FaultCase => ({
    name: `413 after a part of the body, which is left unread, then ${how}`,
    transports: [how === 'end' ? 'https-proxy' : 'http'],
    files: large,
    serve: afterPart((peer, scene, turn) => {
      peer.socket.pause();
      if (how === 'reset') refuseAndReset(413)(peer, scene, turn);
      else peer.reply(413, hostileReply(scene.secrets));
    }),
    // Windows may drop what has arrived once the connection is reset.
    expected: {
      result: process.platform === 'win32' ? ['rejected', 'not-sent'] : 'rejected',
      reason: process.platform === 'win32' ? ['too-large', 'connection'] : 'too-large',
      attempts: 1,
    },
  })),
]);

/** A success before everything was sent is none. */
runCases([
  {
    name: '200 on the headers of a small upload',
    transports: ['http', 'https-proxy'],
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
    transports: ['https'],
    // More than the buffers hold, for a busy machine that responds only after the client has stopped waiting.
    files: large,
    serve: afterHead((peer) => {
      peer.socket.pause();
      peer.reply(200);
    }),
    expected: EARLY,
  },
  ...[false, true].map((isRead): FaultCase => ({
    name: `200 after a part of the body, while the rest is ${isRead ? 'being read' : 'left unread'}`,
    transports: [isRead ? 'http' : 'https'],
    files: large,
    serve: afterPart((peer) => {
      if (!isRead) peer.socket.pause();
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      peer.accepted = true;
    }),
    expected: EARLY,
  })),
]);
