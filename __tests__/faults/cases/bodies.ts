import { hostileHeaders, hostileText } from '../harness/hostile.ts';
import type { Peer } from '../../support/peer.ts';
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
  return async (peer) => {
    await peer.readUpload();
    const headers = { ...(type !== '' && { 'Content-Type': type }) };
    peer.replyAsStranger(200, { headers, body });
  };
}

/** F23: other servers in place of the service, and unusual responses of the service. */
const FOREIGN: readonly FaultCase[] = [
  ...Object.entries({
    'text/html': PAGE,
    'text/html; charset=iso-8859-1': PAGE,
    'TEXT/HTML': 'signed out',
    'application/xhtml+xml': PAGE,
    '': PAGE,
    'text/plain': `<!-- portal -->\n${PAGE}`,
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
    variant: 'a 403 page of a web firewall that repeats every secret',
    serve: afterUpload((peer, { secrets }) => {
      const text = hostileText(secrets);
      const headers = { ...hostileHeaders(secrets), 'Content-Type': 'text/html' };
      const body = `<html><head><title>${text}</title></head><body>${text}</body></html>`;
      peer.reply(403, { headers, body });
    }),
    expected: { result: 'rejected', status: '403', attempts: '1', says: /web firewall/ },
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

export const BODIES: readonly FaultCase[] = [...LARGE, ...FOREIGN];
