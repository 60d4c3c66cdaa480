// A service that only counts: node sink.ts [key.pem cert.pem], with https if it has a key pair.
// A process of its own, so that it does not share a core with what is measured where there are two.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { SinkMessage } from './service.ts';

const ANSWER = '{}';

const [key, cert] = process.argv.slice(2).map((path) => readFileSync(path));
// Both answer `Expect: 100-continue` at once by themselves.
const server =
  key === undefined || cert === undefined
    ? createHttpServer(serve)
    : createHttpsServer({ key, cert }, serve);

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) tell({ port: address.port });
});
process.once('disconnect', () => process.exit());

/** Counts the body, and refuses one that is not as long as was said. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  request.once('end', () => {
    const isWhole = bytes === Number(request.headers['content-length']);
    tell({ received: isWhole ? bytes : -1 });
    response.writeHead(isWhole ? 200 : 400, {
      'Content-Type': 'application/json',
      'Content-Length': ANSWER.length,
    });
    response.end(ANSWER);
  });
}

function tell(message: SinkMessage): void {
  process.send?.(message);
}
