import { expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { HOST, makeAuthority } from '../support/certificates.ts';
import { findClosedPort } from '../support/raw-server.ts';
import { countAttempts } from '../support/results.ts';
import { describeWith } from './programs.ts';
import { expectKept, makeScan, openUpstream, runOnce } from './run.ts';
import { startSquid } from './squid.ts';

const describeSquid = describeWith('squid');
const SMALL = makeScan(0);
const USER = { name: 'builder', password: 'pass/word:1@secret' };
const USER_SECRETS = [USER.password, encodeURIComponent(USER.password), encodeUser()];

function encodeUser(): string {
  return btoa(`${USER.name}:${USER.password}`);
}

/** The proxy's URL with credentials. */
function writeProxy(port: number, password = USER.password): string {
  return `http://${USER.name}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

/** Checks the outputs and the annotation for a proxy that refuses, which is not retried. */
function expectRefused(run: StepRun, status: number): void {
  expect(run.outputs).toMatchObject({ result: 'not-sent', 'status-code': '' });
  expect(countAttempts(run)).toBe(1);
  const message = run.annotations[0]?.message;
  expect(message).toMatch(/^The proxy \S+ refused the connection to scans\.example/);
  expect(message).toContain(`: HTTP ${status} `);
}

describeSquid('squid that requires a password', () => {
  test('accepts the right password', async () => {
    const authority = makeAuthority();
    const service = await openUpstream(authority.issue());
    const squid = await startSquid({ user: USER });
    const inputs = { 'base-url': `https://${HOST}:${service.port}`, 'ca-cert': authority.cert };
    const env = { https_proxy: writeProxy(squid.port) };
    const run = await runOnce(SMALL, inputs, { env, secrets: USER_SECRETS });
    expectKept(service, SMALL, run);
    const names = service.requests[0]?.rawHeaders.map(({ name }) => name.toLowerCase());
    expect(names).not.toContain('proxy-authorization');
    expect(await squid.waitForLog(1)).toMatchObject([{ status: 200, user: USER.name }]);
  });

  test.each([
    ['no credentials', (port: number) => `http://127.0.0.1:${port}`],
    ['a wrong password', (port: number) => writeProxy(port, 'pass/word:2@secret')],
  ])('refuses %s', async (_, write) => {
    const service = await openUpstream();
    const squid = await startSquid({ user: USER });
    const inputs = { 'base-url': `https://${HOST}:${service.port}`, retries: '8' };
    const env = { https_proxy: write(squid.port) };
    const secrets = ['pass/word:2@secret', 'pass%2Fword%3A2%40secret'];
    const run = await runOnce(SMALL, inputs, { env, secrets });
    expectRefused(run, 407);
    expect(service.requests).toEqual([]);
    expect(await squid.waitForLog(1)).toMatchObject([{ fate: 'TCP_DENIED', status: 407 }]);
  });
});

describeSquid('squid that refuses a tunnel', () => {
  test('fails the upload without a retry if a rule forbids it', async () => {
    const service = await openUpstream();
    const rules = 'acl allowed_ports port 443\nhttp_access deny CONNECT !allowed_ports';
    const squid = await startSquid({ rules });
    const inputs = { 'base-url': `https://${HOST}:${service.port}`, retries: '8' };
    const env = { https_proxy: `http://127.0.0.1:${squid.port}` };
    const run = await runOnce(SMALL, inputs, { env });
    expectRefused(run, 403);
    expect(service.requests).toEqual([]);
    expect(await squid.waitForLog(1)).toMatchObject([{ fate: 'TCP_DENIED', status: 403 }]);
  });

  test('causes retries, then not-sent, if the service is unavailable', async () => {
    const squid = await startSquid();
    const inputs = { 'base-url': `https://${HOST}:${await findClosedPort()}`, retries: '1' };
    const env = { https_proxy: writeProxy(squid.port) };
    const run = await runOnce(SMALL, inputs, { env, secrets: USER_SECRETS });
    expect(run.outputs).toMatchObject({ result: 'not-sent', 'status-code': '' });
    expect(countAttempts(run)).toBe(2);
    expect(run.annotations[0]?.message).toMatch(
      /^The proxy \S+ could not reach .*: HTTP 503.*The proxy says: .*the host and port in `base-url`/s,
    );
    expect(await squid.waitForLog(2)).toMatchObject([{ status: 503 }, { status: 503 }]);
  });
});
