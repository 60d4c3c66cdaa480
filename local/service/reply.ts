import { setTimeout as sleep } from 'node:timers/promises';
import { deliver, deliverCut } from './deliver.ts';
import type { Exchange } from './exchange.ts';
import type { Answer } from './problem.ts';

/** How an answer is to go out. */
export interface ReplyManner {
  /** Bytes of the answer after which the socket is destroyed. */
  readonly cut: number | undefined;
  /** Milliseconds before the first byte. */
  readonly delayMs: number;
  /** The connection is closed after the answer, whatever of the body is still coming. */
  readonly abrupt: boolean;
}

// Kestrel reads on for 5 s behind an answer that overtook the body, then closes the connection.
const DRAIN_MS = 5_000;

/**
 * Sends an answer and ends the exchange. Throws when the answer could not go out: the connection
 * ended during the delay, or a scripted header is no valid header.
 */
export async function reply(
  exchange: Exchange,
  answer: Answer,
  manner: ReplyManner,
): Promise<void> {
  if (manner.delayMs > 0) {
    await wait(exchange, manner.delayMs);
  }
  if (exchange.response.destroyed) {
    return;
  }
  exchange.record.status = answer.status;
  if (manner.cut !== undefined) {
    await deliverCut(exchange.response, answer, manner.cut);
  } else if (manner.abrupt || exchange.awaitsContinue) {
    await deliver(exchange.response, withClose(answer));
  } else if (exchange.request.complete) {
    await deliver(exchange.response, answer);
  } else {
    await overtakeBody(exchange, answer);
  }
}

/** Waits; throws an AbortError when the connection ends before the time is up. */
async function wait(exchange: Exchange, delayMs: number): Promise<void> {
  const left = new AbortController();
  exchange.response.once('close', () => left.abort());
  if (exchange.response.destroyed) {
    left.abort();
  }
  await sleep(delayMs, undefined, { signal: left.signal });
}

function withClose(answer: Answer): Answer {
  return { ...answer, headers: { Connection: 'close', ...answer.headers } };
}

/** Answers while the body is still coming and reads on, so that no reset destroys the answer. */
async function overtakeBody(exchange: Exchange, answer: Answer): Promise<void> {
  const { body, request, response } = exchange;
  const isLast = !response.shouldKeepAlive;
  // Node would close the connection behind the answer instead of reading on.
  response.shouldKeepAlive = true;
  const timeUp = new AbortController();
  const drained = Promise.race([
    body.drain(),
    sleep(DRAIN_MS, undefined, { signal: timeUp.signal }),
  ]);
  try {
    await Promise.all([deliver(response, answer), drained.catch(() => undefined)]);
  } finally {
    timeUp.abort();
    if (isLast || !request.complete) {
      request.socket.destroySoon();
    }
  }
}
