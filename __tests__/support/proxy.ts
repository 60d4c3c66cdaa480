import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from './raw-server.ts';
import { TEST_SCOPE } from './scope.ts';

/** A proxy on loopback that opens every tunnel to one port, for any host. */
export interface Proxy {
  readonly port: number;
  /** `host:port` of each CONNECT, in order. */
  readonly targets: readonly string[];
  /** `Proxy-Authorization` of each CONNECT, in order. */
  readonly credentials: readonly (string | undefined)[];
}

/** Starts a proxy to a loopback port. With `refusal`, responds to every CONNECT with it. */
export async function startProxy(
  targetPort: number,
  refusal?: string,
  scope = TEST_SCOPE,
): Promise<Proxy> {
  const targets: string[] = [];
  const credentials: (string | undefined)[] = [];
  const server = createServer();
  server.on('connect', (request, socket, head) => {
    targets.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    if (refusal === undefined) tunnel(socket, head, targetPort);
    else socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
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
