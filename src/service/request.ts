import type { Agent, ClientRequest } from 'node:http';
import { request as requestHttp } from 'node:http';
import type { Body } from './body.ts';

/** One request: where it goes, with what. Header names and values are valid (checked as inputs). */
export interface RequestSpec {
  readonly url: URL;
  readonly agent: Agent;
  /** Without Content-Type, Content-Length and Expect, which follow from the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Whether to ask with `Expect: 100-continue` before the body is sent. */
  readonly expectContinue: boolean;
}

/** Opens the request; nothing has been sent yet. Throws for what node:http refuses to send. */
export function openRequest(spec: RequestSpec): ClientRequest {
  // Plain http starts without what TLS needs.
  const open = isSecure(spec.url) ? process.getBuiltinModule('node:https').request : requestHttp;
  const request = open(spec.url, {
    method: 'POST',
    agent: spec.agent,
    headers: {
      ...spec.headers,
      'Content-Type': spec.body.contentType,
      'Content-Length': spec.body.length,
      ...(spec.expectContinue && { Expect: '100-continue' }),
    },
  });
  // A second guard on the exact length. Node's own types know it on responses only.
  return Object.assign(request, { strictContentLength: true });
}

/** Calls `ready` once the connection can carry the request: connected and, for https, secured. */
export function onConnected(request: ClientRequest, url: URL, ready: () => void): void {
  request.once('socket', (socket) => {
    // A tunnel's socket is connected already, but its TLS handshake is still to come.
    if (request.reusedSocket || (!isSecure(url) && !socket.connecting)) ready();
    else socket.once(isSecure(url) ? 'secureConnect' : 'connect', ready);
  });
}

function isSecure(url: URL): boolean {
  return url.protocol === 'https:';
}
