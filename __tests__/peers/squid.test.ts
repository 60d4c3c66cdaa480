import { expect, test } from '@jest/globals';
import { HOST, makeAuthority } from '../support/network.ts';
import { countAttempts } from '../support/run-action.ts';
import { describeWith } from './programs.ts';
import { LARGE, SMALL, expectKept, openUpstream, runOnce } from './run.ts';
import { startSquid } from './squid.ts';
import type { SquidPlan } from './squid.ts';

const USER = { name: 'builder', password: 'pass/word:1@secret' };
const WRONG = 'pass/word:2@secret';
const SECRETS = [USER.password, WRONG].flatMap((password) => [
  password,
  encodeURIComponent(password),
  btoa(`${USER.name}:${password}`),
]);

/** The proxy's URL with credentials. */
function writeProxy(port: number, password: string, scheme = 'http'): string {
  return `${scheme}://${USER.name}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

// Only squid resolves the name of the service.
describeWith('squid')('squid as the proxy', () => {
  test.concurrent(
    'transfers 8 MiB over https, and the service does not get the password',
    async () => {
      const authority = await makeAuthority();
      const service = await openUpstream(await authority.issue());
      const port = await startSquid({ tls: await authority.issue(), user: USER });
      const inputs = { 'base-url': `https://${HOST}:${service.port}`, 'ca-cert': authority.cert };
      const env = { https_proxy: writeProxy(port, USER.password, 'https') };
      const run = await runOnce(LARGE, inputs, { env, secrets: SECRETS });
      expect(run.log).toContain(`through the proxy 127.0.0.1:${port}`);
      expectKept(service, LARGE, run);
      expect(service.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    },
  );

  const REFUSED = /^The proxy \S+ refused the connection to scans\.example.*: HTTP 407 /;
  const FAILED = /^The proxy \S+ could not reach .*: HTTP 503 .*its name and port in `base-url`/s;

  test.concurrent.each<[string, SquidPlan, string, string, RegExp]>([
    ['a wrong password', { user: USER }, WRONG, '8', REFUSED],
    ['a closed port', {}, USER.password, '0', FAILED],
  ])('refuses %s', async (_, plan, password, retries, message) => {
    // A free port may be taken by another test while squid starts; nothing listens on the first one.
    const inputs = { 'base-url': `https://${HOST}:1`, retries };
    const port = await startSquid(plan);
    const env = { https_proxy: writeProxy(port, password) };
    const run = await runOnce(SMALL, inputs, { env, secrets: SECRETS });
    expect(run.outputs).toMatchObject({ result: 'not-sent', reason: 'proxy', 'status-code': '' });
    expect(countAttempts(run)).toBe(1);
    expect(run.annotations[0]?.message).toMatch(message);
  });
});
