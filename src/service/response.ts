import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isTurnDue, takeTurn } from '../turns.ts';
import { judgeBody } from './confirmation.ts';
import type { Confirmation } from './confirmation.ts';
import { MAX_BODY_BYTES, decodeBody } from './decode-body.ts';

/** A response of the service, or of another server that responded. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first 64 Ki characters of its body, decoded; empty if it cannot be. */
  readonly text: string;
  /** What the whole body says, if the status is one of success. */
  readonly confirmation: Confirmation;
  /** Whether the body was received to its end. */
  readonly complete: boolean;
}

/** How much of a refusal's body is read. */
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_TEXT_CHARACTERS = 64 * 1024;

/** Longer than any header, and so than any credential. */
const MAX_WORD_CHARACTERS = 16 * 1024;

/** A response has more bytes than are read. */
export class TooLongError extends Error {
  constructor() {
    super('the response is too long');
    this.name = 'TooLongError';
  }
}

/** What a reader reports while it reads a response's body. */
interface ReaderEvents {
  readonly onProgress: () => void;
  /** Called once, with the response and, for an incomplete one, why its body ended. */
  readonly onEnd: (response: ServiceResponse, error?: Error) => void;
}

/**
 * Reads a response's body. A success is read to its end, because only a complete one counts. A refusal is
 * read only as far as it may be shown, because its status decides. A body without framing is complete when
 * the connection ends without an error (RFC 9112, section 8).
 */
export class ResponseReader {
  readonly #response: IncomingMessage;
  readonly #events: ReaderEvents;
  /** One buffer: a response may arrive in a million pieces. */
  readonly #kept: Buffer;
  #bytes = 0;
  #ended = false;

  constructor(response: IncomingMessage, events: ReaderEvents) {
    this.#response = response;
    this.#events = events;
    const isSuccessful = isSuccess(response.statusCode ?? 0);
    this.#kept = Buffer.alloc(isSuccessful ? MAX_BODY_BYTES : MAX_REFUSAL_BYTES);
    response.on('data', (chunk: Buffer) => this.#take(chunk));
    response.on('end', () => this.end(response.complete));
    response.on('error', (error) => this.end(false, error));
    response.on('close', () => this.end(false));
  }

  /** Ends reading with the bytes received so far; only the first call counts. */
  end(complete: boolean, error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    const { statusCode = 0, headers } = this.#response;
    const received = this.#kept.subarray(0, this.#bytes);
    const body = decodeBody(headers, received);
    const text = limitText(body ?? '', complete);
    const confirmation = judgeBody(headers, body);
    this.#events.onEnd({ status: statusCode, headers, text, confirmation, complete }, error);
  }

  #take(chunk: Buffer): void {
    chunk.copy(this.#kept, this.#bytes);
    this.#bytes += chunk.length;
    this.#events.onProgress();
    if (this.#bytes > this.#kept.length) this.end(false, new TooLongError());
    else if (isTurnDue()) void this.#rest();
  }

  /** Lets timers and signals run: pieces of a byte each arrive by the hundred thousand. */
  async #rest(): Promise<void> {
    this.#response.pause();
    await takeTurn();
    this.#response.resume();
  }
}

/** The beginning of a text that may be shown. */
function limitText(text: string, complete: boolean): string {
  if (complete && text.length <= MAX_TEXT_CHARACTERS) return text;
  return dropLastWord(text.slice(0, MAX_TEXT_CHARACTERS));
}

/**
 * A truncated text without its last word: it may be the first half of a secret that the service repeats,
 * which could not be recognised.
 */
function dropLastWord(text: string): string {
  const from = Math.max(0, text.length - MAX_WORD_CHARACTERS);
  const rest = text.slice(from);
  const lastSpace = rest.search(/\s\S*$/);
  return text.slice(0, from + Math.max(lastSpace, 0));
}

/** Whether a status is one of success (2xx). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
