// A service that only counts: node sink.ts <latency> [key.pem cert.pem], with https if it has a key
// pair. The latency in milliseconds passes between the last byte of a request and its answer.
// A process of its own, so that it does not share a core with what is measured where there are two.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { listen } from './listen.ts';
import { createCounter, START_CHARACTERS } from './tally.ts';

const ANSWER = '{}';

const [latency, ...files] = process.argv.slice(2);
const latencyMs = Number(latency);
const [key, cert] = files.map((path) => readFileSync(path));
const counter = createCounter();
// Both answer `Expect: 100-continue` at once by themselves, and keep connections open.
const server =
  key === undefined || cert === undefined
    ? createHttpServer(serve)
    : createHttpsServer({ key, cert }, serve);

listen(server, counter);

/** Counts the body, and refuses one that is not as long as was said. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  let start = '';
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (start.length < START_CHARACTERS) start += piece.toString('latin1', 0, START_CHARACTERS);
  });
  request.once('end', () => {
    const isWhole = bytes === Number(request.headers['content-length']);
    if (isWhole) counter.addUpload(bytes, start);
    if (latencyMs === 0) answer(response, isWhole);
    else setTimeout(answer, latencyMs, response, isWhole);
  });
}

function answer(response: ServerResponse, isWhole: boolean): void {
  response.writeHead(isWhole ? 200 : 400, {
    'Content-Type': 'application/json',
    'Content-Length': ANSWER.length,
  });
  response.end(ANSWER);
}
