import { once } from 'node:events';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Answer } from './problem.ts';

/** Sends an answer; resolves when it left or the connection ended. */
export async function deliver(response: ServerResponse, answer: Answer): Promise<void> {
  if (response.destroyed || response.socket === null) {
    return;
  }
  const closed = once(response, 'close');
  response.writeHead(answer.status, completeHeaders(answer));
  response.end(answer.body);
  await closed;
}

/**
 * Writes the first bytes of an answer straight to the socket and destroys it. Where the caller's
 * body was not read to its end, the kernel makes a reset of that, otherwise a plain end.
 */
export async function deliverCut(
  response: ServerResponse,
  answer: Answer,
  cut: number,
): Promise<void> {
  const { socket } = response;
  if (response.destroyed || socket === null) {
    return;
  }
  const closed = once(response, 'close');
  socket.write(frame(answer).subarray(0, cut), () => socket.destroy());
  await closed;
}

function completeHeaders(answer: Answer): Answer['headers'] {
  const names = Object.keys(answer.headers).map((name) => name.toLowerCase());
  const isFramed = names.includes('content-length') || names.includes('transfer-encoding');
  const length = String(Buffer.byteLength(answer.body));
  return isFramed ? answer.headers : { ...answer.headers, 'Content-Length': length };
}

function frame(answer: Answer): Buffer {
  const status = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
  const date = `Date: ${new Date().toUTCString()}`;
  const headers = Object.entries(completeHeaders(answer)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [status, ...headers, date, 'Connection: close', '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), Buffer.from(answer.body)]);
}
