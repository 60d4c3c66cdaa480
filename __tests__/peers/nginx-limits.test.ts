import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeAuthority } from '../support/certificates.ts';
import { openServer } from '../support/raw-server.ts';
import { MIB } from '../support/samples.ts';
import { countAttempts } from '../support/results.ts';
import { passTo, startNginx } from './nginx.ts';
import type { Nginx } from './nginx.ts';
import { describeWith } from './programs.ts';
import { expectKept, makeScan, openUpstream, runOnce } from './run.ts';

const describeNginx = describeWith('nginx');

const LARGE = makeScan(16 * MIB);
const LATE = 5 * MIB;

/** An nginx that accepts bodies of at most 1 MiB, in front of a service at `port`. */
function startLimited(port: number, further = ''): Promise<Nginx> {
  const server = `client_max_body_size 1m; ${further}`;
  return startNginx({ server: `${server} location / { proxy_pass http://127.0.0.1:${port}; }` });
}

/** Responds with 413 after the given number of bytes, and continues to read. */
function refuseAfter(bytes: number, socket: Socket): void {
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (received < bytes || socket.writableEnded) return;
    const page = '<html><title>413 Request Entity Too Large</title></html>';
    const head = `Content-Type: text/html\r\nContent-Length: ${page.length}\r\nConnection: close`;
    socket.end(`HTTP/1.1 413 Request Entity Too Large\r\n${head}\r\n\r\n${page}`);
  });
}

/** Starts a TCP relay to a loopback port that counts the bytes from all its clients. */
async function startRelay(targetPort: number): Promise<{ port: number; sentBytes: () => number }> {
  let sent = 0;
  const { port } = await openServer(({ socket: client }) => {
    const target = connect(targetPort, '127.0.0.1');
    client.on('data', (chunk) => {
      sent += chunk.length;
    });
    client.pipe(target).pipe(client);
    client.once('close', () => target.destroy());
    target.on('error', () => client.destroy());
  });
  return { port, sentBytes: () => sent };
}

/** Checks the outputs and the annotation for a file that is too large for nginx. */
function expectTooLarge(run: StepRun): void {
  expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '413' });
  expect(countAttempts(run)).toBe(1);
  expect(run.annotations[0]?.title).toBe('Scan upload rejected (413)');
  expect(run.outputs.error).toContain('HTTP 413 Payload Too Large: Request Entity Too Large');
  expect(run.annotations[0]?.message).toMatch(/Response headers: server: nginx\/\d/);
  expect(run.annotations[0]?.message).toMatch(
    /too large .* the files \(scan\.json \(16\.0 MiB\)\)/,
  );
}

describeNginx('client_max_body_size of nginx', () => {
  test('accepts a smaller upload', async () => {
    const scan = makeScan(MIB - 1024);
    const service = await openUpstream();
    const nginx = await startLimited(service.port);
    const run = await runOnce(scan, { 'base-url': nginx.url });
    expectKept(service, scan, run);
    expect(await nginx.finish()).toMatchObject([{ status: 200, expect: '100-continue' }]);
  });

  test.each(['on', 'always', 'off'])(
    'refuses 16 MiB before they are sent (lingering_close %s)',
    async (mode) => {
      const service = await openUpstream();
      const nginx = await startLimited(service.port, `lingering_close ${mode};`);
      const relay = await startRelay(nginx.port);
      const inputs = { 'base-url': `http://127.0.0.1:${relay.port}`, retries: '8' };
      const run = await runOnce(LARGE, inputs);
      expectTooLarge(run);
      expect(relay.sentBytes()).toBeLessThan(2 * MIB);
      expect(service.requests).toEqual([]);
      expect(await nginx.finish()).toMatchObject([{ status: 413, expect: '100-continue' }]);
    },
  );

  test('refuses 16 MiB over TLS before they are sent', async () => {
    const authority = makeAuthority();
    const server = 'client_max_body_size 1m;';
    const nginx = await startNginx({ server, tls: authority.issue() });
    const relay = await startRelay(nginx.port);
    const url = `https://127.0.0.1:${relay.port}`;
    const inputs = { 'base-url': url, 'ca-cert': authority.cert };
    expectTooLarge(await runOnce(LARGE, inputs));
    expect(relay.sentBytes()).toBeLessThan(2 * MIB);
  });
});

describeNginx('a limit of an nginx behind another nginx', () => {
  test('refuses a body that the first nginx streams before all of it is sent', async () => {
    const service = await openUpstream();
    const inner = await startLimited(service.port);
    const streaming = 'proxy_request_buffering off; proxy_http_version 1.1;';
    const server = `location / { proxy_pass ${inner.url}; ${streaming} }`;
    const relay = await startRelay((await startNginx({ server })).port);
    const inputs = { 'base-url': `http://127.0.0.1:${relay.port}` };
    const run = await runOnce(LARGE, inputs);
    expectTooLarge(run);
    expect(relay.sentBytes()).toBeLessThan(LARGE.content.length);
    expect(service.requests).toEqual([]);
  });
});

describeNginx('a service behind nginx that refuses an upload while the body is being sent', () => {
  test('stops the upload, and its response is reported', async () => {
    const late = await openServer(({ socket }) => refuseAfter(LATE, socket));
    const server = passTo(late.port, 'proxy_request_buffering off;');
    const relay = await startRelay((await startNginx({ server })).port);
    const inputs = { 'base-url': `http://127.0.0.1:${relay.port}` };
    expectTooLarge(await runOnce(LARGE, inputs));
    expect(relay.sentBytes()).toBeGreaterThan(LATE);
    expect(relay.sentBytes()).toBeLessThan(LARGE.content.length);
  });
});
