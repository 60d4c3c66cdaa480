import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ServiceOptions } from '../../local/service/index.ts';
import { listFiles, makeFolder } from '../support/directories.ts';
import { openService, waitUntil } from '../support/service.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { KEY, SCAN, SINGLE, WHOLE, buildForm, frame, send, sendRaw } from './http-client.ts';
import type { Part } from './http-client.ts';

// What the tests of the action rely on: the service accepts only whole, valid forms, and records what it got.

const DOUBLE = '/v1/scanner/upload-multiple-files';
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
  test('is stored under the next number and its first key, also with a part twice', async () => {
    const directory = await makeFolder();
    await mkdir(join(directory, '0041-a'));
    const body = buildForm(KEY, SCAN, SCAN, { ...KEY, content: OTHER_KEY });
    const { files } = await post({ body, options: { directory } });
    const names = ['2-scan.json', 'scan.json'];
    expect(files).toEqual(names.map((name) => `0042-${SCAN_KEY}/ScanJsonFile/${name}`));
  });

  test('has the prefix in its path if one is set, and a key in any case', async () => {
    const { url } = await openService({ prefix: '/a/b', scanKeys: [SCAN_KEY.toUpperCase()] });
    expect(url).toMatch(/\/a\/b$/);
    expect((await send(url + SINGLE, WHOLE)).status).toBe(200);
    expect((await send(new URL(url).origin + SINGLE, WHOLE)).status).toBe(404);
  });
});

function lack(...names: readonly string[]): object {
  return {
    title: 'One or more validation errors occurred.',
    errors: Object.fromEntries(names.map((name) => [name, [`The ${name} field is required.`]])),
  };
}

describe('the service refuses a form', () => {
  const cut = { errors: { '': [expect.stringMatching(/^Failed to read the request form\. U/)] } };
  const size = `The max request body size is ${WHOLE.length - 1} bytes.`;
  const large = `Failed to read the request form. Request body too large. ${size}`;
  const elsewhere = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const notJson = { detail: 'The scan file is not valid JSON.' };

  test.each<[string, Sent, object, number?]>([
    ['without a scan key', { body: buildForm(SCAN) }, lack('ScanKey')],
    ['with a key as a file', { body: buildForm({ ...KEY, filename: 'x' }, SCAN) }, lack('ScanKey')],
    ['without the scan file', { body: buildForm(KEY, REPORT) }, lack('ScanJsonFile')],
    [
      'with a file part without filename',
      { body: buildForm(KEY, { name: 'ScanJsonFile', content: '{}' }) },
      lack('ScanJsonFile'),
    ],
    [
      'without an SBOM and a key',
      { path: DOUBLE, body: buildForm(REPORT) },
      lack('DependenciesCDX', 'ScanKey'),
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
    ['with text', { body: buildForm(KEY, { ...SCAN, content: '{"a":' }) }, notJson],
    [
      'with bytes that are no text',
      { body: buildForm(KEY, { ...SCAN, content: Buffer.from([0x22, 0xff, 0x22]) }) },
      notJson,
    ],
    ['without its closing boundary', { body: WHOLE.subarray(0, -4) }, cut],
    ['that ends within a file', { body: WHOLE.subarray(0, WHOLE.indexOf('"ok"')) }, cut],
    ['with another boundary', { headers: elsewhere }, cut],
    [
      'of another type',
      { headers: { 'Content-Type': 'multipart/form-dataX' } },
      { title: 'Unsupported Media Type' },
      415,
    ],
    [
      'over its limit',
      { options: { maxBodyBytes: WHOLE.length - 1 } },
      { errors: { '': [large] } },
    ],
  ])('%s', async (_, sent, members, expected = 400) => {
    const { status, headers, body, files } = await post(sent);
    const traceId = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(JSON.parse(body)).toMatchObject({ status, traceId, ...members });
    expect(status).toBe(expected);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(files).toEqual([]);
  });

  test('with an unknown path or another method', async () => {
    const { url } = await openService({ token: 'secret' });
    const unknown = await send(`${url}/v1/scanner/upload`, WHOLE);
    expect(unknown).toMatchObject({ status: 404, body: '' });
    const other = await send(url + SINGLE, WHOLE, {}, 'PUT');
    expect([other.status, other.body, other.headers.allow]).toEqual([405, '', 'POST']);
  });
});

test('an upload is not kept if the connection ends early, at any byte', async () => {
  const service = await openService();
  const bytes = frame(WHOLE);
  const headBytes = bytes.length - WHOLE.length;
  for (let length = 1; length < WHOLE.length; length += 1) {
    const socket = connect(service.port, '127.0.0.1').setNoDelay();
    const closed = once(socket.resume(), 'close');
    socket.write(bytes.subarray(0, headBytes + length));
    await waitUntil(() => service.requests[length - 1]?.bodyBytes === length);
    socket.end();
    await closed;
  }
  await service.close();
  expect(service.uploads).toEqual([]);
  expect(await listFiles(service.directory)).toEqual([]);
});

test.each([
  ['../../../evil.json', 'evil.json'],
  ['C:\\dir\\evil.json', 'evil.json'],
  ['..', 'file'],
  ['%2e%2e%2fevil.json', '%2e%2e%2fevil.json'],
  ['a\u202eb\u0007 😀.json', 'a_b_ _.json'],
  [`${'ä'.repeat(300)}.json`, 'ä'.repeat(60)],
])('a name is recorded as sent, and its file stays below the directory: %#', async (...row) => {
  const [filename, kept] = row;
  const body = buildForm(KEY, { ...SCAN, filename }, { ...SCAN, name: '../../up' });
  const parent = `0001-${SCAN_KEY}`;
  const files = [`${parent}/ScanJsonFile/${kept}`, `${parent}/up/scan.json`];
  expect(await post({ body })).toMatchObject({ filename, files });
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
