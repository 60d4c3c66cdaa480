import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { cleanUp } from '../../support/scope.ts';

/** Listens, and then does nothing any more, so that no connection is ever accepted. */
const LISTEN = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Connections that a backlog of 1 holds. */
const HELD = 2;

/** Opens a port whose backlog is full: a connection to it gets no response. Closed after the test. */
export async function openBlackHole(): Promise<number> {
  const worker = new Worker(LISTEN, { eval: true });
  cleanUp(async () => void (await worker.terminate()));
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const sockets = Array.from({ length: HELD }, () => connect(port, '127.0.0.1'));
  cleanUp(async () => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return port;
}
