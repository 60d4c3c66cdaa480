import { describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../support/certificates.ts';
import { describeLinux } from '../support/files.ts';
import { listOutputTexts, makeWorkspace, runAction, TOKEN } from '../support/run-action.ts';
import { startProxy } from '../support/proxy.ts';
import { openService } from '../support/service.ts';
import { findLines } from '../support/report.ts';

describe('headers', () => {
  test('are masked and removed from texts if they are credentials', async () => {
    const detail =
      'Project payments-api is archived: key-of-8-or-more, c2VjcmV0LWJhc2lj, k3y-hidden';
    const responses = [{ status: 400, body: JSON.stringify({ detail }) }];
    const service = await openService({ token: TOKEN, responses });
    const headers = [
      'X-Project: payments-api',
      'X-Api-Key: key-of-8-or-more',
      'X-Basic-Auth: Basic c2VjcmV0LWJhc2lj',
      'X-ApiKey: k3y-hidden',
      'X-Session: short',
      'Idempotency-Key: run-4711-attempt-1',
    ].join('\n');
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url, headers });
    expect(run.masks.toSorted()).toEqual(
      [TOKEN, 'key-of-8-or-more', 'Basic c2VjcmV0LWJhc2lj', 'c2VjcmV0LWJhc2lj'].toSorted(),
    );
    // The space before a secret is a part of another one.
    expect(run.outputs.error).toMatch(/^Project payments-api is archived: \*{3}, ?\*{3}, \*{3}$/);
    const texts = [run.log, run.summary, ...listOutputTexts(run)].join('\n');
    expect(findLines(texts, /key-of-8-or-more|c2VjcmV0LWJhc2lj|k3y-hidden/)).toEqual([]);
  });
});

/** Expects that the action trusts the CA certificate in the file that an environment variable names. */
async function expectTrust(variable: string): Promise<void> {
  const certificate = await makeCertificate();
  const service = await openService({ token: TOKEN, tls: certificate });
  const run = await runAction(
    await makeWorkspace(),
    { 'base-url': service.url, 'ca-cert': (await makeCertificate()).cert },
    { env: { [variable]: certificate.certPath } },
  );
  expect(run.outputs).toMatchObject({ uploaded: 'true' });
  expect(service.requests).toHaveLength(1);
}

describe('https', () => {
  test('trusts the CAs of NODE_EXTRA_CA_CERTS in addition to ca-cert', async () => {
    await expectTrust('NODE_EXTRA_CA_CERTS');
  });
});

// On other systems no environment variable adds a CA to those of the system.
describeLinux('https on Linux', () => {
  test('trusts the CAs of the system in addition to ca-cert', async () => {
    await expectTrust('SSL_CERT_FILE');
  });
});

describe('http to a host that is not loopback', () => {
  test('is used only with allow-http', async () => {
    const service = await openService({ token: TOKEN });
    const proxy = await startProxy(service.port);
    const env = { http_proxy: `127.0.0.1:${proxy.port}` };
    const inputs = { 'base-url': 'http://scans.example' };
    const refused = await runAction(await makeWorkspace(), inputs, { env });
    expect(refused.exitCode).toBe(1);
    expect(proxy.targets).toEqual([]);
    const allowed = { ...inputs, 'allow-http': 'true' };
    const run = await runAction(await makeWorkspace(), allowed, { env });
    expect(run.outputs.uploaded).toBe('true');
    expect(proxy.targets).toEqual(['scans.example:80']);
  });
});
