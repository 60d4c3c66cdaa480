import { describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../support/certificates.ts';
import { startProxy } from '../support/proxy.ts';
import { describeLinux } from '../support/files.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openService } from '../support/service.ts';

const HOST = 'scans.example';

/** Expects that the action trusts the CA certificate in the file that an environment variable names. */
async function expectTrust(variable: string): Promise<void> {
  const certificate = makeCertificate();
  const service = await openService({ token: TOKEN, tls: certificate });
  const run = await runAction(
    await makeWorkspace(),
    { 'base-url': service.url, 'ca-cert': makeCertificate().cert },
    { env: { [variable]: certificate.certPath } },
  );
  expect(run.outputs).toMatchObject({ uploaded: 'true', attempts: '1' });
  expect(service.uploads).toHaveLength(1);
}

describe('https', () => {
  test.each(['as text', 'as a path'])('trusts ca-cert %s', async (form) => {
    const certificate = makeCertificate();
    const service = await openService({ token: TOKEN, tls: certificate });
    const ca = form === 'as text' ? certificate.cert : certificate.certPath;
    const inputs = { 'base-url': service.url, 'ca-cert': ca };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.outputs.uploaded).toBe('true');
    expect(service.uploads).toHaveLength(1);
  });

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
    const inputs = { 'base-url': `http://${HOST}` };
    const refused = await runAction(await makeWorkspace(), inputs, { env });
    expect(refused.exitCode).toBe(1);
    expect(proxy.targets).toEqual([]);
    const allowed = { ...inputs, 'allow-http': 'true' };
    const run = await runAction(await makeWorkspace(), allowed, { env });
    expect(run.outputs.uploaded).toBe('true');
    expect(proxy.targets).toEqual([`${HOST}:80`]);
  });
});
