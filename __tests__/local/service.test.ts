import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readForm } from '../../local/service/form.ts';
import type { ServiceOptions } from '../../local/service/index.ts';
import { listFiles, makeFolder } from '../support/directories.ts';
import { openService, waitUntil } from '../support/service.ts';
import { SCAN_KEY, sha256 } from '../support/samples.ts';
import {
  BOUNDARY,
  FORM_TYPE,
  KEY,
  SCAN,
  SINGLE,
  WHOLE,
  buildForm,
  frame,
  send,
  sendRaw,
} from './http-client.ts';
import type { Part } from './http-client.ts';

const DOUBLE = '/v1/scanner/upload-multiple-files';
const BOM: Part = { name: 'DependenciesCDX', content: '<bom/>', filename: 'bom.xml' };
const REPORT: Part = { name: 'VulnerabilitiesTool', content: 'report', filename: 'report.txt' };
const OTHER_KEY = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const ASKING = { Expect: '100-continue' };

/** A request to a new service. */
interface Sent {
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly options?: Partial<ServiceOptions>;
}

async function post({
  body = WHOLE,
  headers = {},
  path = SINGLE,
  options = {},
}: Sent): Promise<
  Awaited<ReturnType<typeof send>> & { files: string[]; filename: string | undefined }
> {
  const { url, uploads, directory } = await openService(options);
  const response = await send(url + path, body, headers);
  const filename = uploads[0]?.parts[0]?.filename;
  return { ...response, files: await listFiles(directory), filename };
}

describe('an accepted upload', () => {
  test('of one file gets a 200 without a body, and keeps all bytes', async () => {
    const service = await openService();
    const content = JSON.stringify({ text: 'ü€😀\r\n--', list: [1, 2, 3] });
    const body = buildForm(KEY, { ...SCAN, content });
    const response = await send(service.url + SINGLE, body);
    expect([response.status, response.body]).toEqual([200, '']);
    const [upload] = service.uploads;
    const contentType = 'application/octet-stream';
    const bytes = Buffer.byteLength(content);
    expect(upload).toMatchObject({
      operation: 'upload-file',
      scanKey: SCAN_KEY,
      parts: [{ name: 'ScanJsonFile', filename: 'scan.json', contentType, bytes }],
    });
    expect(upload?.parts[0]?.sha256).toBe(sha256(content));
    expect(await readFile(upload?.parts[0]?.path ?? '', 'utf8')).toBe(content);
    expect(service.requests).toMatchObject([
      { method: 'POST', path: SINGLE, status: 200, bodyBytes: body.length, upload },
    ]);
  });

  test('of two files sent with fetch and FormData keeps all bytes', async () => {
    const service = await openService();
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);
    const form = new FormData();
    form.set('ScanKey', SCAN_KEY.toUpperCase());
    form.set('DependenciesCDX', new Blob([bytes]), 'bom.json');
    form.set('VulnerabilitiesTool', new Blob([]), 'empty.json');
    const response = await fetch(service.url + DOUBLE, { method: 'POST', body: form });
    expect(response.status).toBe(200);
    const [upload] = service.uploads;
    expect(upload).toMatchObject({
      operation: 'upload-multiple-files',
      scanKey: SCAN_KEY.toUpperCase(),
      parts: [
        { name: 'DependenciesCDX', bytes: 300_000, sha256: sha256(bytes) },
        { name: 'VulnerabilitiesTool', bytes: 0, sha256: sha256('') },
      ],
    });
    expect(sha256(await readFile(upload?.parts[0]?.path ?? ''))).toBe(sha256(bytes));
  });

  test.each<[string, string, readonly Part[], readonly string[]]>([
    [
      'with further parts',
      SINGLE,
      [{ name: 'Other', content: 'x', filename: 'other.bin' }, KEY, SCAN],
      ['Other/other.bin', 'ScanJsonFile/scan.json'],
    ],
    [
      'of two files',
      DOUBLE,
      [BOM, REPORT, KEY],
      ['DependenciesCDX/bom.xml', 'VulnerabilitiesTool/report.txt'],
    ],
    [
      'with the same part twice',
      SINGLE,
      [KEY, SCAN, SCAN, { ...KEY, content: OTHER_KEY }],
      ['ScanJsonFile/2-scan.json', 'ScanJsonFile/scan.json'],
    ],
  ])('%s is stored under the next number and its first key', async (_, path, parts, files) => {
    const directory = await makeFolder();
    await mkdir(join(directory, '0041-a'));
    const { files: kept } = await post({ body: buildForm(...parts), path, options: { directory } });
    expect(kept).toEqual(files.map((file) => `0042-${SCAN_KEY}/${file}`));
  });

  test('has the prefix in its path if one is set, and a key in any case', async () => {
    const { url } = await openService({ prefix: '/a/b', scanKeys: [SCAN_KEY.toUpperCase()] });
    expect(url).toMatch(/\/a\/b$/);
    expect((await send(url + SINGLE, WHOLE)).status).toBe(200);
    expect((await send(new URL(url).origin + SINGLE, WHOLE)).status).toBe(404);
  });
});

function lack(...names: readonly string[]): object {
  const errors = names.map((name) => [name, [`The ${name} field is required.`]] as const);
  const title = 'One or more validation errors occurred.';
  return { title, errors: Object.fromEntries(errors) };
}

/** A title, a request, and members of the problem. */
type Refusal = [string, Sent, object];

describe('the service refuses a form', () => {
  const cut = {
    errors: { '': [expect.stringMatching(/^Failed to read the request form\. Unexp/)] },
  };
  const size = `The max request body size is ${WHOLE.length - 1} bytes.`;
  const large = `Failed to read the request form. Request body too large. ${size}`;
  const elsewhere = Buffer.from(WHOLE.toString().replaceAll(BOUNDARY, 'b'));
  const notForm = { status: 415, title: 'Unsupported Media Type' };

  test.each<Refusal>([
    ['without a scan key', { body: buildForm(SCAN) }, lack('ScanKey')],
    ['with a key as a file', { body: buildForm({ ...KEY, filename: 'x' }, SCAN) }, lack('ScanKey')],
    ['without the scan file', { body: buildForm(KEY, BOM) }, lack('ScanJsonFile')],
    [
      'with a file part without filename',
      { body: buildForm(KEY, { name: 'ScanJsonFile', content: '{}' }) },
      lack('ScanJsonFile'),
    ],
    ['without an SBOM', { path: DOUBLE, body: buildForm(KEY, REPORT) }, lack('DependenciesCDX')],
    [
      'without anything',
      { path: DOUBLE, body: buildForm() },
      lack('DependenciesCDX', 'VulnerabilitiesTool', 'ScanKey'),
    ],
    [
      'with a key that is no UUID',
      { body: buildForm({ ...KEY, content: 'x<y' }, SCAN) },
      { errors: { ScanKey: ["The value 'x<y' is not valid."] } },
    ],
    [
      'with an unknown key',
      { options: { scanKeys: [OTHER_KEY] } },
      { title: 'Bad Request', detail: `There is no scan with the key ${SCAN_KEY}.` },
    ],
    ...['', '{"a":', '{"a":1}}', '<xml/>', Buffer.from([0x22, 0xff, 0x22])].map(
      (content): Refusal => [
        'with a file that is not JSON',
        { body: buildForm(KEY, { ...SCAN, content }) },
        { detail: 'The scan file is not valid JSON.' },
      ],
    ),
    ['without its closing boundary', { body: WHOLE.subarray(0, -4) }, cut],
    ['that ends within a file', { body: WHOLE.subarray(0, WHOLE.indexOf('"ok"')) }, cut],
    ['with another boundary', { body: elsewhere }, cut],
    ['without a byte', { body: Buffer.alloc(0) }, cut],
    [
      'without a boundary in its type',
      { headers: { 'Content-Type': 'multipart/form-data' } },
      { errors: { '': [expect.stringMatching(/Missing content-type boundary/)] } },
    ],
    ...['application/json', 'multipart/mixed; boundary=x', 'multipart/form-dataX'].map(
      (type): Refusal => ['of another type', { headers: { 'Content-Type': type } }, notForm],
    ),
    [
      'over its limit',
      { options: { maxBodyBytes: WHOLE.length - 1 } },
      { errors: { '': [large] } },
    ],
  ])('%s', async (_, sent, members) => {
    const { status, headers, body, files } = await post(sent);
    const traceId = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    const problem: unknown = JSON.parse(body);
    expect(problem).toMatchObject({ status, traceId, ...members });
    expect(status).toBe(members === notForm ? 415 : 400);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(files).toEqual([]);
  });

  test('with the trace id of the request', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const { body } = await post({ body: buildForm(), headers });
    expect(body).toMatch(new RegExp(`"00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01"`));
  });

  test('with an unknown path or another method', async () => {
    const { url } = await openService({ token: 'secret' });
    const unknown = await send(`${url}/v1/scanner/upload`, WHOLE);
    expect(unknown).toMatchObject({ status: 404, body: '' });
    const other = await send(url + SINGLE, WHOLE, {}, 'PUT');
    expect([other.status, other.body, other.headers.allow]).toEqual([405, '', 'POST']);
  });

  test('with chunks over its limit', async () => {
    const { port, directory } = await openService({ maxBodyBytes: WHOLE.length });
    const refused = await sendRaw(
      port,
      frameChunked(buildForm(KEY, { ...SCAN, content: '[1234567890]' })),
    );
    expect(refused).toMatch(/^HTTP\/1\.1 400 [^]*too large/);
    expect(await listFiles(directory)).toEqual([]);
    expect(await sendRaw(port, frameChunked(WHOLE))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

function frameChunked(body: Buffer): string {
  const [head = ''] = frame(body).toString().split('Content-Length');
  const chunk = `${body.length.toString(16)}\r\n${body.toString()}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
}

test.each([
  ['is kept if it arrives in two pieces', true],
  ['is not kept if the connection ends early', false],
])('an upload %s, at any byte', async (_, isWhole) => {
  const service = await openService();
  const bytes = frame(WHOLE);
  const headBytes = bytes.length - WHOLE.length;
  for (let length = 1; length < WHOLE.length; length += 1) {
    const socket = connect(service.port, '127.0.0.1').setNoDelay();
    const closed = once(socket.resume(), 'close');
    socket.write(bytes.subarray(0, headBytes + length));
    await waitUntil(() => service.requests[length - 1]?.bodyBytes === length);
    if (isWhole) socket.write(WHOLE.subarray(length));
    else socket.end();
    await closed;
  }
  await service.close();
  const digests = service.uploads.map(({ parts }) => parts[0]?.sha256);
  expect(digests).toEqual(isWhole ? [...WHOLE.subarray(1)].map(() => sha256(SCAN.content)) : []);
  expect((await listFiles(service.directory)).length > 0).toBe(isWhole);
});

describe('a credential', () => {
  const OWN = { tokenHeader: 'X-Key' };

  test.each<[Partial<ServiceOptions>, Readonly<Record<string, string>>, RegExp | undefined]>([
    [{}, {}, /^Bearer$/],
    [{}, { Authorization: 'Bearer no' }, /^Bearer error="invalid_token", error_desc.*="[^"]+"$/],
    [{}, { Authorization: 'Basic secret' }, /invalid_token/],
    [{}, { Authorization: 'Bearer secret2' }, /invalid_token/],
    [OWN, { Authorization: 'secret' }, /^ApiKey$/],
    [OWN, { 'X-Key': 'Bearer secret' }, /^ApiKey error=/],
    [{}, { Authorization: 'Bearer secret' }, undefined],
    [OWN, { 'X-Key': 'secret' }, undefined],
    [{ tokenPrefix: 'Token' }, { Authorization: 'Token secret' }, undefined],
  ])('of a service with %j, in the headers %j, gets the challenge %s', async (...row) => {
    const [options, headers, challenge] = row;
    const response = await post({ options: { token: 'secret', ...options }, headers });
    expect(response.status).toBe(challenge === undefined ? 200 : 401);
    if (challenge === undefined) return;
    expect(response).toMatchObject({ body: '', files: [] });
    expect(response.headers['www-authenticate']).toMatch(challenge);
  });
});

describe('the names of a file and of a part', () => {
  test.each([
    ['../../../evil.json', 'evil.json'],
    ['/etc/evil.json', 'evil.json'],
    ['C:\\dir\\evil.json', 'evil.json'],
    ['..', 'file'],
    ['%2e%2e%2fevil.json', '%2e%2e%2fevil.json'],
    ['größe 😀.json', 'größe _.json'],
    ['name. . ', 'name'],
    ['a\u202eb\u0007.json', 'a_b_.json'],
    [`${'ä'.repeat(300)}.json`, 'ä'.repeat(60)],
  ])('stay below the directory, and are recorded as sent: %j', async (filename, kept) => {
    const body = buildForm(KEY, { ...SCAN, filename }, { ...SCAN, name: '../../up' });
    const parent = `0001-${SCAN_KEY}`;
    const files = [`${parent}/ScanJsonFile/${kept}`, `${parent}/up/scan.json`];
    expect(await post({ body })).toMatchObject({ filename, files });
  });
});

describe('startService', () => {
  test.each(['0.0.0.0', 'localhost', ''])('does not listen on "%s"', async (host) => {
    await expect(openService({ host })).rejects.toThrow(/only 127\.0\.0\.1 or ::1/);
  });

  test('throws if its port is in use', async () => {
    const { port } = await openService();
    await expect(openService({ port })).rejects.toThrow(/EADDRINUSE/);
  });

  test('responds with a 500 problem after an internal error', async () => {
    const service = await openService();
    await rm(service.directory, { recursive: true });
    const { status, body } = await send(service.url + SINGLE, WHOLE);
    expect([status, JSON.parse(body)]).toMatchObject([500, { status: 500 }]);
  });
});

test('readForm throws the error of a failed write at once', async () => {
  const body = buildForm(KEY, { ...SCAN, content: 'x'.repeat(500_000) });
  const chunks = Readable.from([body.subarray(0, 9000), body.subarray(9000, 300_000), body]);
  await expect(readForm(chunks, FORM_TYPE, () => 'no/such/file')).rejects.toThrow('ENOENT');
});

describe('Expect: 100-continue', () => {
  test('gets 100 Continue if the headers are valid, even if the body comes at once', async () => {
    const service = await openService();
    const response = await sendRaw(service.port, frame(WHOLE, ASKING));
    expect(response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(service.uploads).toHaveLength(1);
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['credential', { Authorization: 'Bearer x' }, 401],
    ['content type', { 'Content-Type': 'text/plain' }, 415],
    ['length', { 'Content-Length': '5000' }, 400],
  ])('is refused for a wrong %s before the body', async (_, headers, status) => {
    const service = await openService({ token: 't', maxBodyBytes: 4999 });
    const all = { Authorization: 'Bearer t', Connection: 'keep-alive', ...ASKING, ...headers };
    const head = frame(WHOLE, all).subarray(0, -WHOLE.length);
    const response = await sendRaw(service.port, head);
    expect(response).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\nConnection: close\r\n`, 'i'),
    );
    expect(service.requests).toMatchObject([{ status, bodyBytes: 0 }]);
  });
});

describe('a response before the end of the body', () => {
  test('leaves the connection open for the next request', async () => {
    const service = await openService({ token: 't' });
    const first = frame(WHOLE, { Connection: 'keep-alive' });
    const second = frame(WHOLE, { Authorization: 'Bearer t' });
    const text = await sendRaw(service.port, Buffer.concat([first, second]));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('reaches a caller that sends everything first, and closes the connection then', async () => {
    const service = await openService({ token: 't' });
    const bytes = frame(Buffer.alloc(2_000_000));
    expect(await sendRaw(service.port, bytes)).toMatch(/^HTTP\/1\.1 401 /);
    expect(service.requests).toMatchObject([{ bodyBytes: 2_000_000 }]);
  });

  test.each([
    ['some time after it', 50, false],
    ['at once if the caller leaves', 3_600_000, true],
  ])('ends a request without its body %s', async (_, drainMs, leaves) => {
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    const service = await openService({ token: 't', onRequest: resolve, drainMs });
    const socket = connect(service.port, '127.0.0.1');
    socket.write(frame(WHOLE, { Connection: 'keep-alive' }).subarray(0, -WHOLE.length));
    socket.once('data', (bytes: Buffer) => {
      expect(bytes.toString()).toMatch(/^HTTP\/1\.1 401 /);
      if (leaves) socket.destroy();
    });
    await Promise.all([ended, once(socket, 'close')]);
  });
});

describe('a scripted response', () => {
  test('replaces the response to one request, or adds headers and a delay to it', async () => {
    const service = await openService({
      latencyMs: 50,
      responses: [
        { status: 503, headers: { 'Content-Type': 'text/plain' }, body: 'no' },
        { headers: { 'content-length': '0', Via: 'test' }, delayMs: 50 },
      ],
    });
    const first = await send(service.url + SINGLE, WHOLE);
    expect(first).toMatchObject({ status: 503, body: 'no' });
    expect(first.headers['content-type']).toBe('text/plain');
    const started = performance.now();
    const second = await send(service.url + SINGLE, WHOLE);
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
    expect([second.status, second.headers.via]).toEqual([200, 'test']);
    expect(service.requests.map(({ bodyBytes }) => bodyBytes)).toEqual([
      WHOLE.length,
      WHOLE.length,
    ]);
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
