import type { IncomingMessage } from 'node:http';
import { isObject, tryJson } from '../json.ts';
import { isTurnDue, takeTurn } from '../turns.ts';
import { readExplanation } from './explanation.ts';
import type { AttemptFacts, ForeignTexts, ResponseFacts } from './attempt.ts';
import { judgeBody } from './confirmation.ts';
import { MAX_BODY_BYTES, decodeBody } from './decode-body.ts';
import { readMarks } from './marks.ts';
import { parseProblem } from './problem.ts';
import { parseRetryAfter } from './retry.ts';

/** How much of a refusal's body is read. */
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_TEXT_CHARACTERS = 64 * 1024;

/** Longer than any header, and so than any credential. */
const MAX_WORD_CHARACTERS = 16 * 1024;

/** What a reader reports; every call but `onProgress` ends the reading. */
interface ReaderEvents {
  readonly onProgress: () => void;
  readonly onComplete: () => void;
  /** The response has more bytes than are read. */
  readonly onTooLong: () => void;
  /** The connection ended before the body did, with an error if there was one. */
  readonly onBreak: (error?: Error) => void;
}

/**
 * Reads a response's body. A success is read to its end, because only a complete one counts. A refusal is
 * read only as far as it may be shown, because its status decides. A body without framing is complete when
 * the connection ends without an error (RFC 9112, section 8).
 */
export class ResponseReader {
  readonly response: IncomingMessage;
  /** One buffer: a response may arrive in a million pieces. */
  readonly #kept: Buffer;
  #bytes = 0;

  constructor(response: IncomingMessage) {
    this.response = response;
    this.#kept = Buffer.alloc(this.isSuccessful ? MAX_BODY_BYTES : MAX_REFUSAL_BYTES);
  }

  get isSuccessful(): boolean {
    return isSuccess(this.response.statusCode ?? 0);
  }

  read(events: ReaderEvents): void {
    const { onComplete, onBreak } = events;
    const { response } = this;
    // The connection may have broken while the response waited to be read.
    if (response.destroyed && !response.complete) return onBreak();
    response.on('data', (chunk: Buffer) => this.#take(chunk, events));
    response.on('end', () => (response.complete ? onComplete() : onBreak()));
    response.on('error', onBreak);
    response.on('close', () => onBreak());
  }

  /** What decides about the response, and its texts, by the bytes received so far. */
  conclude(complete: boolean): { facts: ResponseFacts; texts: Omit<ForeignTexts, 'error'> } {
    const { statusCode: status = 0, headers } = this.response;
    const decoded = decodeBody(headers, this.#kept.subarray(0, this.#bytes));
    const body = limitText(decoded ?? '', complete);
    const confirmation = judgeBody(headers, decoded);
    const isProblem = !this.isSuccessful || confirmation === 'problem';
    const problem = isProblem ? parseProblem(headers['content-type'], body) : undefined;
    const isRefusal = !this.isSuccessful || confirmation !== 'success';
    const refusal = isRefusal ? body : '';
    const explanation = readExplanation(status, headers, refusal);
    const marks = readMarks({ headers, body: refusal, problem, explanation });
    const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
    return {
      facts: { status, complete, confirmation, marks, retryAfterMs },
      texts: { headers, body, problem, explanation },
    };
  }

  #take(chunk: Buffer, { onProgress, onTooLong }: ReaderEvents): void {
    chunk.copy(this.#kept, this.#bytes);
    this.#bytes += chunk.length;
    onProgress();
    if (this.#bytes > this.#kept.length) onTooLong();
    else if (isTurnDue()) void this.#rest();
  }

  /** Lets timers and signals run: pieces of a byte each arrive by the hundred thousand. */
  async #rest(): Promise<void> {
    this.response.pause();
    await takeTurn();
    this.response.resume();
  }
}

/** The beginning of a text that may be shown. */
function limitText(text: string, complete: boolean): string {
  // What is JSON is whole, even if the connection broke after it.
  const isWhole = complete || isObject(tryJson(text.trim()));
  if (isWhole && text.length <= MAX_TEXT_CHARACTERS) return text;
  const kept = text.slice(0, MAX_TEXT_CHARACTERS);
  // Its last word may be the first half of a secret, which could not be recognised.
  const from = Math.max(0, kept.length - MAX_WORD_CHARACTERS);
  const lastSpace = kept.slice(from).search(/\s\S*$/);
  return kept.slice(0, from + Math.max(lastSpace, 0));
}

/** Whether a status is one of success (2xx). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a response confirms the upload: the connection took all of it, and it is a whole, confirming 2xx. */
export function isAccepted({
  digests,
  response,
}: Pick<AttemptFacts, 'digests' | 'response'>): boolean {
  if (digests === undefined || response === undefined) return false;
  const { status, complete, confirmation } = response;
  return isSuccess(status) && complete && confirmation === 'success';
}
