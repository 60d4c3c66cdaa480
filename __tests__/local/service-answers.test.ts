import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { listFiles } from '../support/directories.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { openService, waitUntil } from '../support/service.ts';
import { buildForm, FORM_TYPE, send, sendRaw } from './http-client.ts';

const PATH = '/v1/scanner/upload-file';
const FORM = buildForm([
  { name: 'ScanKey', content: SCAN_KEY },
  { name: 'ScanJsonFile', content: '{}', filename: 'scan.json' },
]);
const EXPECT = { Expect: '100-continue' };

function frame(body: Uint8Array, headers = ''): Buffer {
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM_TYPE}\r\n`;
  return Buffer.concat([
    Buffer.from(`${head}Content-Length: ${body.length}\r\n${headers}\r\n`),
    body,
  ]);
}

describe('Expect: 100-continue', () => {
  test('is answered with 100 when the headers are right', async () => {
    const service = await openService();
    const answer = await send(service.url + PATH, { headers: EXPECT, body: FORM });
    expect(answer).toMatchObject({ status: 200, continued: true });
    expect(service.uploads).toHaveLength(1);
  });

  test.each([
    { title: 'path', path: '/v1', headers: {}, method: 'POST', status: 404 },
    { title: 'method', path: PATH, headers: {}, method: 'PUT', status: 405 },
    {
      title: 'credential',
      path: PATH,
      headers: { Authorization: 'Bearer x' },
      method: 'POST',
      status: 401,
    },
    {
      title: 'content type',
      path: PATH,
      headers: { 'Content-Type': 'text/plain', Authorization: 'Bearer t' },
      method: 'POST',
      status: 415,
    },
    {
      title: 'length',
      path: PATH,
      headers: { 'Content-Length': '5000', Authorization: 'Bearer t' },
      method: 'POST',
      status: 400,
    },
  ])('is refused for a wrong $title before the body', async ({ path, headers, method, status }) => {
    const service = await openService({ token: 't', maxBodyBytes: 4999 });
    const answer = await send(service.url + path, {
      method,
      headers: { ...EXPECT, ...headers },
      body: FORM,
    });
    expect(answer).toMatchObject({ status, continued: false, headers: { connection: 'close' } });
    expect(service.requests).toMatchObject([{ status, bodyBytes: 0 }]);
  });

  test('is answered after the body when the form is wrong', async () => {
    const service = await openService();
    const answer = await send(service.url + PATH, { headers: EXPECT, body: buildForm([]) });
    expect(answer).toMatchObject({ status: 400, continued: true });
  });

  test('that the caller does not wait out is no harm', async () => {
    const service = await openService();
    const answer = await sendRaw(service.port, frame(FORM, 'Expect: 100-continue\r\n'), false);
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(service.uploads).toHaveLength(1);
  });
});

describe('an answer that overtakes the body', () => {
  test('reaches a caller that sends everything first', async () => {
    const service = await openService({ token: 't' });
    const body = Buffer.alloc(3_000_000);
    const answer = await send(service.url + PATH, { body });
    expect(answer.status).toBe(401);
    await service.settled();
    expect(service.requests).toMatchObject([{ status: 401, bodyBytes: body.length }]);
  });

  test('leaves the connection usable for the next request', async () => {
    const service = await openService({ token: 't' });
    const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${FORM.length}\r\n`;
    const first = Buffer.concat([Buffer.from(`${head}\r\n`), FORM]);
    const second = Buffer.concat([
      Buffer.from(`${head}Connection: close\r\nAuthorization: Bearer t\r\n\r\n`),
      FORM,
    ]);
    const text = await sendRaw(service.port, Buffer.concat([first, second]), false);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

describe('a connection whose body comes late', () => {
  test('is closed when the caller asked for that, after its body', async () => {
    const service = await openService({ token: 't' });
    const bytes = frame(Buffer.alloc(2_000_000));
    expect(await sendRaw(service.port, bytes, false)).toMatch(/^HTTP\/1\.1 401 /);
    expect(service.requests).toMatchObject([{ bodyBytes: 2_000_000 }]);
  });

  test('is closed after 5 s when the body never comes', async () => {
    const service = await openService({ token: 't' });
    const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`;
    const started = performance.now();
    expect(await sendRaw(service.port, head, false)).toMatch(/^HTTP\/1\.1 401 /);
    expect(performance.now() - started).toBeGreaterThan(4900);
  });
});

describe('a scripted answer', () => {
  test('replaces the handling of the next requests, one each', async () => {
    const service = await openService({
      answers: [
        { status: 503, retryAfter: 7 },
        { status: 400, contentType: 'text/plain', body: 'no', headers: { 'X-Test': '1' } },
      ],
    });
    const answers = [];
    for (let index = 0; index < 3; index += 1) {
      answers.push(await send(service.url + PATH, { body: FORM }));
    }
    expect(answers).toMatchObject([
      { status: 503, body: '', headers: { 'retry-after': '7' } },
      { status: 400, body: 'no', headers: { 'content-type': 'text/plain', 'x-test': '1' } },
      { status: 200 },
    ]);
    expect(service.requests.map(({ bodyBytes }) => bodyBytes)).toEqual(
      answers.map(() => FORM.length),
    );
    expect(service.uploads).toHaveLength(1);
    expect(await listFiles(service.folder)).toHaveLength(1);
  });

  test('without a status only changes how the service answers', async () => {
    const service = await openService();
    service.script({ headers: { 'Content-Length': '0', Via: 'test' }, delayMs: 50 });
    const started = performance.now();
    const answer = await send(service.url + PATH, { body: FORM });
    expect(answer).toMatchObject({ status: 200, headers: { via: 'test' } });
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
    expect(service.uploads).toHaveLength(1);
  });

  test('replaces headers of the same name, whatever their case and truth', async () => {
    const service = await openService();
    service.script({ headers: { 'content-type': 'text/plain', 'content-length': '5000' } });
    const text = await sendRaw(service.port, frame(buildForm([])), false);
    const [head = ''] = text.split('\r\n\r\n');
    expect(head.match(/^content-.*$/gim)).toEqual([
      'content-type: text/plain',
      'content-length: 5000',
    ]);
  });

  test('can be cut at every byte, the upload kept all the same', async () => {
    const service = await openService();
    const whole = await sendRaw(service.port, frame(FORM), false);
    for (const cut of [0, 1, 9, 20, whole.indexOf('\r\n\r\n')]) {
      service.script({ cut });
      expect(await sendRaw(service.port, frame(FORM), false)).toHaveLength(cut);
    }
    expect(service.uploads).toHaveLength(6);
  });

  test('can be cut within its body', async () => {
    const service = await openService();
    service.script({ status: 200, body: 'x'.repeat(1000), cut: 300 });
    const text = await sendRaw(service.port, frame(FORM), false);
    expect(text).toHaveLength(300);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 1000\r\n[^]*x$/);
  });

  test('can leave the body unread', async () => {
    const service = await openService({ answers: [{ status: 200, readBody: false }] });
    const client = request(service.url + PATH, {
      method: 'POST',
      headers: { 'Content-Type': FORM_TYPE, 'Content-Length': 1_000_000 },
    });
    client.on('error', () => undefined);
    client.flushHeaders();
    const answered: readonly unknown[] = await once(client, 'response');
    client.destroy();
    expect(answered).toHaveProperty('0.headers.connection', 'close');
    await service.settled();
    expect(service.requests).toMatchObject([{ status: 200, bodyBytes: 0, upload: undefined }]);
    expect(service.uploads).toEqual([]);
  });

  test('waits for the body where it is to be read, asking for it first', async () => {
    const service = await openService({ answers: [{ status: 202 }] });
    const answer = await send(service.url + PATH, { headers: EXPECT, body: FORM });
    expect(answer).toMatchObject({ status: 202, continued: true });
    expect(service.requests).toMatchObject([{ bodyBytes: FORM.length }]);
  });

  test('that cannot be written ends the connection instead of leaving the caller waiting', async () => {
    const service = await openService({ answers: [{ status: 200, headers: { 'X-Bad': 'a\nb' } }] });
    expect(await sendRaw(service.port, frame(FORM), false)).toBe('');
  });
});

describe('a fault of the service', () => {
  test('is answered with a 500 problem', async () => {
    const service = await openService();
    await rm(service.folder, { recursive: true });
    const answer = await send(service.url + PATH, { body: FORM });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toMatchObject({
      title: 'An error occurred while processing your request.',
      status: 500,
    });
  });
});

describe('onRequest', () => {
  test('is called once per request, answered or not', async () => {
    const seen: (number | undefined)[] = [];
    const service = await openService({ onRequest: ({ status }) => seen.push(status) });
    await send(service.url + PATH, { body: FORM });
    await sendRaw(service.port, frame(FORM).subarray(0, -5), true);
    await service.settled();
    expect(seen).toEqual([200, undefined]);
  });
});

describe('close', () => {
  test('ends open sockets, idle, sending and waiting ones', async () => {
    const service = await openService({ answers: [{ delayMs: 60_000 }] });
    const sockets = [frame(FORM), frame(FORM).subarray(0, -5), Buffer.from('POST ')].map(
      (bytes) => {
        const socket = connect(service.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(bytes);
        return socket;
      },
    );
    const closed = sockets.map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    await waitUntil(() => (service.requests[0]?.bodyBytes ?? 0) === FORM.length);
    await waitUntil(() => (service.requests[1]?.bodyBytes ?? 0) > 0);
    await service.close();
    await Promise.all(closed);
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
    await expect(service.close()).resolves.toBeUndefined();
  });
});
