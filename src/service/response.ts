import type { IncomingMessage } from 'node:http';
import { isObject, tryJson } from '../json.ts';
import { stripInvisible } from '../text.ts';
import type { ServiceResponse } from './attempt.ts';
import { MAX_BODY_BYTES, MAX_REFUSAL_BYTES, decodeBody } from './decode-body.ts';
import { readConfirmation, readExplanation, readWarnings, stripJson } from './explanation.ts';
import { parseExactJson, toProblem } from './problem.ts';
import { readRefusal, readSuccess } from './response-kind.ts';
import type { RawBody } from './response-kind.ts';
import { parseRetryAfter } from './retry-after.ts';

/** How much of a body may be shown. */
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

  read({ onProgress, onComplete, onTooLong, onBreak }: ReaderEvents): void {
    const { response } = this;
    // The connection may have broken while the response waited to be read.
    if (response.destroyed && !response.complete) return onBreak();
    response.on('data', (chunk: Buffer) => {
      chunk.copy(this.#kept, this.#bytes);
      this.#bytes += chunk.length;
      onProgress();
      if (this.#bytes > this.#kept.length) onTooLong();
    });
    response.on('end', () => (response.complete ? onComplete() : onBreak()));
    response.on('error', onBreak);
    response.on('close', () => onBreak());
  }

  /** What is known of the response by the bytes received so far. */
  conclude(complete: boolean): ServiceResponse {
    const { statusCode: status = 0, headers } = this.response;
    // What confirms an upload has every character; of anything else as much as possible is shown.
    const isStrict = complete && this.isSuccessful;
    const text = decodeBody(headers, this.#kept.subarray(0, this.#bytes), isStrict);
    return readResponse({ status, headers, text, complete, url: this.#url });
  }
}

/** A response as it was received; its text is undefined if it cannot be decoded, and the URL is that of the request. */
export type RawResponse = Pick<ServiceResponse, 'status' | 'headers' | 'complete'> &
  Pick<RawBody, 'text'> & { readonly url: URL };

/** What is known of a response. What it says is read from texts without invisible characters, which could divide JSON. */
export function readResponse({ url, ...raw }: RawResponse): ServiceResponse {
  const { status, headers, complete, text = '' } = raw;
  const isShort = text.length <= MAX_TEXT_CHARACTERS;
  // Only what may be shown needs all digits.
  const value = (isShort ? parseExactJson : tryJson)(text.trim());
  const read = (isSuccess(status) ? readSuccess : readRefusal)({ ...raw, value });
  const kind = read === 'success' && !isShownWhole(raw, url, value) ? 'endless' : read;
  const shown = isShort ? stripJson(value) : undefined;
  const response = {
    status,
    headers,
    text: value === undefined ? stripInvisible(text.slice(0, MAX_TEXT_CHARACTERS)) : '',
    isWhole: complete && isShort,
    value: shown,
  };
  const says = kind === 'success' ? readConfirmation(response) : readExplanation(response);
  const target = headers.location && URL.parse(headers.location, url.href)?.href;
  return {
    status,
    headers,
    complete,
    kind,
    problem: kind === 'problem' ? toProblem(shown) : undefined,
    says,
    warnings: kind === 'success' ? readWarnings(response) : [],
    target,
    retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
  };
}

/**
 * Whether the body of a success is certainly whole. Whoever is in between can end a TLS connection without the service's
 * key, and Node takes its end for that of a body without a length (RFC 9112, section 9.8): there only JSON shows its end.
 */
function isShownWhole(
  { status, headers }: Pick<ServiceResponse, 'status' | 'headers'>,
  { protocol }: URL,
  value: unknown,
): boolean {
  // Node reads chunks only if they are the last coding.
  const isChunked = /(?:^|,)\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  const isFramed = status === 204 || isChunked || headers['content-length'] !== undefined;
  return isFramed || protocol !== 'https:' || isObject(value);
}

/** Whether a status is one of success (2xx). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether Cloudflare's firewall responded in place of the service, with a check that only browsers pass. */
export function isChallenge({ headers, says }: Pick<ServiceResponse, 'headers' | 'says'>): boolean {
  const isPage = headers.server === 'cloudflare' && says[0] === 'Just a moment...';
  return isPage || headers['cf-mitigated'] === 'challenge';
}
