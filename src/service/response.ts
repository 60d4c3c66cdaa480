import type { IncomingMessage } from 'node:http';
import { isObject, mapJson, tryJson } from '../json.ts';
import { stripInvisible } from '../text.ts';
import { isSuccess } from './attempt.ts';
import type { ServiceResponse } from './attempt.ts';
import { MAX_BODY_BYTES, MAX_REFUSAL_BYTES, decodeBody } from './decode-body.ts';
import { readConfirmation, readExplanation, stripTags } from './explanation.ts';
import { toProblem } from './problem.ts';
import { readRefusal, readSuccess } from './verdict.ts';

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
    response.on('end', onComplete);
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
    return readResponse({ status, headers, text, complete });
  }
}

/** A response as it was received; its text is undefined if it cannot be decoded. */
export interface RawResponse extends Pick<ServiceResponse, 'status' | 'headers' | 'complete'> {
  readonly text: string | undefined;
}

/** What is known of a response. */
export function readResponse({ text, ...raw }: RawResponse): ServiceResponse {
  const { status, headers } = raw;
  const [type = ''] = headers['content-type']?.split(';', 1) ?? [];
  const value = mapJson(parseJson(text?.trim() ?? ''), showLeaf);
  const shown = text && stripInvisible(text).trim();
  const body = { type: type.trim().toLowerCase(), text: shown, value };
  const read = isSuccess(status) ? readSuccess(body) : { kind: readRefusal(body) };
  const retryAfterMs = parseRetryAfter(headers['retry-after']);
  const known = { ...raw, ...read, problem: undefined, warnings: [], retryAfterMs };
  if (read.kind === 'success') return { ...known, text: '', ...readConfirmation(status, body) };
  return {
    ...known,
    text: stripTags(shown ?? ''),
    problem: read.kind === 'problem' && isObject(value) ? toProblem(value) : undefined,
    says: readExplanation(status, body, headers['www-authenticate']),
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

/**
 * Reads Retry-After as seconds or as a date in GMT (RFC 9110, section 10.2.3). Returns milliseconds from now, not
 * negative; undefined for anything else.
 */
function parseRetryAfter(value = ''): number | undefined {
  // With Infinity, sums and differences of waits would be NaN.
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
