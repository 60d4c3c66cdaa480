import type { IncomingMessage } from 'node:http';
import { isObject, mapJson, tryJson } from '../json.ts';
import { showJson } from '../redaction/gate.ts';
import { stripInvisible } from '../text.ts';
import { isSuccess } from './attempt.ts';
import type { ProblemDetails, ServiceResponse } from './attempt.ts';
import { MAX_BODY_BYTES, MAX_REFUSAL_BYTES, decodeBody } from './decode-body.ts';
import { readConfirmation, readExplanation } from './explanation.ts';
import { stripTags } from './page.ts';
import { readKind, readSuccess } from './verdict.ts';

/**
 * Keeps a response's body: of a success all of it, because only a complete one counts; of a refusal as much as may be
 * shown, because its status decides.
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

  /** Keeps the next bytes. Returns whether the body is still one that is read. */
  take(chunk: Buffer): boolean {
    chunk.copy(this.#kept, this.#bytes);
    this.#bytes += chunk.length;
    return this.#bytes <= this.#kept.length;
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
  // Some servers write a parameter without its semicolon, or a type twice.
  const [type = ''] =
    headers['content-type']
      ?.trim()
      .toLowerCase()
      .split(/[;,\s]/, 1) ?? [];
  const value = mapJson(parseJson(text?.trim() ?? ''), showLeaf);
  const shown = text && stripInvisible(text).trim();
  const body = { type, text: shown, value };
  const read = isSuccess(status) ? readSuccess(body) : { kind: readKind(body) };
  const retryAfterMs = parseRetryAfter(headers['retry-after']);
  const known = { ...raw, ...read, problem: undefined, warnings: [], retryAfterMs };
  const plain = stripTags(shown ?? '');
  if (read.kind === 'success') return { ...known, text: plain, ...readConfirmation(status, body) };
  return {
    ...known,
    text: plain,
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

/** A member's text or name without invisible characters, which JSON may have as escapes. */
function showLeaf(leaf: string | number): string | number {
  return typeof leaf === 'string' ? stripInvisible(leaf) : leaf;
}

/** The problem of an object without invisible characters. */
function toProblem(value: object): ProblemDetails {
  const traceId = 'traceId' in value && typeof value.traceId === 'string' ? value.traceId : '';
  return { traceId: traceId.trim() === '' ? undefined : traceId, json: showJson(value) };
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
