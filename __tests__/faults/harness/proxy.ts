import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Scope } from './scope.ts';
import { listen } from './server.ts';

/** A proxy that tunnels every CONNECT to one port of loopback. */
export interface FaultProxy {
  readonly port: number;
  /** `host:port` of each CONNECT, in order. */
  readonly targets: readonly string[];
  /** `Proxy-Authorization` of each CONNECT, in order. */
  readonly credentials: readonly (string | undefined)[];
}

/** Opens a proxy to the port that is named once a tunnel is asked for. */
export async function openProxy(scope: Scope, targetPort: () => number): Promise<FaultProxy> {
  const targets: string[] = [];
  const credentials: (string | undefined)[] = [];
  const sockets: Duplex[] = [];
  const server = createServer();
  server.on('connect', (request, socket, head) => {
    targets.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    const target = connect(targetPort(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    sockets.push(socket, target);
    // A break on one side is one on the other, as a reset where it was a reset.
    socket.on('error', () => target.destroy());
    target.on('error', () => socket.destroy());
  });
  const port = await listen(server);
  scope.defer(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { port, targets, credentials };
}
