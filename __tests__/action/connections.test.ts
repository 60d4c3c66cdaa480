import { describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../support/certificates.ts';
import { startProxy } from '../support/proxy.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openService } from '../support/service.ts';

const HOST = 'scans.example';

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

  test.each([
    ['the system trusts', 'SSL_CERT_FILE'],
    ['NODE_EXTRA_CA_CERTS names', 'NODE_EXTRA_CA_CERTS'],
  ])('trusts a CA that %s, beside ca-cert', async (_, variable) => {
    const certificate = makeCertificate();
    const service = await openService({ token: TOKEN, tls: certificate });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url, 'ca-cert': makeCertificate().cert },
      { env: { [variable]: certificate.certPath } },
    );
    expect(run.outputs).toMatchObject({ uploaded: 'true', attempts: '1' });
    expect(service.uploads).toHaveLength(1);
  });
});

describe('http to a host that is not loopback', () => {
  test('goes out only with allow-http', async () => {
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
