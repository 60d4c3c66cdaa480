import type { Ending, FixedResponse } from './cutting-server.ts';
import type { Observation } from './sweep.ts';

// An exchange is cut at every byte of the request and of the response, with a FIN and with a RST. It
// succeeds only if the response is complete.

/** Far more than a sweep takes on a busy machine. */
export const SWEEP_MS = 280_000;

const OK = 'HTTP/1.1 200 OK\r\nServer: scan-upload-service\r\nContent-Type: application/json\r\n';
const STORED = '{"id":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}';
const [START, REST] = [STORED.slice(0, 16), STORED.slice(16)];
const PROBLEM = '{"detail":"The scan is closed."}';

/** A success framed by its length. */
export const MEASURED = makeResponse(`${OK}Content-Length: ${STORED.length}\r\n\r\n${STORED}`);

/** A success in chunks. */
export const CHUNKED = makeResponse(
  `${OK}Transfer-Encoding: chunked\r\n\r\n10;x=y\r\n${START}\r\n1d\r\n${REST}\r\n0\r\n\r\n`,
);

/** A success that ends with its connection. */
export const UNFRAMED = makeResponse(`${OK}Connection: close\r\n\r\n${STORED}`, true);

/** A refusal. */
export const REFUSAL = makeResponse(
  `HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: ${PROBLEM.length}\r\n\r\n${PROBLEM}`,
);

function makeResponse(response: string, ends = false): FixedResponse {
  return { bytes: Buffer.from(response), ends };
}

/** Bytes of a response's status line and headers. */
export function countHead({ bytes }: FixedResponse): number {
  return bytes.indexOf('\r\n\r\n') + 4;
}

/** On other systems than Linux a RST drops what came before it and has not been read. */
export function allowComplete(ending: Ending): readonly ('accepted' | 'unconfirmed')[] {
  const isCertain = ending === 'FIN' || process.platform === 'linux';
  return isCertain ? ['accepted'] : ['accepted', 'unconfirmed'];
}

/** The results without a response: the data that the client sent may have been lost. */
export function allowUnanswered({ whole }: Observation): readonly string[] {
  return whole ? ['unconfirmed'] : ['not-sent', 'unconfirmed'];
}
