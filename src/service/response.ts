import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { clean } from '../redaction/clean.ts';
import { isObject, tryJson } from '../json.ts';
import type { Attempt, ServiceResponse } from './attempt.ts';
import { MAX_BODY_BYTES, decodeBody } from './decode-body.ts';
import { readConfirmation, readExplanation } from './explanation.ts';
import type { CleanBody } from './explanation.ts';
import { cleanJson, parseJson, toProblem } from './problem.ts';
import { judgeRefusal, judgeSuccess } from './response-kind.ts';
import type { RawBody } from './response-kind.ts';
import { parseRetryAfter } from './retry.ts';

/** How much of a refusal's body is read. */
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_TEXT_CHARACTERS = 64 * 1024;

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
 *
 * No raw text leaves it: what decides is read from the raw body, and what is shown from clean texts.
 */
export class ResponseReader {
  readonly response: IncomingMessage;
  readonly #url: URL;
  /** One buffer: a response may arrive in a million pieces. */
  readonly #kept: Buffer;
  #bytes = 0;

  /** `url` is that of the request. */
  constructor(response: IncomingMessage, url: URL) {
    this.response = response;
    this.#url = url;
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

  /** What is known of the response by the bytes received so far. */
  conclude(complete: boolean): ServiceResponse {
    const { statusCode: status = 0, headers } = this.response;
    const text = decodeBody(headers, this.#kept.subarray(0, this.#bytes));
    return readResponse({ status, headers, text, complete, url: this.#url });
  }

  #take(chunk: Buffer, { onProgress, onTooLong }: ReaderEvents): void {
    chunk.copy(this.#kept, this.#bytes);
    this.#bytes += chunk.length;
    onProgress();
    if (this.#bytes > this.#kept.length) onTooLong();
  }
}

/** A response as it was received. */
export interface RawResponse extends Omit<RawBody, 'value'> {
  readonly status: number;
  readonly complete: boolean;
  /** Of the request. */
  readonly url: URL;
}

/** What is known of a response: the raw one decides, and what it says is read from clean texts. */
export function readResponse(received: RawResponse): ServiceResponse {
  const { status, complete, url, ...raw } = received;
  // Only of a refusal all digits are shown.
  const parse = isSuccess(status) ? tryJson : parseJson;
  const value = parse(raw.text?.trim() ?? '');
  const kind = (isSuccess(status) ? judgeSuccess : judgeRefusal)({ ...raw, value });
  const headers = cleanHeaders(raw.headers);
  const body = cleanBody(raw.text ?? '', value, complete);
  const read = kind === 'success' ? readConfirmation : readExplanation;
  // Joining words, names and lines may have formed a secret.
  const says = read(status, { headers, ...body }).map(clean);
  const isProblem = kind === 'problem' && isObject(body.value) && !Array.isArray(body.value);
  const target = headers.location && URL.parse(headers.location, url.href)?.href;
  return {
    status,
    headers,
    complete,
    kind,
    problem: isProblem ? toProblem(body.value) : undefined,
    says,
    // URL changes the case of a host and drops tabs, which could form a secret again.
    target: target && clean(target),
    retryAfterMs: parseRetryAfter(raw.headers['retry-after'], Date.now()),
  };
}

/** The text of a body, or the value of its JSON, clean; nothing of JSON that is too long. */
function cleanBody(text: string, value: unknown, complete: boolean): Omit<CleanBody, 'headers'> {
  const isShort = text.length <= MAX_TEXT_CHARACTERS;
  const isWhole = complete && isShort;
  if (value !== undefined) {
    return { text: '', isWhole, value: isShort ? cleanJson(value) : undefined };
  }
  return { text: clean(text.slice(0, MAX_TEXT_CHARACTERS)), isWhole, value: undefined };
}

function cleanHeaders(raw: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const [name, value] of Object.entries(raw)) {
    headers[name] = Array.isArray(value) ? value.map(clean) : value && clean(value);
  }
  return headers;
}

/** Whether a status is one of success (2xx). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a response confirms the upload: the connection took all of it, and it is a whole, confirming 2xx. */
export function isAccepted({ digests, response }: Pick<Attempt, 'digests' | 'response'>): boolean {
  if (digests === undefined || response === undefined) return false;
  return isSuccess(response.status) && response.complete && response.kind === 'success';
}
