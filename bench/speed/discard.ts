// The least that can take an upload in: node discard.ts. What curl needs with it shows what the sink
// adds. It answers every connection once, after as many bytes as the head says.
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { listen } from './listen.ts';
import { createCounter } from './tally.ts';

const HEAD_END = '\r\n\r\n';
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close${HEAD_END}`;

const counter = createCounter();
listen(createServer(serve), counter);

function serve(socket: Socket): void {
  let head = '';
  let length: number | undefined;
  let bytes = 0;
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (length === undefined) {
      head += piece.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      bytes = head.length - end - HEAD_END.length;
      length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (/^expect:/im.test(head)) socket.write(`HTTP/1.1 100 Continue${HEAD_END}`);
    }
    if (bytes < length) return;
    counter.addUpload(bytes, '');
    socket.end(ANSWER);
  });
}
