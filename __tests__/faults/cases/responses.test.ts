import { SHORT, UNCONFIRMED, afterUpload } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileHeaders, hostileReply, hostileText } from '../harness/secrets.ts';

/** The service has the whole upload, but no complete response arrives; `every-byte` has each byte of it. */
runCases([
  {
    name: 'a 200 trickles until the time limit, from a peer that ignores the end of the connection',
    transports: ['https'],
    inputs: () => SHORT,
    serve: afterUpload((peer) => {
      peer.socket.allowHalfOpen = true;
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const timer = setInterval(() => peer.send(' '), 100);
      peer.socket.once('close', () => clearInterval(timer));
    }),
    expected: { ...UNCONFIRMED, reason: 'time-limit', status: '200' },
  },
  {
    name: 'the whole body, then reset, and the second attempt is refused with every secret',
    inputs: () => ({ retries: '1' }),
    serve: afterUpload((peer, { secrets }, turn) => {
      if (turn === 1) return peer.reset();
      peer.reply(401, hostileReply(secrets));
    }),
    expected: { result: 'unconfirmed', reason: 'credentials', status: '401', attempts: 2 },
  },
  {
    name: 'the whole body, then reset',
    transports: ['https-proxy'],
    serve: afterUpload((peer) => peer.reset()),
    expected: UNCONFIRMED,
  },
]);

/** Bodies that a service does not send with this status. */
runCases([
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
    name: 'a 200 that says with every secret that the scan is stored',
    serve: afterUpload((peer, { secrets }) => {
      const headers = { ...hostileHeaders(secrets), 'Content-Type': 'text/plain' };
      const body = `Stored. ${hostileText(secrets).replaceAll('\n', ' ')}`;
      peer.reply(200, { headers, body });
    }),
    expected: { result: 'accepted', reason: '', status: '200', attempts: 1 },
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
