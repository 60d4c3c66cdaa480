import type { IncomingMessage } from 'node:http';
import type { RequestBody } from './body.ts';
import type { HeaderPair, RecordedRequest, RecordedUpload } from './types.ts';

/** A request's record while it is being served. */
export class RequestRecord implements RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly HeaderPair[];
  status: number | undefined;
  upload: RecordedUpload | undefined;
  readonly #body: RequestBody;

  constructor(request: IncomingMessage, body: RequestBody) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.rawHeaders = pairHeaders(request.rawHeaders);
    this.#body = body;
  }

  get bodyBytes(): number {
    return this.#body.bytes;
  }

  get bodySha256(): string {
    return this.#body.sha256;
  }
}

function pairHeaders(raw: readonly string[]): HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    pairs.push({ name: raw[index] ?? '', value: raw[index + 1] ?? '' });
  }
  return pairs;
}
