import type { FaultCase, Transport } from '../harness/types.ts';
import { makeReply } from '../../support/peer.ts';
import { hostileReply } from '../harness/hostile.ts';
import { MIB, makeReport } from './files.ts';
import { STALL } from './limits.ts';
import { ACCEPTED, NOT_SENT, afterHead, afterPart } from '../harness/serve.ts';

const ALL: readonly Transport[] = ['http', 'https', 'https-proxy'];
const large = (): Record<string, Buffer> => ({ 'scan.json': makeReport(33 * MIB) });
const medium = (): Record<string, Buffer> => ({ 'scan.json': makeReport(3 * MIB) });

/** F1 to F3, and F8: failures while the files are being sent. */
export const SENDING: readonly FaultCase[] = [
  {
    row: 'F1',
    variant: 'reset after a part of the body',
    transports: ALL,
    files: large,
    serve: afterPart((peer) => peer.reset()),
    expected: { ...NOT_SENT, says: /closed the connection after [\d.]+ of 33 MiB\..*`token`/s },
  },
  {
    row: 'F1',
    variant: 'end after a part of the body',
    transports: ALL,
    files: large,
    serve: afterPart((peer) => {
      peer.socket.pause();
      peer.end();
    }),
    expected: NOT_SENT,
  },
  {
    row: 'F1',
    variant: 'reset after a part of the body, and the second attempt is accepted',
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
    expected: { ...ACCEPTED, attempts: '2', connections: 2 },
  },
  ...[401, 413].flatMap((status): FaultCase[] => [
    {
      row: 'F2',
      variant: `${status} instead of 100 Continue, then the end`,
      files: medium,
      serve: afterHead((peer, { secrets }) => peer.reply(status, hostileReply(secrets))),
      expected: { result: 'rejected', status: String(status), attempts: '1' },
      check: ({ server }) =>
        server.peers[0]?.body.length === 0 ? [] : ['files were sent before they were asked for'],
    },
    {
      row: 'F2',
      variant: `${status} instead of 100 Continue, then a reset`,
      files: medium,
      serve: afterHead((peer, { secrets }) =>
        peer.socket.write(makeReply(status, hostileReply(secrets)), () => peer.reset()),
      ),
      expected: { result: 'rejected', status: String(status), attempts: '1' },
    },
    {
      row: 'F2',
      variant: `${status} on the headers of a small upload, then a reset`,
      serve: afterHead((peer, { secrets }) =>
        peer.socket.write(makeReply(status, hostileReply(secrets)), () => peer.reset()),
      ),
      expected: { result: 'rejected', status: String(status), attempts: '1' },
    },
  ]),
  {
    row: 'F2',
    variant: '413 after a part of the body, which is left unread',
    transports: ALL,
    files: large,
    serve: afterPart((peer, { secrets }) => {
      peer.socket.pause();
      peer.reply(413, hostileReply(secrets));
    }),
    // Windows may drop what has arrived once the connection is reset.
    expected: {
      result: process.platform === 'win32' ? ['rejected', 'not-sent'] : 'rejected',
      attempts: '1',
      says: /too large|may have refused the upload/,
    },
  },
  {
    row: 'F3',
    variant: '200 on the headers of a small upload, 20 ms later',
    transports: ALL,
    inputs: () => ({ retries: '2' }),
    serve: afterHead((peer) => void setTimeout(() => peer.replyAsStranger(200), 20)),
    expected: {
      result: 'not-sent',
      status: '200',
      attempts: '1',
      says: /responds without reading the upload: check the path in `base-url`/,
    },
  },
  {
    row: 'F3',
    variant: '200 instead of 100 Continue, then the end',
    transports: ALL,
    // More than the buffers hold, for a busy machine that responds only after the client has stopped waiting.
    files: large,
    serve: afterHead((peer) => {
      peer.socket.pause();
      peer.reply(200);
    }),
    expected: {
      result: 'not-sent',
      status: '200',
      attempts: '1',
      says: /before everything was sent/,
    },
  },
  {
    row: 'F3',
    variant: '200 instead of 100 Continue, and the connection stays open',
    files: large,
    serve: afterHead((peer) => {
      peer.socket.pause();
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      peer.accepted = true;
    }),
    expected: { result: 'not-sent', status: '200', attempts: '1' },
  },
  {
    row: 'F3',
    variant: '200 after a part of the body, which is left unread',
    files: large,
    serve: afterPart((peer) => {
      peer.socket.pause();
      peer.reply(200);
    }),
    expected: { result: 'not-sent', attempts: '1' },
  },
  {
    row: 'F3',
    variant: '200 after a part of the body, while the rest is being read',
    files: large,
    serve: afterPart((peer) => {
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      peer.accepted = true;
    }),
    expected: { result: 'not-sent', status: '200', attempts: '1' },
  },
  {
    row: 'F8',
    variant: 'the service stops reading',
    transports: ALL,
    // More than the buffers of a proxy and of four sockets take.
    files: () => ({ 'scan.json': makeReport(48 * MIB) }),
    inputs: () => STALL,
    serve: async (peer) => {
      await peer.readHeadAndContinue();
      peer.socket.pause();
    },
    expected: { result: 'not-sent', status: '', says: /for 3 s while the files were being sent/ },
  },
];
