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
/** Sends a body to a new service. */
async function post(
  body: Buffer,
  options: Partial<ServiceOptions> = {},
  headers: Readonly<Record<string, string>> = {},
  path = SINGLE,
): Promise<Awaited<ReturnType<typeof send>> & { files: string[]; filename: string | undefined }> {
  const { url, uploads, directory } = await openService(options);
  const response = await send(url + path, { headers, body });
  const filename = uploads[0]?.parts[0]?.filename;
  return { ...response, files: await listFiles(directory), filename };
}

async function expectProblem(
  posting: ReturnType<typeof post>,
  members: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status, headers, body, files } = await posting;
  const traceId = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  expect(JSON.parse(body)).toMatchObject({ status, traceId, ...members });
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(files).toEqual([]);
}

describe('an accepted upload', () => {
  test('of one file gets a 200 without a body, and keeps all bytes', async () => {
    const service = await openService();
    const content = JSON.stringify({ text: 'ü€😀\r\n--', list: [1, 2, 3] });
    const body = buildForm([KEY, { ...SCAN, content }]);
    const response = await send(service.url + SINGLE, { body });
    expect(response).toMatchObject({ status: 200, body: '', headers: { 'content-length': '0' } });
    const [upload] = service.uploads;
    const contentType = 'application/octet-stream';
    const bytes = Buffer.byteLength(content);
    expect(upload).toMatchObject({
      operation: 'upload-file',
      scanKey: SCAN_KEY,
      parts: [{ name: 'ScanJsonFile', filename: 'scan.json', contentType, bytes }],
    });
    expect(await listFiles(service.directory)).toEqual([`0001-${SCAN_KEY}/ScanJsonFile/scan.json`]);
    expect(upload?.parts[0]?.sha256).toBe(sha256(content));
    expect(await readFile(upload?.parts[0]?.path ?? '', 'utf8')).toBe(content);
    expect(service.requests).toMatchObject([
      { method: 'POST', path: SINGLE, status: 200, bodyBytes: body.length, upload },
    ]);
  });

  test('of two files sent with fetch and FormData keeps all bytes, of any value', async () => {
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

  test('is stored under the next number in the directory', async () => {
    const directory = await makeFolder();
    await mkdir(join(directory, '0041-a'));
    const { url } = await openService({ directory });
    const other: Part = { name: 'Other', content: 'x', filename: 'other.bin' };
    await send(url + SINGLE, { body: buildForm([other, KEY, SCAN]) });
    await send(url + DOUBLE, { body: buildForm([BOM, REPORT, KEY]) });
    expect(await listFiles(directory)).toEqual([
      `0042-${SCAN_KEY}/Other/other.bin`,
      `0042-${SCAN_KEY}/ScanJsonFile/scan.json`,
      `0043-${SCAN_KEY}/DependenciesCDX/bom.xml`,
      `0043-${SCAN_KEY}/VulnerabilitiesTool/report.txt`,
    ]);
  });

  test('keeps all files of the same part and name, under the first of two scan keys', async () => {
    const other: Part = { ...KEY, content: 'c56a4180-65aa-42ec-a945-5fd21dec0538' };
    const { files } = await post(buildForm([KEY, SCAN, { ...SCAN, content: 'second' }, other]));
    const parent = `0001-${SCAN_KEY}/ScanJsonFile`;
    expect(files).toEqual([`${parent}/2-scan.json`, `${parent}/scan.json`]);
  });

  test('needs the prefix in the path if one is set', async () => {
    const { url } = await openService({ prefix: '/tenant/a' });
    expect(url).toMatch(/\/tenant\/a$/);
    expect((await send(url + SINGLE, { body: WHOLE })).status).toBe(200);
    expect((await send(new URL(url).origin + SINGLE, { body: WHOLE })).status).toBe(404);
  });
});

describe('the response to an invalid form', () => {
  test.each([
    ['without a scan key', SINGLE, [SCAN], ['ScanKey']],
    ['with a scan key sent as a file', SINGLE, [{ ...KEY, filename: 'x' }, SCAN], ['ScanKey']],
    ['without the scan file', SINGLE, [KEY, BOM], ['ScanJsonFile']],
    [
      'with a file part without filename',
      SINGLE,
      [KEY, { name: 'ScanJsonFile', content: '{}' }],
      ['ScanJsonFile'],
    ],
    ['without an SBOM', DOUBLE, [KEY, REPORT], ['DependenciesCDX']],
    ['without anything', DOUBLE, [], ['DependenciesCDX', 'VulnerabilitiesTool', 'ScanKey']],
  ] as const)('%s names what is missing', async (_title, path, parts, missing) => {
    const errors = missing.map((name) => [name, [`The ${name} field is required.`]] as const);
    await expectProblem(post(buildForm(parts), {}, {}, path), {
      title: 'One or more validation errors occurred.',
      status: 400,
      errors: Object.fromEntries(errors),
    });
  });

  test('reports a scan key that the service does not know', async () => {
    const scanKeys = ['c56a4180-65aa-42ec-a945-5fd21dec0538'];
    const detail = `There is no scan with the key ${SCAN_KEY}.`;
    await expectProblem(post(WHOLE, { scanKeys }), { title: 'Bad Request', detail });
    expect((await post(WHOLE, { scanKeys: [SCAN_KEY.toUpperCase()] })).status).toBe(200);
  });

  test.each([
    ['a scan key that is no UUID', { ...KEY, content: 'x<y' }, SCAN.content],
    ...['', '{"a":', '{"a":1}}', '<xml/>', Buffer.from([0x22, 0xff, 0x22])].map(
      (content) => ['a file that is not JSON', KEY, content] as const,
    ),
  ])('reports %s (%#)', async (what, key, content) => {
    const invalid = { errors: { ScanKey: ["The value 'x<y' is not valid."] } };
    const members = what.includes('UUID')
      ? invalid
      : { detail: 'The scan file is not valid JSON.' };
    const posting = post(buildForm([key, { ...SCAN, content }]));
    await expectProblem(posting, { status: 400, ...members });
  });

  test('has the trace id of the request', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const { body } = await post(buildForm([]), {}, headers);
    expect(body).toMatch(new RegExp(`"00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01"`));
  });
});

describe('an incomplete form', () => {
  test.each([
    ['lacks its closing boundary', WHOLE.subarray(0, -4)],
    ['ends within a file', WHOLE.subarray(0, WHOLE.indexOf('"ok"'))],
    ['has another boundary', Buffer.from(WHOLE.toString().replaceAll(BOUNDARY, 'b'))],
    ['is empty', Buffer.alloc(0)],
  ])('is refused if it %s', async (_title, body) => {
    const errors = { '': [expect.stringMatching(/^Failed to read the request form\. Unexpected/)] };
    await expectProblem(post(body), { status: 400, errors });
  });
});

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

function frameChunked(body: Buffer): string {
  const [head = ''] = frame(body).toString().split('Content-Length');
  const chunk = `${body.length.toString(16)}\r\n${body.toString()}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
}

describe('the service refuses a request that', () => {
  test('has an unknown path or another method', async () => {
    const { url } = await openService({ token: 'secret' });
    const unknown = await send(`${url}/v1/scanner/upload`, { body: WHOLE });
    expect(unknown).toMatchObject({ status: 404, body: '' });
    const other = await send(url + SINGLE, { method: 'PUT', body: WHOLE });
    expect(other).toMatchObject({ status: 405, body: '', headers: { allow: 'POST' } });
  });

  test.each(['application/json', 'multipart/mixed; boundary=x', 'multipart/form-dataX'])(
    'has the content type %s',
    async (contentType) => {
      const posting = post(WHOLE, {}, { 'Content-Type': contentType });
      await expectProblem(posting, { status: 415, title: 'Unsupported Media Type' });
    },
  );

  test('has a content type without a boundary', async () => {
    const errors = { '': [expect.stringMatching(/Missing content-type boundary/)] };
    await expectProblem(post(WHOLE, {}, { 'Content-Type': 'multipart/form-data' }), { errors });
  });

  test('declares a length over the limit', async () => {
    const limit = `The max request body size is ${WHOLE.length - 1} bytes.`;
    const text = `Failed to read the request form. Request body too large. ${limit}`;
    const posting = post(WHOLE, { maxBodyBytes: WHOLE.length - 1 });
    await expectProblem(posting, { status: 400, errors: { '': [text] } });
    expect((await post(WHOLE, { maxBodyBytes: WHOLE.length })).status).toBe(200);
  });

  test('has a chunked body over the limit', async () => {
    const { port, directory } = await openService({ maxBodyBytes: WHOLE.length });
    const longer = buildForm([KEY, { ...SCAN, content: '{"ok":false}' }]);
    const refused = await sendRaw(port, frameChunked(longer));
    expect(refused).toMatch(/^HTTP\/1\.1 400 [^]*too large/);
    expect(await listFiles(directory)).toEqual([]);
    expect(await sendRaw(port, frameChunked(WHOLE))).toMatch(/^HTTP\/1\.1 200 /);
  });
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
    const response = await post(WHOLE, { token: 'secret', ...options }, headers);
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
    const form = buildForm([KEY, { ...SCAN, filename }, { ...SCAN, name: '../../up' }]);
    const parent = `0001-${SCAN_KEY}`;
    const files = [`${parent}/ScanJsonFile/${kept}`, `${parent}/up/scan.json`];
    expect(await post(form)).toMatchObject({ filename, files });
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
    const { status, body } = await send(service.url + SINGLE, { body: WHOLE });
    expect([status, JSON.parse(body)]).toMatchObject([500, { status: 500 }]);
  });
});

test('readForm throws the error of a failed write at once', async () => {
  const body = buildForm([KEY, { ...SCAN, content: 'x'.repeat(500_000) }]);
  const chunks = Readable.from([body.subarray(0, 9000), body.subarray(9000, 300_000), body]);
  await expect(readForm(chunks, FORM_TYPE, () => 'no/such/file')).rejects.toThrow('ENOENT');
});
