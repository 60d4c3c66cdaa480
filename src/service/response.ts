import type { IncomingMessage } from 'node:http';
import { isObject, mapJson, tryJson } from '../json.ts';
import { stripInvisible } from '../text.ts';
import { isSuccess } from './attempt.ts';
import type { ServiceResponse } from './attempt.ts';
import { MAX_BODY_BYTES, MAX_REFUSAL_BYTES, decodeBody } from './decode-body.ts';
import { readConfirmation, readExplanation, readWarnings, stripTags } from './explanation.ts';
import { toProblem } from './problem.ts';
import { readRefusal, readSuccess } from './response-kind.ts';
import { parseRetryAfter } from './retry-after.ts';

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
    const bytes = this.#kept.subarray(0, this.#bytes);
    const text = decodeBody(headers, bytes, this.#kept.length, isStrict);
    return readResponse({ status, headers, text, complete, url: this.#url });
  }
}

/** A response as it was received; its text is undefined if it cannot be decoded, and the URL is that of the request. */
export interface RawResponse extends Pick<ServiceResponse, 'status' | 'headers' | 'complete'> {
  readonly text: string | undefined;
  readonly url: URL;
}

/** What is known of a response. */
export function readResponse({ url, text, ...raw }: RawResponse): ServiceResponse {
  const { status, headers } = raw;
  const { location, 'content-type': type = '', 'www-authenticate': challenge } = headers;
  const value = mapJson(parseJson(text?.trim() ?? ''), showLeaf);
  const body = { type, text: text && stripInvisible(text).trim(), value };
  const read = isSuccess(status) ? readSuccess(body) : { kind: readRefusal(body) };
  const isConfirmed = read.kind === 'success';
  return {
    ...raw,
    ...read,
    text: isSuccess(status) ? '' : stripTags(body.text ?? ''),
    problem: read.kind === 'problem' ? toProblem(value) : undefined,
    says: isConfirmed ? readConfirmation(status, body) : readExplanation(status, body, challenge),
    warnings: isConfirmed ? readWarnings(status, body) : [],
    target: location && URL.parse(location, url.href)?.href,
    retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
  };
}

/** The value of a JSON text; an object in a text of it is read as such, once. */
function parseJson(text: string): unknown {
  const value = tryJson(text);
  const inner = typeof value === 'string' ? tryJson(value) : undefined;
  return isObject(inner) ? inner : value;
}

/** A member's text or name without invisible characters. */
function showLeaf(leaf: string | number): string | number {
  return typeof leaf === 'string' ? stripInvisible(leaf) : leaf;
}

/** Whether Cloudflare's firewall responded in place of the service, with a check that only browsers pass. */
export function isChallenge({ headers, says }: Pick<ServiceResponse, 'headers' | 'says'>): boolean {
  const isPage = headers.server === 'cloudflare' && says[0] === 'Just a moment...';
  return isPage || headers['cf-mitigated'] === 'challenge';
}
