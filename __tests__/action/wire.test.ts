import { describe, expect, test } from '@jest/globals';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { INVENTORY, REPORT, SCAN_KEY } from '../support/samples.ts';

// Windows allows no quotes in a name.
const REPORT_NAME = process.platform === 'win32' ? 'report 1.json' : 'report "1".json';
const REPORT_WIRE_NAME = REPORT_NAME.replaceAll('"', '%22');

/** A request as it arrived, head and body apart. */
interface CapturedRequest {
  readonly line: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Runs the action against a server that keeps every byte and accepts after `Content-Length` bytes. */
async function captureRequest(
  files: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>>,
): Promise<CapturedRequest> {
  let received = Buffer.alloc(0);
  const server = await openServer(({ socket }) => {
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const { headers, body } = splitRequest(received);
      if (body.length < Number(headers.get('content-length'))) return;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  const run = await runAction(await makeWorkspace(files), { 'base-url': server.origin, ...inputs });
  expect(run.outputs.uploaded).toBe('true');
  return splitRequest(received);
}

function splitRequest(bytes: Buffer): CapturedRequest {
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...lines] = bytes
    .subarray(0, Math.max(end, 0))
    .toString('latin1')
    .split('\r\n');
  const headers = lines.map((text) => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()] as const;
  });
  return { line, headers: new Map(headers), body: bytes.subarray(end + 4) };
}

describe('the request on the wire', () => {
  test('is one form with the scan key first and the file parts as the interface wants them', async () => {
    const { line, headers, body } = await captureRequest(
      { 'bom.json': INVENTORY, [REPORT_NAME]: REPORT },
      { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report*' },
    );
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(
      headers.get('content-type') ?? '',
    )?.[1];
    expect(boundary).toMatch(/^-+[0-9a-f]{20,}$/);
    expect(body.toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="ScanKey"',
        '',
        SCAN_KEY,
        `--${boundary}`,
        'Content-Disposition: form-data; name="DependenciesCDX"; filename="bom.json"',
        'Content-Type: application/octet-stream',
        '',
        INVENTORY,
        `--${boundary}`,
        `Content-Disposition: form-data; name="VulnerabilitiesTool"; filename="${REPORT_WIRE_NAME}"`,
        'Content-Type: application/octet-stream',
        '',
        REPORT,
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
    expect(line).toBe('POST /v1/scanner/upload-multiple-files HTTP/1.1');
    expect(headers.get('content-length')).toBe(String(body.length));
  });

  test('carries these headers and no others', async () => {
    const { headers } = await captureRequest({ 'scan.json': REPORT }, {});
    expect([...headers.keys()].toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'traceparent',
      'user-agent',
    ]);
    expect(headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
    expect(headers.get('accept')).toBe(
      'application/problem+json, application/json, text/json, text/plain',
    );
    expect(headers.get('accept-encoding')).toBe('identity');
    expect(headers.get('user-agent')).toMatch(/^scan-upload-action\/\d+\.\d+\.\d+$/);
    expect(headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  test.each([
    [
      'a header of its own',
      { 'token-header': 'X-Api-Key', 'token-prefix': 'none' },
      'x-api-key',
      TOKEN,
    ],
    ['another scheme', { 'token-prefix': 'ApiKey' }, 'authorization', `ApiKey ${TOKEN}`],
    ['an extra header', { headers: 'X-Gateway: pass-it-on\n' }, 'x-gateway', 'pass-it-on'],
    [
      'an Accept of the author',
      { headers: 'Accept: application/json' },
      'accept',
      'application/json',
    ],
  ])('carries %s', async (_, inputs, name, value) => {
    const { headers } = await captureRequest({ 'scan.json': REPORT }, inputs);
    expect(headers.get(name)).toBe(value);
  });

  test('carries no credential with auth: none', async () => {
    const { headers } = await captureRequest({ 'scan.json': REPORT }, { auth: 'none', token: '' });
    expect(headers.has('authorization')).toBe(false);
  });
});
