import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestBody } from './body.ts';
import { RequestRecord } from './record.ts';
import { continueTrace } from './trace.ts';

/** One request on its way through the service. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: RequestBody;
  readonly record: RequestRecord;
  /** Trace id for the answer's body. */
  readonly traceId: string;
  #awaitsContinue: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) {
    this.request = request;
    this.response = response;
    this.body = new RequestBody(request);
    this.record = new RequestRecord(request, this.body);
    this.traceId = continueTrace(request.headers.traceparent?.toString());
    this.#awaitsContinue = awaitsContinue;
  }

  /** Whether the caller holds the body back until it is told to go on (RFC 9110, section 10.1.1). */
  get awaitsContinue(): boolean {
    return this.#awaitsContinue;
  }

  /** Sends 100 to a caller that waits for it; has to come before the body is read. */
  askForBody(): void {
    if (this.#awaitsContinue) {
      this.#awaitsContinue = false;
      this.response.writeContinue();
    }
  }
}
