import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ServiceOptions } from '../../local/service/index.ts';
import { openService, waitUntil } from '../support/servers.ts';
import { makeFolder, SCAN_KEY } from '../support/workspace.ts';

// What the tests of the action rely on: the service accepts only whole, valid forms, and records what it got.

const OTHER_KEY = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const ASKING = { Expect: '100-continue' };

const BOUNDARY = 'test-boundary-7MA4YWxkTrZu0gW';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

interface Part {
  readonly name: string;
  readonly content: string;
  readonly filename?: string;
}

/** A multipart body with its closing boundary, written without a library. */
function buildForm(...parts: readonly Part[]): Buffer<ArrayBuffer> {
  const pieces = parts.map(({ name, content, filename }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  return Buffer.from(`${pieces.join('')}--${BOUNDARY}--\r\n`);
}

const SINGLE = '/v1/scanner/upload-file';
const KEY: Part = { name: 'ScanKey', content: SCAN_KEY };
const SCAN: Part = { name: 'ScanJsonFile', content: '{"ok":true}', filename: 'scan.json' };
/** A form that the service accepts. */
const WHOLE = buildForm(KEY, SCAN);

/** A request for one file as bytes; these headers replace its own of the same names. */
function frame(body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Buffer {
  const own = { Host: 'x', 'Content-Type': FORM_TYPE, Connection: 'close' };
  const all = { ...own, 'Content-Length': String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${SINGLE} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function send(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Response> {
  const form = { method, body, headers: { 'Content-Type': FORM_TYPE, ...headers } };
  return fetch(url, form);
}

/** Writes raw bytes, and returns all that arrives until the connection closes. */
async function sendRaw(port: number, bytes: Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

/** Every file below a directory, as sorted relative paths with `/`. */
async function listFiles(directory: string): Promise<readonly string[]> {
  const paths = await readdir(directory, { recursive: true });
  const files = paths.filter((path) => statSync(join(directory, path)).isFile());
  return files.map((path) => path.replaceAll('\\', '/')).toSorted();
}

describe('an accepted upload', () => {
  test('is stored under the next number and its first key', async () => {
    const directory = await makeFolder({ '0041-a/x': '' });
    const { url } = await openService({ directory });
    const body = buildForm(KEY, SCAN, { ...KEY, content: OTHER_KEY });
    expect(await send(url + SINGLE, body)).toMatchObject({ status: 200 });
    const kept = `0042-${SCAN_KEY}/ScanJsonFile/scan.json`;
    expect(await listFiles(directory)).toEqual(['0041-a/x', kept]);
  });

  test.each([
    ['evil.json', '../../../evil.json'],
    ['a_b_ _.json', 'a\u202eb\u0007 😀.json'],
    ['ä'.repeat(60), `${'ä'.repeat(300)}.json`],
  ])('has its name as sent, and is stored below the directory as %s', async (kept, filename) => {
    const { url, uploads, directory } = await openService();
    const body = buildForm(KEY, { ...SCAN, filename }, { ...SCAN, name: '../../up' });
    await send(url + SINGLE, body);
    expect(uploads[0]?.parts[0]?.filename).toBe(filename);
    const files = [`ScanJsonFile/${kept}`, 'up/scan.json'];
    expect(await listFiles(directory)).toEqual(files.map((file) => `0001-${SCAN_KEY}/${file}`));
  });
});

function lack(...names: readonly string[]): object {
  const lists = names.map((name) => [name, [`The ${name} field is required.`]] as const);
  return { errors: Object.fromEntries(lists) };
}

describe('the service refuses', () => {
  const cut = { errors: { '': [expect.stringMatching(/^Failed to read the request form\. U/)] } };
  const size = `The max request body size is ${WHOLE.length - 1} bytes.`;
  const large = `Failed to read the request form. Request body too large. ${size}`;
  const unknown = `There is no scan with the key ${SCAN_KEY}.`;
  const noJson = 'The scan file is not valid JSON.';
  const badKey = { ScanKey: ["The value 'x<y' is not valid."] };

  test.each<[string, Buffer<ArrayBuffer>, object, Partial<ServiceOptions>?]>([
    ['without a scan key', buildForm(SCAN), lack('ScanKey')],
    ['without the scan file', buildForm(KEY, { ...SCAN, name: 'x' }), lack('ScanJsonFile')],
    ['with a key that is no UUID', buildForm({ ...KEY, content: 'x<y' }, SCAN), { errors: badKey }],
    [
      'with an unknown key',
      WHOLE,
      { title: 'Bad Request', detail: unknown },
      { scanKeys: [OTHER_KEY] },
    ],
    ['with text', buildForm(KEY, { ...SCAN, content: '{"a":' }), { detail: noJson }],
    ['without its closing boundary', WHOLE.subarray(0, -4), cut],
    ['over its limit', WHOLE, { errors: { '': [large] } }, { maxBodyBytes: WHOLE.length - 1 }],
  ])('a form %s', async (_, body, members, options = {}) => {
    const { url, directory } = await openService(options);
    const response = await send(url + SINGLE, body);
    const traceId = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(await response.json()).toMatchObject({ status: 400, traceId, ...members });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await listFiles(directory)).toEqual([]);
  });

  test('another path, method or type', async () => {
    const { url } = await openService();
    expect(await send(`${url}/v1/scanner/upload`, WHOLE)).toMatchObject({ status: 404 });
    const other = await send(url + SINGLE, WHOLE, {}, 'PUT');
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    const typed = await send(url + SINGLE, WHOLE, { 'Content-Type': 'multipart/form-dataX' });
    expect(typed.status).toBe(415);
  });
});

test('an upload is not kept if the connection ends early', async () => {
  const service = await openService();
  const bytes = frame(WHOLE);
  const headBytes = bytes.length - WHOLE.length;
  const lengths = [1, WHOLE.indexOf('"ok"'), WHOLE.length - 4, WHOLE.length - 1];
  for (const [index, length] of lengths.entries()) {
    const socket = connect(service.port, '127.0.0.1').setNoDelay();
    const closed = once(socket.resume(), 'close');
    socket.write(bytes.subarray(0, headBytes + length));
    await waitUntil(() => service.requests[index]?.bodyBytes === length);
    socket.end();
    await closed;
  }
  await service.close();
  expect(service.uploads).toEqual([]);
  expect(await listFiles(service.directory)).toEqual([]);
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

test('close ends all open connections: idle, sending and waiting ones', async () => {
  const service = await openService({ responses: [{ delayMs: 60_000 }] });
  const pieces = [frame(WHOLE), frame(WHOLE).subarray(0, -5), Buffer.from('POST '), Buffer.of()];
  const closed = pieces.map((bytes) => sendRaw(service.port, bytes));
  await waitUntil(() => (service.requests[0]?.bodyBytes ?? 0) === WHOLE.length);
  await waitUntil(() => (service.requests[1]?.bodyBytes ?? 0) > 0);
  await service.close();
  await Promise.all(closed);
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
});
