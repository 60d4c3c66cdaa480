import { beforeAll, describe, expect, test } from '@jest/globals';
import { request, type RequestOptions } from 'node:https';
import { makeCertificate } from '../support/certificates.ts';
import type { Certificate } from '../support/certificates.ts';
import { openService } from '../support/service.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { buildForm, FORM_TYPE } from './http-client.ts';

const FORM = buildForm([
  { name: 'ScanKey', content: SCAN_KEY },
  { name: 'ScanJsonFile', content: '{}', filename: 'scan.json' },
]);

const REFUSED = { code: expect.stringMatching(/^(?:ECONNRESET|EPIPE|ERR_SSL_\w+)$/) };

function post(origin: string, options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': FORM_TYPE, 'Content-Length': FORM.length };
    const url = `${origin}/v1/scanner/upload-file`;
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
  let server: Certificate;
  let client: Certificate;

  beforeAll(() => {
    [server, client] = [makeCertificate(), makeCertificate()];
  });

  test('serves callers that trust the certificate', async () => {
    const { url, uploads } = await openService({ tls: server });
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await post(url, { ca: server.cert })).toBe(200);
    await expect(post(url, {})).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(uploads).toHaveLength(1);
  });

  test('serves only callers with a certificate if it requires one', async () => {
    const tls = { ...server, ca: client.cert, requestCert: true };
    const { url, requests } = await openService({ tls });
    const ca = server.cert;
    expect(await post(url, { ca, key: client.key, cert: client.cert })).toBe(200);
    await expect(post(url, { ca })).rejects.toMatchObject(REFUSED);
    await expect(post(url, { ca, key: server.key, cert: server.cert })).rejects.toMatchObject(
      REFUSED,
    );
    expect(requests).toHaveLength(1);
  });
});
