import { expect, test } from '@jest/globals';
import { chain, makeAuthority } from '../support/certificates.ts';
import type { Certificate, Authority } from '../support/certificates.ts';
import { MIB } from '../support/samples.ts';
import { countAttempts } from '../support/results.ts';
import { passTo, startNginx } from './nginx.ts';
import type { Nginx } from './nginx.ts';
import { describeWith } from './programs.ts';
import { expectKept, makeScan, openUpstream, runOnce } from './run.ts';

const describeNginx = describeWith('nginx');

const SMALL = makeScan(0);

/** An nginx with a certificate of the CA, in front of a service that listens at `port`. */
function startFront(tls: Certificate, port: number, further = ''): Promise<Nginx> {
  return startNginx({ tls, server: `${further} ${passTo(port)}` });
}

/** The directives that require a client certificate issued by the CA. */
function askFor({ certPath }: Authority): string {
  return `ssl_verify_client on; ssl_client_certificate ${certPath};`;
}

describeNginx('client certificates of nginx (ssl_verify_client on)', () => {
  test.each(['TLSv1.2', 'TLSv1.3'])(
    'accept a certificate of the right CA (%s)',
    async (version) => {
      const scan = makeScan(5 * MIB);
      const [authority, service] = [makeAuthority(), await openUpstream()];
      const settings = `${askFor(authority)} ssl_protocols ${version};`;
      const nginx = await startFront(authority.issue(), service.port, settings);
      const { cert, key } = authority.issue();
      const pair = { 'client-cert': cert, 'client-key': key };
      const inputs = { 'base-url': nginx.url, 'ca-cert': authority.cert, ...pair };
      const run = await runOnce(scan, inputs, { secrets: [key] });
      expectKept(service, scan, run);
      expect(await nginx.finish()).toMatchObject([{ tls: version, verified: 'SUCCESS' }]);
    },
  );

  test.each([0, 16 * MIB])(
    "reject an upload without a certificate, with nginx's own error (%i bytes)",
    async (bytes) => {
      const [authority, service] = [makeAuthority(), await openUpstream()];
      const nginx = await startFront(authority.issue(), service.port, askFor(authority));
      const inputs = { 'base-url': nginx.url, 'ca-cert': authority.cert, retries: '8' };
      const run = await runOnce(makeScan(bytes), inputs);
      expect(run.outputs).toMatchObject({
        result: 'rejected',
        'status-code': '400',
      });
      expect(countAttempts(run)).toBe(1);
      expect(run.outputs.error).toContain('No required SSL certificate was sent');
      expect(run.annotations[0]?.message).toMatch(/set `client-cert`.*headers: server: nginx/s);
      expect(service.requests).toEqual([]);
      const [request] = await nginx.finish();
      expect(request?.verified).toBe('NONE');
    },
  );

  test("accept certificates of intermediate CAs, the client's and nginx's own", async () => {
    const scan = makeScan(5 * MIB);
    const [authority, service] = [makeAuthority(), await openUpstream()];
    const [servers, clients] = [authority.delegate(), authority.delegate()];
    const settings = `${askFor(authority)} ssl_verify_depth 2;`;
    const nginx = await startFront(chain(servers.issue(), servers), service.port, settings);
    const { cert, key } = chain(clients.issue(), clients);
    const pair = { 'client-cert': cert, 'client-key': key };
    const inputs = { 'base-url': nginx.url, 'ca-cert': authority.cert, ...pair };
    const run = await runOnce(scan, inputs, { secrets: [key] });
    expectKept(service, scan, run);
    expect(await nginx.finish()).toMatchObject([{ verified: 'SUCCESS' }]);
  });

  test('reject a certificate of another CA, and its key is not shown', async () => {
    const [authority, service] = [makeAuthority(), await openUpstream()];
    const nginx = await startFront(authority.issue(), service.port, askFor(authority));
    const { certPath, keyPath, key } = makeAuthority().issue();
    const pair = { 'client-cert': certPath, 'client-key': keyPath };
    const inputs = { 'base-url': nginx.url, 'ca-cert': authority.certPath, ...pair };
    const run = await runOnce(SMALL, inputs, { secrets: [key] });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '400' });
    expect(run.outputs.error).toContain('The SSL certificate error');
    expect(run.annotations[0]?.message).toContain('client-cert');
    expect(service.requests).toEqual([]);
    const [request] = await nginx.finish();
    expect(request?.verified).toMatch(/^FAILED/);
  });
});
