import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A response of the service, or of another server that responded. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first 64 KiB of its body, decoded. */
  readonly text: string;
  /** Whether the body was received to its end. */
  readonly complete: boolean;
}

/** How much of a response's body is kept. */
const MAX_KEPT_BYTES = 64 * 1024;
/** How much of a success's body is read; a longer one counts as truncated. */
const MAX_SUCCESS_BYTES = 1024 * 1024;

/** Longer than any header, and so than any credential. */
const MAX_WORD_CHARACTERS = 16 * 1024;

/** What a reader reports while it reads a response's body. */
interface ReaderEvents {
  readonly onProgress: () => void;
  /** Called once, with the response and, for an incomplete one, why its body ended. */
  readonly onEnd: (response: ServiceResponse, error?: Error) => void;
}

/**
 * Reads a response's body. A success is read to its end, because only a complete one counts. A refusal is
 * read only as far as it is kept, because its status decides. A body without framing is complete when the
 * connection ends without an error (RFC 9112, section 8).
 */
export class ResponseReader {
  readonly #response: IncomingMessage;
  readonly #events: ReaderEvents;
  readonly #kept: Buffer[] = [];
  #bytes = 0;
  #ended = false;

  constructor(response: IncomingMessage, events: ReaderEvents) {
    this.#response = response;
    this.#events = events;
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
    const kept = decodeText(Buffer.concat(this.#kept), headers['content-type']);
    const text = complete && this.#bytes <= MAX_KEPT_BYTES ? kept : dropLastWord(kept);
    this.#events.onEnd({ status: statusCode, headers, text, complete }, error);
  }

  #take(chunk: Buffer): void {
    const room = MAX_KEPT_BYTES - Math.min(this.#bytes, MAX_KEPT_BYTES);
    // A response may arrive in a million pieces: keep none once there are enough bytes.
    if (room > 0) this.#kept.push(chunk.subarray(0, room));
    this.#bytes += chunk.length;
    this.#events.onProgress();
    if (this.#bytes > this.#maxBytes()) this.end(false, new Error('the response is too long'));
  }

  #maxBytes(): number {
    return isSuccess(this.#response.statusCode ?? 0) ? MAX_SUCCESS_BYTES : MAX_KEPT_BYTES;
  }
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

function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown charset: the text is only shown, and most of it is probably ASCII.
    return new TextDecoder().decode(bytes);
  }
}
