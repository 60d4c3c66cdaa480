import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect } from 'node:net';
import { cleanUp } from './fixtures.ts';

/** A proxy on loopback that tunnels to one port, whatever host is asked for. */
export interface Proxy {
  readonly port: number;
  /** `host:port` of each CONNECT, in order. */
  readonly targets: readonly string[];
  /** `Proxy-Authorization` of each CONNECT, in order. */
  readonly credentials: readonly (string | undefined)[];
}

/** Starts a proxy that lets everyone in, or answers every CONNECT with `refusal`. */
export async function startProxy(targetPort: number, refusal?: string): Promise<Proxy> {
  const targets: string[] = [];
  const credentials: (string | undefined)[] = [];
  const sockets: Duplex[] = [];
  const server = createServer();
  server.on('connect', (request, socket, head) => {
    targets.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    sockets.push(socket);
    socket.on('error', () => {});
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
      return;
    }
    const target = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    sockets.push(target);
    target.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    // A server lets go of the sockets of its tunnels, and so does not close them.
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return { port: address.port, targets, credentials };
}
