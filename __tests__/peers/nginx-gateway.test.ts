import { expect, test } from '@jest/globals';
import { findClosedPort, openServer } from '../support/raw-server.ts';
import { MIB } from '../support/samples.ts';
import { countAttempts } from '../support/results.ts';
import { passTo, startNginx } from './nginx.ts';
import { describeWith } from './programs.ts';
import { expectKept, makeScan, openUpstream, runOnce } from './run.ts';

const describeNginx = describeWith('nginx');

const SMALL = makeScan(0);

describeNginx('nginx as a gateway', () => {
  test.each(['on', 'off'])('accepts 16 MiB (proxy_request_buffering %s)', async (mode) => {
    const scan = makeScan(16 * MIB);
    const service = await openUpstream();
    const server = passTo(service.port, `proxy_request_buffering ${mode}; proxy_http_version 1.1;`);
    const nginx = await startNginx({ server });
    const run = await runOnce(scan, { 'base-url': nginx.url });
    expect(countAttempts(run)).toBe(1);
    expectKept(service, scan, run);
    const [request] = await nginx.finish();
    expect(request?.receivedBytes).toBeGreaterThan(scan.content.length);
  });

  test('removes the prefix of the location /tenant/, and forwards the rest of the path', async () => {
    const service = await openUpstream();
    const server = `location /tenant/ { proxy_pass http://127.0.0.1:${service.port}/; }`;
    const nginx = await startNginx({ server });
    const run = await runOnce(SMALL, { 'base-url': `${nginx.url}/tenant` });
    expectKept(service, SMALL, run);
    expect(service.requests.map(({ path }) => path)).toEqual(['/v1/scanner/upload-file']);
    const targets = (await nginx.finish()).map(({ target }) => target);
    expect(targets).toEqual(['/tenant/v1/scanner/upload-file']);
  });

  test("responds with nginx's own 404 to a URL without the prefix, and the message names base-url", async () => {
    const service = await openUpstream();
    const server = `location /tenant/ { proxy_pass http://127.0.0.1:${service.port}/; }`;
    const nginx = await startNginx({ server });
    const run = await runOnce(SMALL, { 'base-url': nginx.url });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '404' });
    expect(run.annotations[0]?.message).toMatch(/check `base-url`.*headers: server: nginx/s);
    expect(service.requests).toEqual([]);
  });
});

describeNginx('an upload through nginx to an unavailable service', () => {
  test('is unconfirmed after a 502 that comes once nginx has read the whole body', async () => {
    const nginx = await startNginx({ server: passTo(await findClosedPort()) });
    const scan = makeScan(16 * MIB);
    const run = await runOnce(scan, { 'base-url': nginx.url });
    expect(run.outputs).toMatchObject({ result: 'unconfirmed', 'status-code': '502' });
    expect(run.annotations[0]?.title).toBe('Scan upload unconfirmed (502)');
    expect(run.annotations[0]?.message).toMatch(/502 Bad Gateway.*may have.*server: nginx/s);
    const [request] = await nginx.finish();
    expect(request?.receivedBytes).toBeGreaterThan(scan.content.length);
  });

  test('is rejected after a 502 that comes while the body is being sent', async () => {
    const further = 'proxy_request_buffering off;';
    const nginx = await startNginx({ server: passTo(await findClosedPort(), further) });
    const scan = makeScan(16 * MIB);
    const run = await runOnce(scan, { 'base-url': nginx.url });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '502' });
    expect(run.annotations[0]?.message).toMatch(/Response headers: server: nginx/);
    const [request] = await nginx.finish();
    expect(request?.receivedBytes).toBeLessThan(scan.content.length);
  });

  test.each(['on', 'off'])(
    'is unconfirmed after a 504 for a service that never responds (buffering %s)',
    async (mode) => {
      let received = 0;
      const silent = await openServer(({ socket }) => {
        socket.on('data', (chunk) => {
          received += chunk.length;
        });
      });
      const further = `proxy_read_timeout 1s; proxy_request_buffering ${mode};`;
      const nginx = await startNginx({ server: passTo(silent.port, further) });
      const scan = makeScan(5 * MIB);
      const run = await runOnce(scan, { 'base-url': nginx.url });
      expect(run.outputs).toMatchObject({ result: 'unconfirmed', 'status-code': '504' });
      expect(run.annotations[0]?.message).toMatch(
        /Gateway Time-out\nCheck the service before a re-run/,
      );
      expect(received).toBeGreaterThan(scan.content.length);
      expect(silent.connections()).toBe(1);
    },
  );
});
