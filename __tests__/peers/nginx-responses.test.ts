import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { LocalService } from '../../local/service/index.ts';
import { makeFolder } from '../support/directories.ts';
import { MIB } from '../support/samples.ts';
import { countAttempts } from '../support/results.ts';
import { TOKEN } from '../support/run-action.ts';
import { openService } from '../support/service.ts';
import { passTo, startNginx } from './nginx.ts';
import type { Nginx } from './nginx.ts';
import { describeWith } from './programs.ts';
import { expectKept, makeScan, openUpstream, runOnce } from './run.ts';

const describeNginx = describeWith('nginx');

const SMALL = makeScan(0);

/** An nginx that requires Basic authentication, and a service that accepts the same credential. */
async function startBasic(): Promise<readonly [Nginx, LocalService]> {
  const users = join(await makeFolder(), 'users');
  writeFileSync(users, `scanner:{PLAIN}${TOKEN}\n`);
  const options = { token: btoa(`scanner:${TOKEN}`), tokenPrefix: 'Basic' };
  const service = await openService(options);
  const server = `auth_basic scans; auth_basic_user_file ${users}; ${passTo(service.port)}`;
  return [await startNginx({ server }), service];
}

describeNginx('an upload through nginx', () => {
  test('is rejected after a 200 with a web page, before or after the body', async () => {
    const page = 'default_type text/html; return 200 "<!doctype html><title>Sign in</title>";';
    const portal = await startNginx({ server: page });
    const early = await runOnce(SMALL, { 'base-url': portal.url });
    expect(early.outputs).toMatchObject({ result: 'rejected', 'status-code': '200' });
    const gateway = await startNginx({ server: passTo(portal.port) });
    const run = await runOnce(makeScan(5 * MIB), { 'base-url': gateway.url });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '200' });
    expect(run.annotations[0]?.message).toMatch(/is a web page.*login page.*server: nginx/s);
  });

  test.each([0, 16 * MIB])(
    'is rejected after a 401 of auth_basic, whose scheme is shown (%i bytes)',
    async (bytes) => {
      const [nginx, service] = await startBasic();
      const inputs = { 'base-url': nginx.url, retries: '8' };
      const run = await runOnce(makeScan(bytes), inputs);
      expect(run.outputs).toMatchObject({
        result: 'rejected',
        'status-code': '401',
      });
      expect(countAttempts(run)).toBe(1);
      expect(run.annotations[0]?.message).toMatch(/Basic realm="scans".*token-prefix.*nginx/s);
      expect(service.requests).toEqual([]);
    },
  );

  test('is accepted with the right credential for auth_basic', async () => {
    const [nginx, service] = await startBasic();
    const token = btoa(`scanner:${TOKEN}`);
    const inputs = { 'base-url': nginx.url, token, 'token-prefix': 'Basic' };
    const run = await runOnce(SMALL, inputs, { secrets: [token] });
    expectKept(service, SMALL, run);
  });
});

describeNginx('an upload through nginx with a rate limit', () => {
  test('is rejected once the retries are used up (503 of limit_req)', async () => {
    const service = await openUpstream();
    const nginx = await startNginx({
      http: 'limit_req_zone $binary_remote_addr zone=uploads:1m rate=1r/m;',
      server: `limit_req zone=uploads; ${passTo(service.port)}`,
    });
    const first = await runOnce(SMALL, { 'base-url': nginx.url });
    const run = await runOnce(SMALL, { 'base-url': nginx.url });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '503' });
    expect(countAttempts(run)).toBe(1);
    expectKept(service, SMALL, first);
  });
});
