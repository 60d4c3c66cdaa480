import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { listFiles } from '../support/directories.ts';
import { SCAN_KEY, sha256 } from '../support/samples.ts';
import { openService, waitUntil } from '../support/service.ts';
import { BOUNDARY, buildForm, FORM_TYPE, send, sendRaw, type Part } from './http-client.ts';

const SINGLE = '/v1/scanner/upload-file';
const DOUBLE = '/v1/scanner/upload-multiple-files';
const KEY: Part = { name: 'ScanKey', content: SCAN_KEY };
const SCAN: Part = { name: 'ScanJsonFile', content: '{"ok":true}', filename: 'scan.json' };
const BOM: Part = { name: 'DependenciesCDX', content: '<bom/>', filename: 'bom.xml' };
const REPORT: Part = { name: 'VulnerabilitiesTool', content: 'report', filename: 'report.txt' };

const INVALID = {
  type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
  title: 'One or more validation errors occurred.',
  status: 400,
};

describe('an accepted upload', () => {
  test('of one file answers 200 without a body and keeps it byte for byte', async () => {
    const service = await openService();
    const content = JSON.stringify({ text: 'ü€😀\r\n--', list: [1, 2, 3] });
    const body = buildForm([KEY, { ...SCAN, content }]);
    const answer = await send(service.url + SINGLE, { body });
    expect(answer).toMatchObject({ status: 200, body: '', headers: { 'content-length': '0' } });
    expect(service.uploads).toMatchObject([
      {
        operation: 'upload-file',
        scanKey: SCAN_KEY,
        parts: [
          {
            name: 'ScanJsonFile',
            filename: 'scan.json',
            contentType: 'application/octet-stream',
            bytes: Buffer.byteLength(content),
            sha256: sha256(content),
          },
        ],
      },
    ]);
    expect(await listFiles(service.folder)).toEqual([`0001-${SCAN_KEY}/ScanJsonFile/scan.json`]);
    expect(await readFile(service.uploads[0]?.parts[0]?.path ?? '', 'utf8')).toBe(content);
    expect(service.requests).toMatchObject([
      { method: 'POST', path: SINGLE, status: 200, bodyBytes: body.length },
    ]);
    expect(service.requests[0]?.bodySha256).toBe(sha256(body));
    expect(service.requests[0]?.upload).toBe(service.uploads[0]);
  });

  test('of two files sent with fetch and FormData keeps all bytes, of any value', async () => {
    const service = await openService();
    const bytes = Uint8Array.from(
      { length: 300_000 },
      (_, index) => (index * 7 + (index >> 8)) % 256,
    );
    const form = new FormData();
    form.set('ScanKey', SCAN_KEY.toUpperCase());
    form.set('DependenciesCDX', new Blob([bytes]), 'bom.json');
    form.set('VulnerabilitiesTool', new Blob([]), 'empty.json');
    const answer = await fetch(service.url + DOUBLE, { method: 'POST', body: form });
    expect(answer.status).toBe(200);
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

  test('records parts the contract does not know and numbers uploads', async () => {
    const service = await openService();
    const other: Part = { name: 'Other', content: 'x', filename: 'other.bin' };
    await send(service.url + SINGLE, { body: buildForm([other, KEY, SCAN]) });
    await send(service.url + DOUBLE, { body: buildForm([BOM, REPORT, KEY]) });
    expect(service.uploads[0]?.parts.map(({ name }) => name)).toEqual(['Other', 'ScanJsonFile']);
    expect(await listFiles(service.folder)).toEqual([
      `0001-${SCAN_KEY}/Other/other.bin`,
      `0001-${SCAN_KEY}/ScanJsonFile/scan.json`,
      `0002-${SCAN_KEY}/DependenciesCDX/bom.xml`,
      `0002-${SCAN_KEY}/VulnerabilitiesTool/report.txt`,
    ]);
  });

  test('may be chunked', async () => {
    const service = await openService();
    const body = buildForm([KEY, SCAN]);
    const head = `POST ${SINGLE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM_TYPE}\r\n`;
    const chunked = `${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`;
    const answer = await sendRaw(
      service.port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunked}`,
      false,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(service.uploads).toHaveLength(1);
  });

  test('may come in any two pieces', async () => {
    const service = await openService();
    const body = buildForm([KEY, SCAN]);
    const head = `POST ${SINGLE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (let length = 1; length < body.length; length += 1) {
      const socket = connect(service.port, '127.0.0.1').setNoDelay();
      const closed = once(socket.resume(), 'close');
      socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, length)]));
      await waitUntil(() => service.requests[length - 1]?.bodyBytes === length);
      socket.write(body.subarray(length));
      await closed;
    }
    expect(service.requests.every(({ status }) => status === 200)).toBe(true);
    expect(service.uploads).toHaveLength(body.length - 1);
    expect(service.uploads.every(({ parts }) => parts[0]?.sha256 === sha256(SCAN.content))).toBe(
      true,
    );
  });

  test('keeps two files of the same part and name apart', async () => {
    const service = await openService();
    const body = buildForm([KEY, SCAN, { ...SCAN, content: 'second' }]);
    expect((await send(service.url + SINGLE, { body })).status).toBe(200);
    expect(await listFiles(service.folder)).toEqual([
      `0001-${SCAN_KEY}/ScanJsonFile/2-scan.json`,
      `0001-${SCAN_KEY}/ScanJsonFile/scan.json`,
    ]);
  });

  test('belongs to the first scan key where there are two', async () => {
    const service = await openService();
    const other: Part = { name: 'ScanKey', content: 'c56a4180-65aa-42ec-a945-5fd21dec0538' };
    await send(service.url + SINGLE, { body: buildForm([KEY, SCAN, other]) });
    expect(service.uploads).toMatchObject([{ scanKey: SCAN_KEY }]);
  });

  test('lies below a prefix where there is one', async () => {
    const service = await openService({ prefix: '/tenant/a' });
    const body = buildForm([KEY, SCAN]);
    expect(service.url).toMatch(/\/tenant\/a$/);
    expect((await send(service.url + SINGLE, { body })).status).toBe(200);
    const bare = new URL(service.url).origin + SINGLE;
    expect((await send(bare, { body })).status).toBe(404);
  });
});

describe('a refused form', () => {
  const cases: readonly {
    readonly title: string;
    readonly path: string;
    readonly parts: readonly Part[];
    readonly errors: Readonly<Record<string, readonly string[]>>;
  }[] = [
    {
      title: 'without a scan key',
      path: SINGLE,
      parts: [SCAN],
      errors: { ScanKey: ['The ScanKey field is required.'] },
    },
    {
      title: 'with a scan key that is no UUID',
      path: SINGLE,
      parts: [{ name: 'ScanKey', content: 'x<y' }, SCAN],
      errors: { ScanKey: ["The value 'x<y' is not valid."] },
    },
    {
      title: 'with a scan key sent as a file',
      path: SINGLE,
      parts: [{ ...KEY, filename: 'key.txt' }, SCAN],
      errors: { ScanKey: ['The ScanKey field is required.'] },
    },
    {
      title: 'without the scan file',
      path: SINGLE,
      parts: [KEY, BOM],
      errors: { ScanJsonFile: ['The ScanJsonFile field is required.'] },
    },
    {
      title: 'with a file part that has no filename',
      path: SINGLE,
      parts: [KEY, { name: 'ScanJsonFile', content: '{}' }],
      errors: { ScanJsonFile: ['The ScanJsonFile field is required.'] },
    },
    {
      title: 'without anything',
      path: DOUBLE,
      parts: [],
      errors: {
        DependenciesCDX: ['The DependenciesCDX field is required.'],
        VulnerabilitiesTool: ['The VulnerabilitiesTool field is required.'],
        ScanKey: ['The ScanKey field is required.'],
      },
    },
  ];

  test.each(cases)('$title is a validation problem', async ({ path, parts, errors }) => {
    const service = await openService();
    const answer = await send(service.url + path, { body: buildForm(parts) });
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem: unknown = JSON.parse(answer.body);
    expect(problem).toMatchObject({ ...INVALID, errors });
    expect(problem).toHaveProperty(
      'traceId',
      expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    );
    expect(service.uploads).toEqual([]);
    expect(await listFiles(service.folder)).toEqual([]);
  });

  test.each(['', '{"a":', '{"a":1}}', '<xml/>', Buffer.from([0x22, 0xff, 0x22])])(
    'of one file that is no JSON is a problem with a detail (%#)',
    async (content) => {
      const service = await openService();
      const answer = await send(service.url + SINGLE, {
        body: buildForm([KEY, { ...SCAN, content }]),
      });
      expect(JSON.parse(answer.body)).toMatchObject({
        title: 'Bad Request',
        status: 400,
        detail: 'The scan file is not valid JSON.',
      });
      expect(await listFiles(service.folder)).toEqual([]);
    },
  );

  test('carries the trace of the caller', async () => {
    const service = await openService();
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const answer = await send(service.url + SINGLE, { headers, body: buildForm([]) });
    expect(JSON.parse(answer.body)).toHaveProperty(
      'traceId',
      expect.stringMatching(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`)),
    );
  });
});

describe('a body that is no complete form', () => {
  const whole = buildForm([KEY, SCAN]);

  test.each([
    { title: 'without its closing boundary', body: whole.subarray(0, whole.length - 4) },
    { title: 'without half of its closing boundary', body: whole.subarray(0, whole.length - 12) },
    { title: 'cut within a file', body: whole.subarray(0, whole.indexOf('"ok"')) },
    { title: 'cut within a header', body: whole.subarray(0, whole.indexOf('octet')) },
    {
      title: 'with another boundary',
      body: Buffer.from(whole.toString().replaceAll(BOUNDARY, 'b')),
    },
    { title: 'that is empty', body: Buffer.alloc(0) },
  ])('$title is refused and not kept', async ({ body }) => {
    const service = await openService();
    const answer = await send(service.url + SINGLE, { body });
    expect(JSON.parse(answer.body)).toMatchObject({
      ...INVALID,
      errors: { '': [expect.stringMatching(/^Failed to read the request form\. /)] },
    });
    expect(service.uploads).toEqual([]);
    expect(await listFiles(service.folder)).toEqual([]);
  });

  test('is never kept when the connection ends early, wherever that is', async () => {
    const service = await openService();
    const head = `POST ${SINGLE} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${whole.length}\r\n\r\n`;
    for (let length = 0; length < whole.length; length += 1) {
      await sendRaw(
        service.port,
        Buffer.concat([Buffer.from(head), whole.subarray(0, length)]),
        true,
      );
    }
    await service.settled();
    expect(service.requests).toHaveLength(whole.length);
    expect(service.requests.map(({ bodyBytes }) => bodyBytes)).toEqual([...whole.keys()]);
    expect(service.requests.every(({ status }) => status === undefined)).toBe(true);
    expect(service.uploads).toEqual([]);
    expect(await listFiles(service.folder)).toEqual([]);
  });
});

describe('a request that is refused by its headers', () => {
  const body = buildForm([KEY, SCAN]);

  test.each([
    {
      title: 'an unknown path',
      path: '/v1/scanner/upload',
      call: { body },
      status: 404,
      allow: undefined,
    },
    {
      title: 'another method',
      path: SINGLE,
      call: { method: 'PUT', body },
      status: 405,
      allow: 'POST',
    },
  ])('$title answers $status without a body', async ({ path, call, status, allow }) => {
    const service = await openService({ token: 'secret' });
    const answer = await send(service.url + path, call);
    expect(answer).toMatchObject({ status, body: '' });
    expect(answer.headers.allow).toBe(allow);
  });

  test.each(['application/json', 'multipart/mixed; boundary=x', 'multipart/form-dataX'])(
    'content type %s answers 415',
    async (contentType) => {
      const service = await openService();
      const headers = { 'Content-Type': contentType };
      const answer = await send(service.url + SINGLE, { headers, body });
      expect(answer.status).toBe(415);
      expect(JSON.parse(answer.body)).toMatchObject({
        type: 'https://tools.ietf.org/html/rfc9110#section-15.5.16',
        title: 'Unsupported Media Type',
        status: 415,
      });
    },
  );

  test.each(['multipart/form-data', `multipart/form-data; boundary=${'b'.repeat(129)}`])(
    'content type %s without a usable boundary answers 400',
    async (contentType) => {
      const service = await openService();
      const headers = { 'Content-Type': contentType };
      const answer = await send(service.url + SINGLE, { headers, body });
      expect(JSON.parse(answer.body)).toMatchObject({
        errors: { '': [expect.stringMatching(/boundary/i)] },
      });
    },
  );
});

describe('the credential', () => {
  const body = buildForm([KEY, SCAN]);

  test.each([
    { title: 'none', options: {}, headers: {}, challenge: /^Bearer$/ },
    {
      title: 'a wrong one',
      options: {},
      headers: { Authorization: 'Bearer no' },
      challenge: /^Bearer error="invalid_token", error_description="[^"]+"$/,
    },
    {
      title: 'another scheme',
      options: {},
      headers: { Authorization: 'Basic secret' },
      challenge: /invalid_token/,
    },
    {
      title: 'a longer one',
      options: {},
      headers: { Authorization: 'Bearer secret2' },
      challenge: /invalid_token/,
    },
    {
      title: 'the wrong header',
      options: { tokenHeader: 'X-Key', tokenPrefix: '' },
      headers: { Authorization: 'secret' },
      challenge: /^ApiKey$/,
    },
    {
      title: 'a prefix where none belongs',
      options: { tokenHeader: 'X-Key', tokenPrefix: '' },
      headers: { 'X-Key': 'Bearer secret' },
      challenge: /^ApiKey error=/,
    },
  ])(
    '$title answers 401 without a body and with a challenge',
    async ({ options, headers, challenge }) => {
      const service = await openService({ token: 'secret', ...options });
      const answer = await send(service.url + SINGLE, { headers: { ...headers }, body });
      expect(answer).toMatchObject({ status: 401, body: '' });
      expect(answer.headers['www-authenticate']).toMatch(challenge);
      expect(service.uploads).toEqual([]);
    },
  );

  test.each([
    { options: {}, headers: { Authorization: 'Bearer secret' } },
    { options: {}, headers: { Authorization: 'bearer secret' } },
    { options: { tokenHeader: 'X-Key', tokenPrefix: '' }, headers: { 'X-Key': 'secret' } },
    { options: { tokenPrefix: 'Token' }, headers: { Authorization: 'Token secret' } },
  ])('is taken from %j', async ({ options, headers }) => {
    const service = await openService({ token: 'secret', ...options });
    expect((await send(service.url + SINGLE, { headers: { ...headers }, body })).status).toBe(200);
  });
});

describe('the size limit', () => {
  test('refuses a declared length above it with the words of Kestrel', async () => {
    const body = buildForm([KEY, { ...SCAN, content: JSON.stringify('x'.repeat(2000)) }]);
    const service = await openService({ maxBodyBytes: body.length - 1 });
    const answer = await send(service.url + SINGLE, { body });
    const message = `Failed to read the request form. Request body too large. The max request body size is ${body.length - 1} bytes.`;
    expect(JSON.parse(answer.body)).toMatchObject({ ...INVALID, errors: { '': [message] } });
    expect(await listFiles(service.folder)).toEqual([]);
  });

  test('lets the exact length pass', async () => {
    const body = buildForm([KEY, SCAN]);
    const service = await openService({ maxBodyBytes: body.length });
    expect((await send(service.url + SINGLE, { body })).status).toBe(200);
  });

  test('holds for a chunked body too', async () => {
    const service = await openService({ maxBodyBytes: 1000 });
    const content = JSON.stringify('x'.repeat(5000));
    const form = buildForm([KEY, { ...SCAN, content }]);
    const headers = { 'Transfer-Encoding': 'chunked' };
    const head = `POST ${SINGLE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM_TYPE}\r\n`;
    const chunk = `${form.length.toString(16)}\r\n${form.toString()}\r\n0\r\n\r\n`;
    const raw = `${head}Transfer-Encoding: ${headers['Transfer-Encoding']}\r\n\r\n${chunk}`;
    expect(await sendRaw(service.port, raw, false)).toMatch(/^HTTP\/1\.1 400 [^]*too large/);
    expect(await listFiles(service.folder)).toEqual([]);
  });
});

describe('names from the wire', () => {
  test.each([
    { filename: '../../../evil.json', kept: 'evil.json' },
    { filename: '/etc/evil.json', kept: 'evil.json' },
    { filename: 'C:\\dir\\evil.json', kept: 'evil.json' },
    { filename: '..', kept: 'file' },
    { filename: '%2e%2e%2fevil.json', kept: '%2e%2e%2fevil.json' },
    { filename: 'a%22b.json', kept: 'a%22b.json' },
    { filename: 'größe 😀.json', kept: 'größe 😀.json' },
    { filename: 'nul', kept: '_nul' },
    { filename: 'a\u202eb\u0007.json', kept: 'a_b_.json' },
  ])('$filename stays below the folder and is recorded as sent', async ({ filename, kept }) => {
    const service = await openService();
    const answer = await send(service.url + SINGLE, {
      body: buildForm([KEY, { ...SCAN, filename }]),
    });
    expect(answer.status).toBe(200);
    expect(service.uploads[0]?.parts[0]?.filename).toBe(filename);
    expect(await listFiles(service.folder)).toEqual([`0001-${SCAN_KEY}/ScanJsonFile/${kept}`]);
  });

  test('of parts stay below the folder too', async () => {
    const service = await openService();
    const part: Part = { name: '../../up', content: 'x', filename: 'x' };
    await send(service.url + SINGLE, { body: buildForm([KEY, SCAN, part]) });
    expect(await listFiles(service.folder)).toEqual([
      `0001-${SCAN_KEY}/ScanJsonFile/scan.json`,
      `0001-${SCAN_KEY}/up/x`,
    ]);
  });

  test('that are very long are shortened', async () => {
    const service = await openService();
    const filename = `${'ä'.repeat(300)}.json`;
    await send(service.url + SINGLE, { body: buildForm([KEY, { ...SCAN, filename }]) });
    const [file = ''] = await listFiles(service.folder);
    expect(file.endsWith(`/${'ä'.repeat(100)}`)).toBe(true);
  });
});
