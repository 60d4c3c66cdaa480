import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, jest, test } from '@jest/globals';
import type { Body } from '../../src/service/body.ts';
import { OPERATIONS, locateOperation } from '../../src/service/operations.ts';
import {
  createTraceId,
  makeCommonHeaders,
  followConnection,
  openRequest,
} from '../../src/service/request.ts';
import type { RequestSpec } from '../../src/service/request.ts';
import { makeCertificate } from '../support/certificates.ts';
import { getOperation } from '../support/plans.ts';
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
  const all = { url, agent, headers: {}, body: BODY, expectContinue: false, ...spec };
  const request = openRequest(all, new AbortController().signal);
  request.on('error', () => {});
  cleanUp(async () => void request.destroy());
  return request;
}

test('makeCommonHeaders keeps the trace, and makes a new span each time, sampled', () => {
  const id = createTraceId();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(createTraceId()).not.toBe(id);
  const { traceparent, ...others } = makeCommonHeaders(id);
  expect(traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
  expect(makeCommonHeaders(id).traceparent).not.toBe(traceparent);
  expect(others).toEqual({
    Accept:
      'application/json, text/json, text/plain, application/problem+json;q=0.9, application/*;q=0.1, text/*;q=0.1',
    'Accept-Encoding': 'identity',
    'User-Agent': expect.stringMatching(/^scan-upload-action\/\d/),
  });
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(manifest).toMatchObject({ version: others['User-Agent']?.split('/')[1] });
});

test('openRequest throws if the body is longer or shorter than its Content-Length', async () => {
  const { url } = await openServer(() => {});
  const mismatch = expect.objectContaining({ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' });
  const [more, less] = [open(url), open(url)];
  for (const request of [more, less]) request.write('hell');
  expect(() => more.write('o!')).toThrow(mismatch);
  expect(() => less.end()).toThrow(mismatch);
});

describe('followConnection', () => {
  test.each(['a new connection', 'a tunnel'])('calls after TLS over %s', async (name) => {
    const certificate = await makeCertificate('upload.test');
    const server = await openServer(() => {}, certificate);
    const agent = new HttpsAgent({ ca: certificate.cert });
    if (name === 'a tunnel') {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      const options = { socket, ca: certificate.cert, host: '127.0.0.1' };
      agent.createConnection = () => connectTls(options);
    }
    const request = open(server.url, { agent });
    const secured = jest.fn();
    request.once('socket', (secure) => secure.once('secureConnect', secured));
    await new Promise<void>((onReady) => followConnection(request, onReady));
    expect(secured).toHaveBeenCalledTimes(1);
  });
});

test('the operations have the parts of the interface, in order', () => {
  const parts = OPERATIONS.map(({ path, parts: each }) => [path, ...each.map(Object.values)]);
  expect(parts).toEqual([
    ['/v1/scanner/upload-file', ['ScanJsonFile', 'scan-file', true, 'either']],
    [
      '/v1/scanner/upload-multiple-files',
      ['DependenciesCDX', 'dependencies-file', false, 'SBOM'],
      ['VulnerabilitiesTool', 'vulnerabilities-file', false, 'report'],
    ],
  ]);
  for (const { name, path } of OPERATIONS) {
    expect(path).toBe(`/v1/scanner/${name}`);
  }
});

test.each(['', ':8443/', '/tenant', '/a/b//'])(
  'locateOperation keeps the prefix of https://scan.example%s',
  (rest) => {
    const given = new URL(`https://scan.example${rest}`);
    const url = locateOperation(given, getOperation('upload-file'));
    const base = `https://scan.example${rest.replace(/\/+$/, '')}`;
    expect(url.href).toBe(`${base}/v1/scanner/upload-file`);
  },
);
