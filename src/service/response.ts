import type { IncomingMessage } from 'node:http';
import { foldName, isObject, isRecord, listMembers, mapJson, tryJson } from '../json.ts';
import { cutText, stripInvisible } from '../text.ts';
import { MAX_ID_CHARACTERS } from './attempt.ts';
import type { ProblemDetails, ServiceResponse } from './attempt.ts';
import { MAX_BODY_BYTES, decodeBody } from './decode-body.ts';
import { readConfirmation, readExplanation } from './explanation.ts';
import { parseRetryAfter } from './headers.ts';
import { findLink, readMarkup } from './page.ts';
import { listSaid, readSaid } from './said.ts';
import { isSuccess, readVerdict } from './verdict.ts';
import type { ResponseBody } from './verdict.ts';

/** How JSON begins, even if it does not parse. */
const JSON_START = /^(?:\{|\[\s*[{["])/;
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

/** A response as it was received; its text is undefined if it cannot be decoded. */
type RawResponse = Pick<ServiceResponse, 'status' | 'headers' | 'complete'> & {
  readonly text: string | undefined;
};

/** Returns what is known of a response. What is judged is what is shown. */
export function readResponse({ text, ...raw }: RawResponse): ServiceResponse {
  const { status, headers } = raw;
  const body = readBody(readType(headers['content-type']), text);
  const verdict = readVerdict(status, body);
  const said = { ...body, value: mapJson(body.value, readLeaf) };
  const { value } = said;
  const known = {
    ...raw,
    ...verdict,
    text: isObject(value) ? listSaid(value).join('\n') : readMarkup(said.text),
    problem: undefined,
    link: findLink(body.text ?? ''),
    warnings: [],
    retryAfterMs: parseRetryAfter(headers['retry-after']),
  };
  if (verdict.kind === 'success') {
    return { ...known, ...readConfirmation(status, said), object: keepObject(body) };
  }
  return {
    ...known,
    problem: verdict.kind === 'problem' ? toProblem(body) : undefined,
    says: readExplanation(status, said, headers['www-authenticate']),
  };
}

/** A media type in lower case. Some servers write a parameter without its semicolon, or a type twice. */
function readType(contentType = ''): string {
  const [type = ''] = contentType
    .trim()
    .toLowerCase()
    .split(/[;,\s]/, 1);
  return type;
}

/** A body, read as JSON; a JSON text is read as its content, once. */
function readBody(type: string, decoded: string | undefined): ResponseBody {
  const body = readContent(decoded ?? '');
  const { text, value } = typeof body.value === 'string' ? readContent(body.value) : body;
  const isTruncated = value === undefined && JSON_START.test(text);
  return { type, text, value, isRead: decoded !== undefined && !isTruncated };
}

/** A page or JSON is known by how it begins, whatever invisible characters stand before it. */
function readContent(decoded: string): Pick<ResponseBody, 'text' | 'value'> {
  const text = stripInvisible(decoded).trim();
  // A text in JSON may have line separators, which become line breaks.
  return { text, value: tryJson(decoded) ?? tryJson(text) };
}

/** A text or a name of JSON, as far as it says something. Many services set `instance` to the line of the request. */
function readLeaf(leaf: string | number, name: string): string | number {
  if (foldName(name) === 'instance') return '';
  return typeof leaf === 'string' ? readSaid(stripInvisible(leaf)) : leaf;
}

function stripLeaf(leaf: string | number): string | number {
  return typeof leaf === 'string' ? stripInvisible(leaf) : leaf;
}

/** The JSON of a body as text, without invisible characters, which it may have as escapes. */
function spellJson(value: unknown): string {
  return JSON.stringify(mapJson(value, stripLeaf));
}

/** A JSON object as text, for the file of results; undefined for any other value, and for a long one. */
function keepObject({ value }: ResponseBody): string | undefined {
  if (!isRecord(value)) return undefined;
  const text = spellJson(value);
  return Buffer.byteLength(text) <= MAX_OBJECT_BYTES ? text : undefined;
}

function toProblem({ value }: ResponseBody): ProblemDetails {
  const members = new Map(isObject(value) ? listMembers(value) : []);
  const traceId = members.get('traceid');
  const id = typeof traceId === 'string' ? stripInvisible(traceId).trim() : '';
  return {
    serviceTraceId: id === '' ? undefined : cutText(id, MAX_ID_CHARACTERS),
    json: spellJson(value),
  };
}
