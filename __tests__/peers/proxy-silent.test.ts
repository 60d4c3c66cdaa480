import { describe, expect, test } from '@jest/globals';
import { HOST } from '../support/certificates.ts';
import { openServer } from '../support/raw-server.ts';
import { findFreePort } from './daemon.ts';
import { runOnce } from './run.ts';
import { makeScan, placeScan } from './scans.ts';

const PASSWORD = 'silent-password-4711';

describe('a proxy that is a black hole', () => {
  test.each([
    ['https', 'https_proxy', 1],
    ['http', 'http_proxy', 0],
  ])('ends an attempt over %s by stall-timeout-seconds', async (scheme, variable, retries) => {
    const hole = await openServer(({ socket }) => socket.resume());
    const inputs = {
      'base-url': `${scheme}://${HOST}`,
      'allow-http': 'true',
      'stall-timeout-seconds': '3',
      retries: String(retries),
    };
    const env = { [variable]: `http://builder:${PASSWORD}@127.0.0.1:${hole.port}` };
    const secrets = [PASSWORD, btoa(`builder:${PASSWORD}`)];
    const run = await runOnce(await placeScan(makeScan(0)), inputs, { env, secrets });
    expect(run.outputs).toMatchObject({ result: 'not-sent', attempts: String(retries + 1) });
    expect(run.annotations[0]?.message).toMatch(/for 3 s while connecting/);
    expect(run.annotations[0]?.message).toContain(`127.0.0.1:${hole.port}`);
    expect(hole.connections()).toBe(retries + 1);
  });

  test('is not there at all: the proxy variables are named', async () => {
    const port = await findFreePort();
    const env = { https_proxy: `http://builder:${PASSWORD}@127.0.0.1:${port}` };
    const inputs = { 'base-url': `https://${HOST}` };
    const run = await runOnce(await placeScan(makeScan(0)), inputs, { env, secrets: [PASSWORD] });
    expect(run.outputs).toMatchObject({ result: 'not-sent', attempts: '1' });
    const message = run.annotations[0]?.message;
    expect(message).toMatch(/^The proxy gave no connection .*ECONNREFUSED.*https_proxy/s);
  });
});
