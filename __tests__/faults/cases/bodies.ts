import { gzipSync } from 'node:zlib';
import type { Reply } from '../../support/peer.ts';
import { ACCEPTED, UNCONFIRMED, afterUpload } from '../harness/case-scripts.ts';
import { hostileHeaders, hostileText } from '../harness/hostile.ts';
import type { CaseScript, FaultCase } from '../harness/types.ts';

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body>Password</body></html>';

/** A 200 after the whole upload that is no success of the service. */
function stranger(reply: Reply): CaseScript {
  return afterUpload((peer) => peer.replyAsStranger(200, reply));
}

/** Other servers in place of the service, and unusual responses of the service. */
export const BODIES: readonly FaultCase[] = [
  {
    name: 'a 200 that is a web page',
    serve: stranger({ body: PAGE }),
    expected: { result: 'rejected', reason: 'web-page', status: '200', attempts: 1 },
  },
  {
    name: 'a compressed 200 that is a web page',
    serve: stranger({ headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(PAGE) }),
    expected: { result: 'rejected', reason: 'web-page', status: '200', attempts: 1 },
  },
  {
    name: 'a 200 that is a problem of more than 64 KiB',
    serve: stranger({ body: JSON.stringify({ pad: 'x '.repeat(64 * 1024), status: 500 }) }),
    expected: { result: 'rejected', reason: 'refused', status: '200', attempts: 1 },
  },
  {
    name: 'a 200 that is a problem with every secret',
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
  {
    name: 'a 200 declared as text/html with "OK", as frameworks send it',
    serve: afterUpload((peer) =>
      peer.reply(200, { headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: 'OK' }),
    ),
    expected: { ...ACCEPTED, attempts: 1 },
  },
  {
    name: 'an unframed 200 with a clean end',
    transports: ['https', 'https-proxy'],
    serve: afterUpload((peer) => {
      peer.send('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"ok":true}');
      peer.accepted = true;
      peer.end();
    }),
    expected: { ...ACCEPTED, attempts: 1 },
  },
  {
    name: 'an unframed 200, reset',
    transports: ['https'],
    serve: afterUpload((peer) => {
      const text = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"ok":';
      peer.socket.write(text, () => peer.reset());
    }),
    expected: { ...UNCONFIRMED, status: '200' },
  },
  {
    name: 'a 204, which is a success as well',
    serve: afterUpload((peer) => peer.reply(204)),
    expected: { ...ACCEPTED, status: '204', attempts: 1 },
  },
];
