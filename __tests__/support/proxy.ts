import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { Proxy as ProxySetting } from '../../src/service/settings.ts';
import { listen } from './raw-server.ts';
import { TEST_SCOPE } from './scope.ts';

/** The setting of a proxy on loopback. */
export function makeProxy(port: number, url = `http://127.0.0.1:${port}`): ProxySetting {
  return { url: new URL(url), authorization: undefined, secrets: [] };
}

/** A proxy on loopback that opens every tunnel to one port, for any host. */
export interface Proxy {
  readonly port: number;
  /** `host:port` of each CONNECT, in order. */
  readonly targets: readonly string[];
  /** `Proxy-Authorization` of each CONNECT, in order. */
  readonly credentials: readonly (string | undefined)[];
}

/** Starts a proxy to a loopback port; with a certificate an https proxy. */
export async function startProxy(
  targetPort: number,
  tls?: TlsOptions,
  scope = TEST_SCOPE,
): Promise<Proxy> {
  const targets: string[] = [];
  const credentials: (string | undefined)[] = [];
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('connect', (request, socket, head) => {
    targets.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    tunnel(socket, head, targetPort);
  });
  return { port: await listen(server, scope), targets, credentials };
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
