import { once } from 'node:events';
import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import type { LookupFunction } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createAgent } from '../../src/service/agent.ts';
import type { Body } from '../../src/service/body.ts';
import {
  createTraceId,
  makeCommonHeaders,
  followConnection,
  openRequest,
} from '../../src/service/request.ts';
import type { RequestSpec } from '../../src/service/request.ts';
import { VERSION } from '../../src/version.ts';
import { makeCertificate } from '../support/certificates.ts';
import type { Certificate } from '../support/certificates.ts';
import { openServer } from '../support/raw-server.ts';
import { cleanUp } from '../support/scope.ts';

const BODY: Body = {
  contentType: 'multipart/form-data; boundary=x',
  length: 5,
  segments: [Buffer.from('hello')],
};

type Request = ReturnType<typeof openRequest>;

function open(url: URL, spec: Partial<RequestSpec> = {}): Request {
  const options = { keepAlive: false };
  const agent = url.protocol === 'https:' ? new HttpsAgent(options) : new Agent(options);
  const rest = { isProxied: false, expectContinue: false };
  const all = { url, agent, headers: {}, body: BODY, ...rest, ...spec };
  const request = openRequest(all, new AbortController().signal);
  request.on('error', () => {});
  cleanUp(async () => void request.destroy());
  return request;
}

describe('createTraceId', () => {
  test('returns 32 lower-case hexadecimal digits, different each time', () => {
    const [one, other] = [createTraceId(), createTraceId()];
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(one).not.toBe(other);
  });
});

describe('makeCommonHeaders', () => {
  test('keeps the trace and makes a new span each time, sampled', () => {
    const id = createTraceId();
    const [one, other] = [makeCommonHeaders(id), makeCommonHeaders(id)];
    expect(one.traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
    expect(one.traceparent).not.toBe(other.traceparent);
  });

  test('sends Accept and User-Agent', () => {
    expect(makeCommonHeaders(createTraceId())).toMatchObject({
      Accept: 'application/problem+json, application/json, text/json, text/plain',
      'Accept-Encoding': 'identity',
      'User-Agent': `scan-upload-action/${VERSION}`,
    });
  });
});

describe('openRequest', () => {
  test('posts to the URL with the headers given and those of the body', async () => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.reply(200);
    });
    const url = new URL('/tenant%20a/v1/scanner/upload-file', server.url);
    const request = open(url, { headers: { 'X-One': '1' } });
    request.end('hello');
    await once(request, 'response');
    expect(server.peer.head[0]).toBe('POST /tenant%20a/v1/scanner/upload-file HTTP/1.1');
    expect(server.peer.head.slice(1).toSorted()).toEqual([
      'Connection: close',
      'Content-Length: 5',
      'Content-Type: multipart/form-data; boundary=x',
      `Host: 127.0.0.1:${server.port}`,
      'X-One: 1',
    ]);
    expect(server.peer.body.toString()).toBe('hello');
  });

  test('throws if the body is longer or shorter than its Content-Length', async () => {
    const server = await openServer(() => {});
    const mismatch = expect.objectContaining({ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' });
    const more = open(server.url);
    more.write('hell');
    expect(() => more.write('o!')).toThrow(mismatch);
    const less = open(server.url);
    less.write('hell');
    expect(() => less.end()).toThrow(mismatch);
  });
});

/** Waits until the connection is ready; returns the numbers of addresses that were reported. */
async function waitUntilConnected(request: Request): Promise<readonly number[]> {
  const counts: number[] = [];
  await new Promise<void>((onReady) => {
    followConnection(request, (count) => counts.push(count), onReady);
  });
  return counts;
}

describe('followConnection', () => {
  let certificate: Certificate;

  beforeAll(() => {
    certificate = makeCertificate('upload.test');
  });

  test.each(['http', 'https'] as const)('counts the addresses of a name (%s)', async (scheme) => {
    const tls = scheme === 'https' ? certificate : undefined;
    const server = await openServer(() => {}, tls);
    const addresses = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    const lookup: LookupFunction = (_name, _options, done) =>
      void setImmediate(done, null, addresses);
    const options = { keepAlive: false, lookup, ca: certificate.cert };
    const agent = scheme === 'https' ? new HttpsAgent(options) : new Agent(options);
    const url = new URL(`${scheme}://upload.test:${server.port}/`);
    expect(await waitUntilConnected(open(url, { agent }))).toEqual([1, 2]);
  });

  test('calls after the TLS handshake, not before', async () => {
    const server = await openServer(() => {}, certificate);
    const agent = createAgent(server.url, { ca: certificate.cert });
    const request = open(server.url, { agent });
    const events: string[] = [];
    request.once('socket', (socket) => {
      socket.once('connect', () => events.push('connect'));
      socket.once('secureConnect', () => events.push('secureConnect'));
    });
    await waitUntilConnected(request);
    expect(events).toEqual(['connect', 'secureConnect']);
  });

  test('calls after the TLS handshake over a connection that is already established', async () => {
    const server = await openServer(() => {}, certificate);
    const agent = new HttpsAgent();
    // As a proxy's tunnel.
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    const events: string[] = [];
    agent.createConnection = () => {
      const secure = connectTls({ socket, ca: certificate.cert, host: '127.0.0.1' });
      return secure.once('secureConnect', () => events.push('secureConnect'));
    };
    const request = open(server.url, { agent });
    await waitUntilConnected(request);
    expect(events).toEqual(['secureConnect']);
  });

  test('does not call for a connection that the system refuses at once', async () => {
    // There is no route to this address.
    const url = new URL('http://255.255.255.255:9/');
    const request = open(url);
    const ready = jest.fn();
    followConnection(request, ready, ready);
    await new Promise((resolve) => request.once('close', resolve));
    expect(ready).not.toHaveBeenCalled();
  });
});
