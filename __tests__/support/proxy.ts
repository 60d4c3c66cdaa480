import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { Proxy as ProxySetting } from '../../src/service/tunnel.ts';
import { listen } from './raw-server.ts';
import { TEST_SCOPE } from './scope.ts';

/** The setting of a proxy on loopback. */
export function makeProxy(port: number, url = `http://127.0.0.1:${port}`): ProxySetting {
  return { url: new URL(url), authorization: undefined };
}

/** A proxy on loopback that opens every tunnel to one port, for any host. */
export interface Proxy {
  readonly port: number;
  /** Each CONNECT, in order; its URL is `host:port`. */
  readonly requests: readonly IncomingMessage[];
}

/** Starts a proxy to a loopback port; with a certificate an https proxy. */
export async function startProxy(
  targetPort: number,
  tls?: TlsOptions,
  scope = TEST_SCOPE,
): Promise<Proxy> {
  const requests: IncomingMessage[] = [];
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('connect', (request, socket, head) => {
    requests.push(request);
    tunnel(socket, head, targetPort);
  });
  return { port: await listen(server, scope), requests };
}

/** Closes each side when the other fails. */
function tunnel(socket: Duplex, head: Buffer, port: number): void {
  const target = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.write(head);
    target.pipe(socket).pipe(target);
  });
  socket.on('error', () => target.destroy());
  socket.once('close', () => target.destroy());
  target.on('error', () => socket.destroy());
}
