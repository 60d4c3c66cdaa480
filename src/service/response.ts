import type { IncomingMessage } from 'node:http';
import { isObject, mapJson, tryJson } from '../json.ts';
import { cutText, stripInvisible } from '../text.ts';
import { MAX_ID_CHARACTERS } from './attempt.ts';
import type { ProblemDetails, ServiceResponse } from './attempt.ts';
import { MAX_BODY_BYTES, decodeBody } from './decode-body.ts';
import { readConfirmation, readExplanation } from './explanation.ts';
import { parseRetryAfter } from './headers.ts';
import { stripTags } from './page.ts';
import { isSuccess, readVerdict } from './verdict.ts';
import type { ResponseBody } from './verdict.ts';

/** The longest object of a success that is kept for the file of results, in bytes. */
const MAX_OBJECT_BYTES = 8 * 1024;

/** Keeps a response's body: of a success only a whole one counts, of a refusal any part may say why. */
export class ResponseReader {
  readonly response: IncomingMessage;
  /** It is one buffer, because a response may arrive in a million pieces. */
  readonly #kept = Buffer.alloc(MAX_BODY_BYTES);
  #bytes = 0;

  constructor(response: IncomingMessage) {
    this.response = response;
  }

  get isSuccessful(): boolean {
    return isSuccess(this.response.statusCode ?? 0);
  }

  /** Keeps the next bytes. Returns false once the body is longer than one that is read. */
  take(chunk: Buffer): boolean {
    chunk.copy(this.#kept, this.#bytes);
    this.#bytes += chunk.length;
    return this.#bytes <= this.#kept.length;
  }

  /** Returns what is known of the response by the bytes received so far. */
  conclude(complete: boolean): ServiceResponse {
    const { statusCode: status = 0, headers } = this.response;
    // A body that confirms an upload is decoded without any loss. Of any other, as much as possible is shown.
    const isStrict = complete && this.isSuccessful;
    const bytes = this.#kept.subarray(0, this.#bytes);
    const text = decodeBody(headers, bytes, isStrict);
    return readResponse({ status, headers, text, complete });
  }
}

const UNSEEN_START = /^[\s\0\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]+/u;

/** A response as it was received; its text is undefined if it cannot be decoded. */
export interface RawResponse extends Pick<ServiceResponse, 'status' | 'headers' | 'complete'> {
  readonly text: string | undefined;
}

/** Returns what is known of a response. */
export function readResponse({ text, ...raw }: RawResponse): ServiceResponse {
  const { status, headers } = raw;
  // Some servers write a parameter without its semicolon, or a type twice.
  const [type = ''] =
    headers['content-type']
      ?.trim()
      .toLowerCase()
      .split(/[;,\s]/, 1) ?? [];
  const body = readBody(type, text);
  // The body decides as it came. What is shown of it is cleaned.
  const verdict = readVerdict(status, body);
  const shown = { ...body, text: stripInvisible(body.text ?? ''), value: stripJson(body.value) };
  const retryAfterMs = parseRetryAfter(headers['retry-after']);
  const plain = stripTags(shown.text);
  const known = { ...raw, ...verdict, text: plain, problem: undefined, warnings: [], retryAfterMs };
  const { value } = shown;
  if (verdict.kind === 'success') {
    return { ...known, ...readConfirmation(status, shown), object: keepObject(value) };
  }
  return {
    ...known,
    problem: verdict.kind === 'problem' && isObject(value) ? toProblem(value) : undefined,
    says: readExplanation(status, shown, headers['www-authenticate']),
  };
}

/** A body, read as JSON; a JSON text is read as its content, once. */
function readBody(type: string, text: string | undefined): ResponseBody {
  const trimmed = text === undefined ? undefined : trimBody(text);
  const value = tryJson(trimmed ?? '');
  if (typeof value !== 'string') return { type, text: trimmed, value };
  const content = trimBody(value);
  return { type, text: content, value: tryJson(content) ?? content };
}

/** A page or JSON is known by how it begins, whatever invisible characters stand before it. */
function trimBody(text: string): string {
  return text.replace(UNSEEN_START, '').trimEnd();
}

/** A value without invisible characters in its texts and names, which JSON may have as escapes. */
function stripJson(value: unknown): unknown {
  return mapJson(value, (leaf) => (typeof leaf === 'string' ? stripInvisible(leaf) : leaf));
}

/** A JSON object as text, for the file of results; undefined for any other value, and for a long one. */
function keepObject(value: unknown): string | undefined {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) <= MAX_OBJECT_BYTES ? text : undefined;
}

/** The problem of an object without invisible characters. */
function toProblem(value: object): ProblemDetails {
  const traceId = 'traceId' in value && typeof value.traceId === 'string' ? value.traceId : '';
  return {
    serviceTraceId: traceId.trim() === '' ? undefined : cutText(traceId, MAX_ID_CHARACTERS),
    json: JSON.stringify(value),
  };
}
