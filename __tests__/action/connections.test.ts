import { readFileSync } from 'node:fs';
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
    ['the system knows', 'SSL_CERT_FILE', undefined],
    ['the system knows, beside ca-cert', 'SSL_CERT_FILE', 'another'],
    ['Node was told of', 'NODE_EXTRA_CA_CERTS', undefined],
    ['Node was told of, beside ca-cert', 'NODE_EXTRA_CA_CERTS', 'another'],
  ])('trusts an authority that %s', async (_, variable, other) => {
    const certificate = makeCertificate();
    const service = await openService({ token: TOKEN, tls: certificate });
    const ca = other === undefined ? '' : makeCertificate().cert;
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url, 'ca-cert': ca },
      { env: { [variable]: certificate.certPath } },
    );
    expect(run.outputs).toMatchObject({ uploaded: 'true', attempts: '1' });
    expect(service.uploads).toHaveLength(1);
  });

  test('does not trust an unknown authority, does not retry, and names ca-cert', async () => {
    const service = await openService({ token: TOKEN, tls: makeCertificate() });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ result: 'not-sent', attempts: '1' });
    expect(run.annotations[0]?.message).toContain('ca-cert');
    expect(service.requests).toEqual([]);
  });

  test('does not take a certificate for another host', async () => {
    const certificate = makeCertificate();
    const service = await openService({ token: TOKEN, tls: certificate });
    const proxy = await startProxy(service.port);
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': `https://${HOST}`, 'ca-cert': certificate.cert },
      { env: { https_proxy: `http://127.0.0.1:${proxy.port}` } },
    );
    expect(run.outputs).toMatchObject({ result: 'not-sent', attempts: '1' });
    expect(run.annotations[0]?.message).toMatch(
      /certificate of https:\/\/scans\.example is not trusted/,
    );
    expect(service.requests).toEqual([]);
    // Nothing that was not known the first time could mend it.
    expect(proxy.targets).toHaveLength(1);
  });

  test('shows the client certificate, and never the key', async () => {
    const server = makeCertificate();
    const client = makeCertificate('client');
    const tls = { ...server, ca: client.cert, requestCert: true };
    const service = await openService({ token: TOKEN, tls });
    const inputs = { 'base-url': service.url, 'ca-cert': server.cert };
    const refused = await runAction(await makeWorkspace(), { ...inputs, retries: '0' });
    expect(refused.outputs.uploaded).toBe('false');
    expect(service.uploads).toEqual([]);
    const pair = { 'client-cert': client.certPath, 'client-key': client.key };
    const run = await runAction(await makeWorkspace(), { ...inputs, ...pair });
    expect(run.outputs.uploaded).toBe('true');
    expect(run.masks).toContain(readFileSync(client.keyPath, 'utf8').split('\n')[1]);
  });
});

describe('a proxy', () => {
  test.each([
    ['a URL', (port: number) => `http://127.0.0.1:${port}`],
    ['host:port', (port: number) => `localhost:${port}`],
    ['a URL with credentials', (port: number) => `http://user:pass%2Fword1@127.0.0.1:${port}`],
  ])('given as %s carries https, with ca-cert inside the tunnel', async (_, write) => {
    const certificate = makeCertificate(HOST);
    const service = await openService({ token: TOKEN, tls: certificate });
    const proxy = await startProxy(service.port);
    const value = write(proxy.port);
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': `https://${HOST}:8443`, 'ca-cert': certificate.cert },
      { env: { HTTPS_PROXY: value } },
    );
    expect(run.outputs.uploaded).toBe('true');
    expect(proxy.targets).toEqual([`${HOST}:8443`]);
    expect(run.log).toMatch(
      new RegExp(`through the proxy (?:127\\.0\\.0\\.1|localhost):${proxy.port}`),
    );
    const expected = value.includes('@') ? `Basic ${btoa('user:pass/word1')}` : undefined;
    expect(proxy.credentials).toEqual([expected]);
    expect(run.log + run.stderr + run.summary).not.toMatch(/pass(?:%2F|\/)word1/);
  });

  test('is not used for hosts of no_proxy and for loopback', async () => {
    const service = await openService({ token: TOKEN });
    const proxy = await startProxy(service.port);
    const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url }, { env });
    expect(run.outputs.uploaded).toBe('true');
    expect(proxy.targets).toEqual([]);
  });

  test('that refuses is named, and not asked again', async () => {
    const proxy = await startProxy(1, '407 Proxy Authentication Required');
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': `https://${HOST}` },
      { env: { https_proxy: `http://127.0.0.1:${proxy.port}` } },
    );
    expect(run.outputs).toMatchObject({ result: 'not-sent', attempts: '1' });
    expect(run.annotations[0]?.message).toMatch(/^The proxy refused .*statusCode=407/);
    expect(proxy.targets).toHaveLength(1);
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
