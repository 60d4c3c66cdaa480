import { expect, test } from '@jest/globals';
import { HOST, makeAuthority } from '../support/certificates.ts';
import { MIB } from '../support/samples.ts';
import { countAttempts } from '../support/results.ts';
import { startNginx } from './nginx.ts';
import { describeWith } from './programs.ts';
import { expectKept, makeScan, openUpstream, runOnce } from './run.ts';
import { startSquid } from './squid.ts';

const describeSquid = describeWith('squid');

describeSquid('squid as the proxy', () => {
  test('transfers 16 MiB, with ca-cert inside the tunnel', async () => {
    const scan = makeScan(16 * MIB);
    const authority = makeAuthority();
    const service = await openUpstream(authority.issue());
    const squid = await startSquid();
    const inputs = { 'base-url': `https://${HOST}:${service.port}`, 'ca-cert': authority.cert };
    const env = { https_proxy: `http://127.0.0.1:${squid.port}` };
    const run = await runOnce(scan, inputs, { env });
    expect(countAttempts(run)).toBe(1);
    expect(run.log).toContain(`through the proxy 127.0.0.1:${squid.port}`);
    expectKept(service, scan, run);
    const target = `${HOST}:${service.port}`;
    expect(await squid.waitForLog(1)).toMatchObject([{ method: 'CONNECT', target, status: 200 }]);
  });

  test('transfers 5 MiB as an https proxy with a certificate of the same CA', async () => {
    const scan = makeScan(5 * MIB);
    const authority = makeAuthority();
    const service = await openUpstream(authority.issue());
    const squid = await startSquid({ tls: authority.issue() });
    const inputs = { 'base-url': `https://${HOST}:${service.port}`, 'ca-cert': authority.cert };
    const env = { https_proxy: `https://127.0.0.1:${squid.port}` };
    const run = await runOnce(scan, inputs, { env });
    expectKept(service, scan, run);
    expect(await squid.waitForLog(1)).toMatchObject([{ method: 'CONNECT', status: 200 }]);
  });
});

describeWith('nginx', 'squid')('nginx behind squid', () => {
  test.each([
    ['accepts an upload with a client certificate', true],
    ['rejects an upload without one', false],
  ])('%s', async (_, hasCertificate) => {
    const scan = makeScan(5 * MIB);
    const [authority, service] = [makeAuthority(), await openUpstream()];
    const ask = `ssl_verify_client on; ssl_client_certificate ${authority.certPath};`;
    const server = `${ask} location / { proxy_pass http://127.0.0.1:${service.port}; }`;
    const nginx = await startNginx({ tls: authority.issue({ hosts: [HOST] }), server });
    const squid = await startSquid();
    const { cert, key } = authority.issue();
    const pair = hasCertificate ? { 'client-cert': cert, 'client-key': key } : {};
    const url = `https://${HOST}:${nginx.port}`;
    const inputs = { 'base-url': url, 'ca-cert': authority.cert, ...pair };
    const env = { https_proxy: `127.0.0.1:${squid.port}` };
    const run = await runOnce(scan, inputs, { env, secrets: [key] });
    expect(run.outputs['status-code']).toBe(hasCertificate ? '200' : '400');
    expect(run.outputs.result).toBe(hasCertificate ? 'accepted' : 'rejected');
    expect(service.uploads).toHaveLength(hasCertificate ? 1 : 0);
    const [request] = await nginx.finish();
    expect(request?.verified).toBe(hasCertificate ? 'SUCCESS' : 'NONE');
  });
});
