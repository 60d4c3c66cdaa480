import { randomBytes } from 'node:crypto';
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import { request as makeRequest } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { RequestBody } from './body.ts';
import { holdFailedWrites } from './hold-writes.ts';

/** One request. Its header names and values are valid, because they were checked as inputs. */
export interface RequestSpec {
  readonly url: URL;
  readonly agent: Agent;
  /** All headers but Content-Type, Content-Length and Expect, which follow from the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  /** Whether to ask with `Expect: 100-continue` before the body is sent. */
  readonly expectContinue: boolean;
}

/** Options of a request through an agent. node:http passes them on to `createConnection`. */
export interface EndableOptions extends RequestOptions {
  /** It fires once the request has ended, so that a tunnel that is not open yet is given up. */
  readonly ended: AbortSignal;
}

/**
 * Frameworks label any body with the type that is asked for first, and those that negotiate need other types to choose
 * from. Nothing here matches text/html: where it is accepted, Spring Boot sends an HTML page in place of its message, and
 * for a wildcard of all types Rails takes the request for a browser's.
 */
const ACCEPT =
  'application/json, text/json, text/plain, application/problem+json;q=0.9, application/*;q=0.1, text/xml;q=0.1';

/** The version in the User-Agent header; package.json says the same. */
const VERSION = '1.0.0';

/** How much of a response's headers is read. Gateways send policies and cookies beyond Node's 16 KiB. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Creates a trace id (W3C Trace Context, section 3.2.2.3): 32 hexadecimal digits. */
export function createTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** Makes the headers of every request. Each call creates a new span of the trace, which is marked as sampled. */
export function makeCommonHeaders(traceId: string): RequestSpec['headers'] {
  return {
    Accept: ACCEPT,
    'Accept-Encoding': 'identity',
    'User-Agent': `scan-upload-action/${VERSION}`,
    traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
  };
}

/**
 * Opens the request, which sends its headers once it is connected. `ended` has to fire when it has ended. Throws for
 * what node:http refuses to send.
 */
export function openRequest(spec: RequestSpec, ended: AbortSignal): ClientRequest {
  const options: EndableOptions = {
    ended,
    method: 'POST',
    agent: spec.agent,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      ...spec.headers,
      'Content-Type': spec.body.contentType,
      'Content-Length': spec.body.length,
      ...(spec.expectContinue && { Expect: '100-continue' }),
    },
  };
  // The agent decides whether it is http or https.
  const request = makeRequest(spec.url, options);
  // With Expect, Node sends the headers at once.
  if (!spec.expectContinue) request.flushHeaders();
  return request;
}

/**
 * Calls `onReady` once the connection can carry the request: connected and, for https, secured. It says whether the server
 * requested a client certificate: only then has it algorithms for its signature in common with this side.
 */
export function followConnection(
  request: ClientRequest,
  onReady: (isCertificateRequested: boolean) => void,
): void {
  request.once('socket', (socket) => {
    // The system has refused at once, for example because it has no route to the host. The error event follows.
    if (socket.destroyed) return;
    // A tunnel's socket is connected already, but its TLS handshake is still to come.
    const isSecure = request.protocol === 'https:';
    const onOpen = (): void => {
      // Writes are not held before: an alert that ends the TLS handshake is the error of a write.
      holdFailedWrites(socket);
      onReady(socket instanceof TLSSocket && socket.getSharedSigalgs().length > 0);
    };
    if (!isSecure && !socket.connecting) return onOpen();
    // When Node reports that a certificate is not trusted, it has destroyed the socket, and with it the certificate.
    socket.prependOnceListener('secure', () => {
      const peer = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined;
      socket.prependOnceListener('error', (error) => Object.assign(error, { peer }));
    });
    socket.once(isSecure ? 'secureConnect' : 'connect', onOpen);
  });
}
