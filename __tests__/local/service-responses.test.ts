import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { openService, waitUntil } from '../support/service.ts';
import { SINGLE, WHOLE, frame, send, sendRaw } from './http-client.ts';

const EXPECT = { Expect: '100-continue' };

describe('Expect: 100-continue', () => {
  test('gets 100 Continue if the headers are valid', async () => {
    const service = await openService();
    const response = await send(service.url + SINGLE, { headers: EXPECT, body: WHOLE });
    expect(response).toMatchObject({ status: 200, continued: true });
    expect(service.uploads).toHaveLength(1);
  });

  test.each([
    { title: 'path', path: '/v1', headers: {}, status: 404 },
    { title: 'credential', path: SINGLE, headers: { Authorization: 'Bearer x' }, status: 401 },
    { title: 'content type', path: SINGLE, headers: { 'Content-Type': 'text/plain' }, status: 415 },
    { title: 'length', path: SINGLE, headers: { 'Content-Length': '5000' }, status: 400 },
  ])('is refused for a wrong $title before the body', async ({ path, headers, status }) => {
    const service = await openService({ token: 't', maxBodyBytes: 4999 });
    const all = { Authorization: 'Bearer t', ...EXPECT, ...headers };
    const response = await send(service.url + path, { headers: all, body: WHOLE });
    expect(response).toMatchObject({ status, continued: false, headers: { connection: 'close' } });
    expect(service.requests).toMatchObject([{ status, bodyBytes: 0 }]);
  });

  test('may be followed by the body at once', async () => {
    const service = await openService();
    const bytes = frame(WHOLE, 'Connection: close\r\nExpect: 100-continue\r\n');
    const response = await sendRaw(service.port, bytes);
    expect(response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(service.uploads).toHaveLength(1);
  });
});

describe('a response before the end of the body', () => {
  test('reaches a caller that sends everything first', async () => {
    const service = await openService({ token: 't' });
    const body = Buffer.alloc(3_000_000);
    expect((await send(service.url + SINGLE, { body })).status).toBe(401);
    await waitUntil(() => service.requests[0]?.bodyBytes === body.length);
  });

  test('leaves the connection open for the next request', async () => {
    const service = await openService({ token: 't' });
    const second = frame(WHOLE, 'Connection: close\r\nAuthorization: Bearer t\r\n');
    const text = await sendRaw(service.port, Buffer.concat([frame(WHOLE, ''), second]));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('closes the connection after the body if the caller sends Connection: close', async () => {
    const service = await openService({ token: 't' });
    const bytes = frame(Buffer.alloc(2_000_000));
    expect(await sendRaw(service.port, bytes)).toMatch(/^HTTP\/1\.1 401 /);
    expect(service.requests).toMatchObject([{ bodyBytes: 2_000_000 }]);
  });
});

describe('a scripted response', () => {
  test('replaces the response to one request each, after the body', async () => {
    const service = await openService({
      responses: [
        { status: 503, retryAfter: 7 },
        { status: 400, contentType: 'text/plain', body: 'no', headers: { 'X-Test': '1' } },
      ],
    });
    const responses = [];
    for (let index = 0; index < 3; index += 1) {
      responses.push(await send(service.url + SINGLE, { headers: EXPECT, body: WHOLE }));
    }
    expect(responses).toMatchObject([
      { status: 503, body: '', continued: true, headers: { 'retry-after': '7' } },
      { status: 400, body: 'no', headers: { 'content-type': 'text/plain', 'x-test': '1' } },
      { status: 200 },
    ]);
    expect(service.requests.map(({ bodyBytes }) => bodyBytes)).toEqual(
      responses.map(() => WHOLE.length),
    );
    expect(service.uploads).toHaveLength(1);
  });

  test('without a status only adds headers and a delay to the normal response', async () => {
    const headers = { 'content-length': '0', Via: 'test' };
    const service = await openService({ responses: [{ headers, delayMs: 50 }], latencyMs: 50 });
    const started = performance.now();
    const response = await send(service.url + SINGLE, { body: WHOLE });
    expect(response).toMatchObject({ status: 200, headers: { via: 'test' } });
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
    expect(service.uploads).toHaveLength(1);
  });

  test.each([0, 50, 300])('is truncated after %d bytes, and the upload is kept', async (cut) => {
    const headers = { 'X-Long': 'x'.repeat(300) };
    const service = await openService({ responses: [{ cut, headers }] });
    const text = await sendRaw(service.port, frame(WHOLE));
    expect(text).toHaveLength(cut);
    expect('HTTP/1.1 200 OK\r\n').toContain(text.slice(0, 17));
    expect(service.uploads).toHaveLength(1);
  });
});

test('close ends all open connections: idle, sending and waiting ones', async () => {
  const service = await openService({ responses: [{ delayMs: 60_000 }] });
  const pieces = [frame(WHOLE), frame(WHOLE).subarray(0, -5), Buffer.from('POST '), Buffer.of()];
  const closed = pieces.map((bytes) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    return new Promise((resolve) => socket.once('close', resolve));
  });
  await waitUntil(() => (service.requests[0]?.bodyBytes ?? 0) === WHOLE.length);
  await waitUntil(() => (service.requests[1]?.bodyBytes ?? 0) > 0);
  await service.close();
  await Promise.all(closed);
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
});

test.each([
  ['some time after the response', 50, false],
  ['at once if the caller leaves', 3_600_000, true],
])('a request without its body ends %s', async (_, drainMs, leaves) => {
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  const service = await openService({ token: 't', onRequest: resolve, drainMs });
  const socket = connect(service.port, '127.0.0.1');
  socket.write(frame(WHOLE, '').subarray(0, -WHOLE.length));
  socket.once('data', (bytes: Buffer) => {
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 401 /);
    if (leaves) socket.destroy();
  });
  await Promise.all([ended, once(socket, 'close')]);
});
