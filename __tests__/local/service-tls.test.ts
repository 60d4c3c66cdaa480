import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SCAN_KEY } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { buildForm, FORM_TYPE } from './http-client.ts';

interface Pair {
  readonly key: Buffer;
  readonly cert: Buffer;
}

const FORM = buildForm([
  { name: 'ScanKey', content: SCAN_KEY },
  { name: 'ScanJsonFile', content: '{}', filename: 'scan.json' },
]);

const REFUSED = { code: expect.stringMatching(/^(?:ECONNRESET|EPIPE|ERR_SSL_\w+)$/) };

/** A self-signed certificate, made by the openssl every supported system has. */
async function makeCertificate(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'local-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = '/CN=localhost -addext subjectAltName=IP:127.0.0.1,DNS:localhost';
    const args = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj ${subject}`.split(' ');
    await promisify(execFile)('openssl', [...args, '-keyout', key, '-out', cert]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function post(url: string, options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': FORM_TYPE, 'Content-Length': FORM.length };
    const client = request(url, { method: 'POST', agent: false, headers, ...options });
    client.on('error', reject);
    client.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    client.end(FORM);
  });
}

describe('https', () => {
  let server: Pair;
  let client: Pair;

  beforeAll(async () => {
    [server, client] = await Promise.all([makeCertificate(), makeCertificate()]);
  });

  test('serves callers that trust the certificate', async () => {
    const service = await openService({ tls: server });
    const url = `${service.url}/v1/scanner/upload-file`;
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\//);
    expect(await post(url, { ca: server.cert })).toBe(200);
    expect(await post(url, { ca: server.cert, headers: { Expect: '100-continue' } })).toBe(415);
    await expect(post(url, {})).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(service.uploads).toHaveLength(1);
  });

  test('serves only callers with a certificate where it asks for one', async () => {
    const service = await openService({
      tls: { ...server, ca: client.cert, requestCert: true },
    });
    const url = `${service.url}/v1/scanner/upload-file`;
    expect(await post(url, { ca: server.cert, ...client })).toBe(200);
    await expect(post(url, { ca: server.cert })).rejects.toMatchObject(REFUSED);
    await expect(post(url, { ca: server.cert, ...server })).rejects.toMatchObject(REFUSED);
    expect(service.requests).toHaveLength(1);
  });
});
