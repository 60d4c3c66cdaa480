import { describe, expect, test } from '@jest/globals';
import { TOKEN, makeWorkspace, readResults, runAction } from '../support/run-action.ts';
import type { Peer } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { SBOM, REPORT, SCAN_KEY } from '../support/samples.ts';

// Windows allows no quotes in a name.
const REPORT_NAME = process.platform === 'win32' ? 'report 1.json' : 'report "1".json';
const REPORT_WIRE_NAME = REPORT_NAME.replaceAll('"', '%22');

/** Runs the action against a server that accepts, and returns the request as it arrived. */
async function captureRequest(
  files: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>>,
): Promise<Peer> {
  const server = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(200);
  });
  const run = await runAction(await makeWorkspace(files), { 'base-url': server.origin, ...inputs });
  expect(run.outputs.uploaded).toBe('true');
  const traceId = server.peer.header('traceparent')?.split('-')[1];
  expect(readResults(run)).toMatchObject([{ service: server.origin, traceId }]);
  return server.peer;
}

describe('the request on the wire', () => {
  test('is one form with the scan key first, and the file parts after it', async () => {
    const peer = await captureRequest(
      { 'bom.json': SBOM, [REPORT_NAME]: REPORT },
      { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report*' },
    );
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(
      peer.header('content-type') ?? '',
    )?.[1];
    expect(boundary).toMatch(/^-+[0-9a-f]{20,}$/);
    expect(peer.body.toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="ScanKey"',
        '',
        SCAN_KEY,
        `--${boundary}`,
        'Content-Disposition: form-data; name="DependenciesCDX"; filename="bom.json"',
        'Content-Type: application/octet-stream',
        '',
        SBOM,
        `--${boundary}`,
        `Content-Disposition: form-data; name="VulnerabilitiesTool"; filename="${REPORT_WIRE_NAME}"`,
        'Content-Type: application/octet-stream',
        '',
        REPORT,
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
    expect(peer.head[0]).toBe('POST /v1/scanner/upload-multiple-files HTTP/1.1');
    expect(peer.header('content-length')).toBe(String(peer.body.length));
  });

  test('carries exactly the expected headers', async () => {
    const peer = await captureRequest({ 'scan.json': REPORT }, {});
    expect(
      peer.head
        .slice(1)
        .map((line) => line.replace(/:.*/, '').toLowerCase())
        .toSorted(),
    ).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'expect',
      'host',
      'traceparent',
      'user-agent',
    ]);
    expect(peer.header('authorization')).toBe(`Bearer ${TOKEN}`);
  });

  test('carries the token in another header, and extra headers, of which one may be Accept', async () => {
    const peer = await captureRequest(
      { 'scan.json': REPORT },
      {
        'token-header': 'X-Api-Key',
        'token-prefix': 'ApiKey',
        headers: 'X-Gateway: pass-it-on\nAccept: application/json\n',
      },
    );
    expect(peer.header('authorization')).toBeUndefined();
    expect(peer.header('x-api-key')).toBe(`ApiKey ${TOKEN}`);
    expect(peer.header('x-gateway')).toBe('pass-it-on');
    expect(peer.header('accept')).toBe('application/json');
  });

  test('carries no credential with auth: none', async () => {
    const peer = await captureRequest({ 'scan.json': REPORT }, { auth: 'none', token: '' });
    expect(peer.header('authorization')).toBeUndefined();
  });
});
