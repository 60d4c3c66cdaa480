import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { chain, makeAuthority } from '../support/network.ts';
import type { Certificate } from '../support/network.ts';
import { countAttempts, TOKEN } from '../support/run-action.ts';
import { findClosedPort, openServer, openService } from '../support/servers.ts';
import { makeFolder } from '../support/workspace.ts';
import { passTo, startNginx } from './nginx.ts';
import { describeWith } from './programs.ts';
import { LARGE, SMALL, expectKept, openUpstream, runOnce } from './run.ts';

const describeNginx = describeWith('nginx');

/** A port on which nothing listens, or that of a service that never responds. */
const UNAVAILABLE = {
  closed: findClosedPort,
  silent: async () => (await openServer(({ socket }) => socket.resume())).port,
};

describeNginx('nginx as a gateway', () => {
  test.concurrent.each([
    ['closed', '502', /502 Bad Gateway.*may have/s],
    ['silent', '504', /Gateway Time-out\nCheck the service before a re-run/],
  ] as const)('has the upload, of a service that is %s: responds with a %s', async (...row) => {
    const [service, status, message] = row;
    const url = await startNginx(passTo(await UNAVAILABLE[service](), 'proxy_read_timeout 1s;'));
    const run = await runOnce(LARGE, { 'base-url': url });
    expect(run.outputs).toMatchObject({ result: 'unconfirmed', 'status-code': status });
    expect(run.annotations[0]?.title).toBe(`Scan upload unconfirmed (${status})`);
    expect(run.annotations[0]?.message).toMatch(message);
    expect(run.log).toMatch(/^Response headers: server: nginx/m);
  });
});

describeNginx('auth_basic of nginx', () => {
  const credential = btoa(`scanner:${TOKEN}`);

  test.concurrent(
    'rejects a token before the body is sent, shows its scheme, and accepts that',
    async () => {
      const users = join(await makeFolder({ users: `scanner:{PLAIN}${TOKEN}\n` }), 'users');
      const service = await openService({ token: credential, tokenPrefix: 'Basic' });
      const server = `auth_basic scans; auth_basic_user_file ${users}; ${passTo(service.port)}`;
      const url = await startNginx(server);
      const refused = await runOnce(LARGE, { 'base-url': url, retries: '8' });
      expect(refused.outputs).toMatchObject({ result: 'rejected', 'status-code': '401' });
      expect(countAttempts(refused)).toBe(1);
      expect(refused.annotations[0]?.message).toMatch(/Basic realm="scans".*token-prefix/s);
      expect(service.requests).toEqual([]);
      const inputs = { 'base-url': url, token: credential, 'token-prefix': 'Basic' };
      expectKept(service, SMALL, await runOnce(SMALL, inputs, { secrets: [credential] }));
    },
  );
});

describeNginx('a limit', () => {
  test.concurrent('refuses 8 MiB over https, which its response shows', async () => {
    const authority = await makeAuthority();
    const directives = 'client_max_body_size 1m; lingering_close on;';
    const url = await startNginx(directives, await authority.issue());
    const inputs = { 'base-url': url, retries: '8', 'ca-cert': authority.cert };
    const run = await runOnce(LARGE, inputs);
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '413' });
    expect(countAttempts(run)).toBe(1);
    expect(run.outputs.error).toContain('HTTP 413 Payload Too Large: 413 Request Entity Too Large');
    expect(run.annotations[0]?.message).toMatch(
      / the files \(scan\.json \(8\.0 MiB\)\), .* has 8\.0 MiB\.$/m,
    );
  });
});

/** The directives that require a client certificate below the CA, and pass requests on. */
async function askFor({ cert }: Certificate, port: number): Promise<string> {
  const path = join(await makeFolder({ 'ca.pem': cert }), 'ca.pem');
  const depth = 'ssl_verify_client on; ssl_verify_depth 2;';
  const further = 'proxy_request_buffering off; proxy_http_version 1.1;';
  return `${depth} ssl_client_certificate ${path}; ${passTo(port, further)}`;
}

describeNginx('ssl_verify_client of nginx', () => {
  test.concurrent(
    'accepts 8 MiB, of which it keeps nothing, with a certificate of an intermediate CA',
    async () => {
      const [authority, service] = [await makeAuthority(), await openUpstream()];
      const [servers, clients] = [await makeAuthority(authority), await makeAuthority(authority)];
      const server = await askFor(authority, service.port);
      const url = await startNginx(server, chain(await servers.issue(), servers));
      const { cert, key } = chain(await clients.issue(), clients);
      const pair = { 'client-cert': cert, 'client-key': key };
      const inputs = { 'base-url': url, 'ca-cert': authority.cert, ...pair };
      expectKept(service, LARGE, await runOnce(LARGE, inputs, { secrets: [key] }));
    },
  );

  test.concurrent("rejects no certificate with nginx's own error", async () => {
    const [authority, service] = [await makeAuthority(), await openUpstream()];
    const url = await startNginx(await askFor(authority, service.port), await authority.issue());
    const inputs = { 'base-url': url, 'ca-cert': authority.cert, retries: '8' };
    const run = await runOnce(LARGE, inputs);
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '400' });
    expect(countAttempts(run)).toBe(1);
    expect(run.outputs.error).toContain('No required SSL certificate was sent');
    expect(run.annotations[0]?.message).toContain('`client-cert`');
    expect(run.log).toMatch(/^Response headers: server: nginx/m);
    expect(service.requests).toEqual([]);
  });
});
