import { gzipSync } from 'node:zlib';
import { hostileHeaders, hostileText } from '../harness/hostile.ts';
import type { Peer, Reply } from '../../support/peer.ts';
import type { FaultCase, ServeCase } from '../harness/types.ts';
import { MIB } from './files.ts';
import { ACCEPTED, afterUpload } from '../harness/serve.ts';

const PAD = Buffer.alloc(64 * 1024, 'all work and no play ');

/** Writes a response's body until the client closes the connection, or `limit` bytes are sent. */
async function pour(peer: Peer, limit: number): Promise<void> {
  for (let bytes = 0; !peer.socket.destroyed && bytes < limit; bytes += PAD.length) {
    await Promise.race([
      new Promise<void>((resolve) => {
        peer.socket.write(PAD, () => resolve());
      }),
      peer.closed,
    ]);
  }
}

/** F22: a long response; `large-responses.test.ts` has every framing and measures memory. */
const LARGE: readonly FaultCase[] = [
  {
    row: 'F22',
    variant: 'a 200 of 1 GiB',
    serve: afterUpload(async (peer) => {
      peer.send('HTTP/1.1 200 Status\r\nContent-Length: 1073741824\r\n\r\n');
      await pour(peer, 1024 * MIB);
    }),
    expected: { result: 'unconfirmed', status: '200', attempts: '1' },
  },
  {
    row: 'F22',
    variant: 'a 200 of 900 KiB, read to its end',
    serve: afterUpload((peer) => peer.reply(200, { body: Buffer.alloc(900 * 1024, 'x') })),
    expected: { ...ACCEPTED, attempts: '1' },
  },
];

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body>Password</body></html>';

function page(type: string, body: string): ServeCase {
  return stranger({ headers: { ...(type !== '' && { 'Content-Type': type }) }, body });
}

/** A 200 after the whole upload that is no success of the service. */
function stranger(reply: Reply): ServeCase {
  return afterUpload((peer) => peer.replyAsStranger(200, reply));
}

/** F23: successes that need their whole body, decoded. */
const DECODED: readonly FaultCase[] = [
  {
    row: 'F23',
    variant: 'a compressed 200 that is a web page',
    serve: stranger({ headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(PAGE) }),
    expected: { result: 'rejected', status: '200', attempts: '1', says: /web page/ },
  },
  {
    row: 'F23',
    variant: 'a 200 that is a problem of more than 64 KiB',
    serve: stranger({ body: JSON.stringify({ pad: 'x '.repeat(64 * 1024), status: 500 }) }),
    expected: { result: 'rejected', status: '200', attempts: '1', says: /HTTP 200 OK/ },
  },
  {
    row: 'F23',
    variant: 'a 200 in an unknown encoding, which is not repeated',
    inputs: () => ({ retries: '3' }),
    serve: stranger({ headers: { 'Content-Encoding': 'zstd' }, body: 'unknown' }),
    expected: {
      result: 'unconfirmed',
      status: '200',
      attempts: '1',
      says: /\(HTTP 200 OK, zstd\) cannot be read.*may have the scan/s,
    },
  },
  ...['', 'OK'].map((body): FaultCase => ({
    row: 'F23',
    variant: `a 200 declared as text/html with ${JSON.stringify(body)}, as frameworks send it`,
    serve: afterUpload((peer) =>
      peer.reply(200, { headers: { 'Content-Type': 'text/html; charset=utf-8' }, body }),
    ),
    expected: { ...ACCEPTED, attempts: '1' },
  })),
  {
    row: 'F23',
    variant: 'a compressed refusal, whose problem is shown',
    serve: afterUpload((peer) => {
      const body = gzipSync('{"status":400,"detail":"Unknown key."}');
      peer.reply(400, { headers: { 'Content-Encoding': 'gzip' }, body });
    }),
    expected: { result: 'rejected', status: '400', attempts: '1', says: /Unknown key\./ },
  },
];

/** F23: other servers in place of the service, and unusual responses of the service. */
const FOREIGN: readonly FaultCase[] = [
  ...Object.entries({
    'text/html': PAGE,
    'text/html; charset=iso-8859-1': PAGE,
    'TEXT/HTML': 'Signed out.\nSign in again.',
    'application/xhtml+xml': PAGE,
    '': PAGE,
    'text/plain': `<!-- portal -->\n${PAGE}`,
    'application/json': `${' '.repeat(64 * 1024)}<iframe src="/login"></iframe>`,
  }).map(([type, body]): FaultCase => ({
    row: 'F23',
    variant: `a 200 that is a web page (${type === '' ? 'no type' : type})`,
    serve: page(type, body),
    expected: { result: 'rejected', status: '200', attempts: '1', says: /web page/ },
  })),
  {
    row: 'F23',
    variant: 'a 200 that is a problem',
    serve: afterUpload((peer, { secrets }) => {
      const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
      const body = JSON.stringify({ title: 'No', detail: `Not taken. ${hostileText(secrets)}` });
      peer.replyAsStranger(200, { headers, body });
    }),
    expected: { result: 'rejected', status: '200', attempts: '1', says: /Not taken/ },
  },
  {
    row: 'F23',
    variant: 'a 403 page with a challenge that repeats every secret',
    serve: afterUpload((peer, { secrets }) => {
      const text = hostileText(secrets);
      const headers = { ...hostileHeaders(secrets), 'Content-Type': 'text/html' };
      const body = `<html><head><title>${text}</title></head><body>${text}</body></html>`;
      peer.reply(403, { headers, body });
    }),
    expected: { result: 'rejected', status: '403', attempts: '1', says: /credential may upload/ },
  },
  {
    row: 'F23',
    variant: 'an unframed 200 with a clean end',
    transports: ['http', 'https', 'https-proxy'],
    serve: afterUpload((peer) => {
      peer.send('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"ok":true}');
      peer.accepted = true;
      peer.end();
    }),
    expected: { ...ACCEPTED, attempts: '1' },
  },
  {
    row: 'F23',
    variant: 'an unframed 200, reset',
    serve: afterUpload((peer) => {
      const text = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"ok":';
      peer.socket.write(text, () => peer.reset());
    }),
    expected: { result: 'unconfirmed', attempts: '1' },
  },
  ...[201, 202, 204].map((status): FaultCase => ({
    row: 'F23',
    variant: `a ${status}, which is a success as well`,
    serve: afterUpload((peer) => peer.reply(status)),
    expected: { result: 'accepted', status: String(status), attempts: '1' },
  })),
];

export const BODIES: readonly FaultCase[] = [...LARGE, ...FOREIGN, ...DECODED];
