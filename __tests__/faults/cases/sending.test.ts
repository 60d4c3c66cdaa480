import { makeReply } from '../../support/peer.ts';
import { NOT_SENT, STALL, afterHead, afterPart, large, makeLarge } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileReply } from '../harness/secrets.ts';

/** Failures and responses before all files are sent, which the buffers of the systems delay or lose. */
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
    name: '413 instead of 100 Continue, then a reset',
    transports: ['https'],
    files: makeLarge(3),
    serve: afterHead((peer, { secrets }) =>
      peer.socket.write(makeReply(413, hostileReply(secrets)), () => peer.reset()),
    ),
    expected: { result: 'rejected', reason: 'too-large', status: '413', attempts: 1 },
    check: ({ server }) =>
      server.peers[0]?.body.length === 0 ? [] : ['files were sent before they were asked for'],
  },
  {
    name: '413 after a part of the body, which is left unread, then a reset',
    files: large,
    serve: afterPart((peer, { secrets }) => {
      peer.socket.pause();
      peer.socket.write(makeReply(413, hostileReply(secrets)), () => peer.reset());
    }),
    // Windows may drop what has arrived once the connection is reset.
    expected: {
      result: process.platform === 'win32' ? ['rejected', 'not-sent'] : 'rejected',
      reason: process.platform === 'win32' ? ['too-large', 'connection'] : 'too-large',
      attempts: 1,
    },
  },
  {
    name: '200 on the headers of a small upload',
    transports: ['https-proxy'],
    // A busy machine may read the head only once the client has stopped waiting, together with the body.
    serve: afterHead((peer) =>
      peer.body.length === 0
        ? peer.replyAsStranger(200)
        : peer.readRequest().then(() => peer.reply(200)),
    ),
    expected: {
      ...NOT_SENT,
      status: '200',
      result: ['not-sent', 'accepted'],
      reason: ['connection', ''],
    },
  },
  {
    name: '200 after a part of the body, while the rest is left unread',
    transports: ['https'],
    files: large,
    serve: afterPart((peer) => {
      peer.socket.pause();
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      peer.accepted = true;
    }),
    expected: { ...NOT_SENT, status: '200' },
  },
]);
