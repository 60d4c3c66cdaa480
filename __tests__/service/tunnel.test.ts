import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Attempt } from '../../src/service/attempt.ts';
import { isAddress } from '../../src/service/tunnel.ts';
import { joinSegments, makeBody } from '../support/bodies.ts';
import { makeCertificate } from '../support/certificates.ts';
import type { Certificate } from '../support/certificates.ts';
import { exchangeWith, expectFailure, expectResponse } from '../support/exchanges.ts';
import type { Setting } from '../support/exchanges.ts';
import type { Peer } from '../support/peer.ts';
import { makeProxy, startProxy } from '../support/proxy.ts';
import { openServer } from '../support/raw-server.ts';
import type { RawServer, Script } from '../support/raw-server.ts';
import { makeBytes } from '../support/samples.ts';

const PLAIN_URL = new URL('http://upload.test/v1/scanner/upload-file');
const SECURE_URL = new URL('https://upload.test/v1/scanner/upload-file');
/** The response with which a proxy opens a tunnel. */
const OPEN = 'HTTP/1.1 200 Connection established\r\n\r\n';

let server: Certificate;
let client: Certificate;

beforeAll(async () => {
  [server, client] = [await makeCertificate('upload.test'), await makeCertificate()];
});

async function openOkServer(tls?: TlsOptions): Promise<RawServer> {
  return openServer(async (peer) => {
    await peer.readRequest();
    peer.reply(200);
  }, tls);
}

/** Ends the head of a response to CONNECT with these bytes. */
function respond(bytes: string, act: (peer: Peer) => unknown = () => {}): Script {
  return async (peer) => {
    await peer.readHead();
    peer.send(bytes);
    await act(peer);
  };
}

/** How an upload through a proxy that runs `script` failed; the proxy was asked once, and closed. */
async function failAt(script: Script, setting: Setting = {}): Promise<Attempt> {
  const { port, peers } = await openServer(script);
  const end = await exchangeWith(SECURE_URL, { proxy: makeProxy(port), ...setting });
  expect(end).toMatchObject({ state: 'tunnelling', isSent: false, response: undefined });
  await peers[0]?.closed;
  expect(peers.map(({ received }) => received.includes('POST'))).toEqual([false]);
  return end;
}

describe('a tunnel', () => {
  test('has TLS with the service inside, and a client certificate', async () => {
    const service = await openOkServer({ ...server, ca: client.cert, requestCert: true });
    const { port, requests } = await startProxy(service.port);
    const authorization = `Basic ${btoa('user:pa ss')}`;
    const content = makeBytes(300_000);
    const body = await makeBody(content);
    const tls = { ca: server.cert, ...client };
    const proxy = { ...makeProxy(port), authorization };
    const end = await exchangeWith(SECURE_URL, { body, tls, proxy });
    expect(expectResponse(end)).toMatchObject({ status: 200, complete: true });
    const headers = { host: 'upload.test:443', 'proxy-authorization': authorization };
    expect(requests).toMatchObject([{ url: 'upload.test:443', headers }]);
    expect(service.peer.header('Host')).toBe('upload.test');
    expect(service.peer.header('Proxy-Authorization')).toBeUndefined();
    expect(service.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test.each([
    ['127.0.0.1 (http)', '127.0.0.1', PLAIN_URL, false],
    ['127.0.0.1', '127.0.0.1', SECURE_URL, false],
    ['localhost', 'localhost', SECURE_URL, 'localhost'],
  ])(
    'names an https proxy at %s, trusts its private CA, and sends it no client certificate',
    async (_, host, url, servername) => {
      const service = await openOkServer(url === SECURE_URL ? server : undefined);
      const asking = {
        ...(await makeCertificate(host)),
        requestCert: true,
        rejectUnauthorized: false,
      };
      const { port, requests } = await startProxy(service.port, asking);
      const proxy = makeProxy(port, `https://${host}:${port}`);
      const tls = { ...client, ca: `${server.cert}${asking.cert}` };
      expect(expectResponse(await exchangeWith(url, { tls, proxy })).status).toBe(200);
      expect(requests).toMatchObject([{ url: `upload.test:${url === SECURE_URL ? 443 : 80}` }]);
      const socket = requests[0]?.socket;
      const seen = socket instanceof TLSSocket && [socket.getPeerCertificate(), socket.servername];
      expect(seen).toEqual([{}, servername]);
    },
  );

  test('has the address of a service in brackets', async () => {
    const { port, requests } = await startProxy((await openOkServer()).port);
    await exchangeWith(new URL('http://[2001:db8::1]:8080/'), { proxy: makeProxy(port) });
    const url = '[2001:db8::1]:8080';
    expect(requests).toMatchObject([{ url, headers: { host: url } }]);
  });

  test.each([200, 299])('is open after a response with %i', async (status) => {
    const service = await openServer(
      respond(
        `HTTP/1.1 ${status} x\r\n\r\nHTTP/1.1 299 Of the service\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    const end = await exchangeWith(PLAIN_URL, { proxy: makeProxy(service.port) });
    expect(expectResponse(end).status).toBe(299);
    expect(service.peer.head[0]).toMatch(/^CONNECT /);
  });
});

describe('a proxy that opens no tunnel', () => {
  afterEach(() => void jest.useRealTimers());

  const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
  const LINES = Array.from({ length: 9000 }, (_, line) => `Reason ${line}`);
  test.each([
    [302, 'with a length', 'Content-Length: 6\r\n\r\nno waymore', ['no way']],
    [407, 'in chunks', `${CHUNKED}3;a=b\r\nno \r\n3\r\nway\r\n0\r\n\r\n`, ['no way']],
    [502, 'without a body', 'Content-Length: 0\r\n\r\n', []],
    [
      403,
      'as a page',
      'Content-Length: 29\r\n\r\n<h1>No <b>way</b></h1><p>Ask.',
      ['No way', 'Ask.'],
    ],
    [403, 'over 64 KiB', `X: 1\r\n\r\n${LINES.join('\n')}`, LINES.slice(0, 2)],
    [101, 'until 1 s, as Node sees no end', '\r\n', []],
  ])('is reported with its status %i and what it says: %s', async (status, name, rest, says) => {
    const body = await makeBody();
    if (!name.startsWith('until')) jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const head = `HTTP/1.1 ${status} x\r\nServer: a proxy\r\n`;
    const end = await failAt(respond(`${head}${rest}`), { body });
    const proxyResponse = { status, headers: { server: 'a proxy' }, says };
    const error = { isOfProxy: true, code: undefined, proxyResponse };
    expect(expectFailure(end)).toMatchObject({ kind: 'connection', error });
  });

  test('is reported with what it says until the end of the connection', async () => {
    const script = respond('HTTP/1.0 503 x\r\n\r\n', async ({ socket }) => {
      await wait(50);
      socket.end('no way');
    });
    const proxyResponse = { says: ['no way'], complete: true };
    expect(expectFailure(await failAt(script))).toMatchObject({ error: { proxyResponse } });
  });

  test('is given 1 s in all for what it says', async () => {
    const script = respond(`HTTP/1.1 403 x\r\n${CHUNKED}FF\r\nNo way `, async ({ socket }) => {
      while (socket.write('at all ')) await wait(100);
    });
    const proxyResponse = { says: [expect.stringMatching(/^No way at/)], complete: false };
    expect(expectFailure(await failAt(script))).toMatchObject({ error: { proxyResponse } });
  });

  test('ends with the upload while its response is being read', async () => {
    const controller = new AbortController();
    const script = respond('HTTP/1.1 403 x\r\nContent-Length: 99\r\n\r\nno', async () => {
      await wait(50);
      controller.abort();
    });
    const body = await makeBody();
    // So that the limit of the response cannot end it.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const end = await failAt(script, { signal: controller.signal, body });
    expect(end.failure).toEqual({ kind: 'unexpected', text: 'This operation was aborted' });
  });

  test.each<[string, Script, string | RegExp]>([
    ['sends endless headers', flood, 'HPE_HEADER_OVERFLOW'],
    ['does not speak HTTP', (peer) => peer.send('SSH-2.0-x\r\n'), /^HPE_/],
    ['closes the connection', (peer) => peer.end(), 'ECONNRESET'],
  ])('is reported with the error if it %s', async (_, script, code) => {
    const error = { isOfProxy: true, proxyResponse: undefined, code: expect.stringMatching(code) };
    expect(expectFailure(await failAt(script))).toMatchObject({ kind: 'connection', error });
  });

  test('ends by the stall limit if it is silent', async () => {
    const setting = { limits: { stallMs: 200, connectMs: 1 } };
    const end = await failAt((peer) => peer.readHead(), setting);
    expect(end.failure).toEqual({ kind: 'limit', limitMs: 200 });
  });
});

test.each([
  ['127.0.0.1', true],
  ['[::1]', true],
  ['localhost', false],
])('isAddress returns for %s: %s', (host, expected) => {
  expect(isAddress(new URL(`http://${host}/`))).toBe(expected);
});

function flood(peer: Peer): void {
  peer.send('HTTP/1.1 200 OK\r\n');
  const more = (): void => {
    while (!peer.socket.destroyed && peer.socket.write(`X-Pad: ${'x'.repeat(1000)}\r\n`));
  };
  peer.socket.on('drain', more);
  more();
}

const openTunnel: Script = async (peer) => {
  await peer.readHead();
  const connectBytes = peer.size;
  peer.send(OPEN);
  await peer.readBytes(connectBytes + 1);
};

test('a silent service behind an open tunnel has the limit of a connection', async () => {
  const { port } = await openServer(openTunnel);
  const setting = { proxy: makeProxy(port), limits: { connectMs: 200 } };
  const end = await exchangeWith(SECURE_URL, setting);
  expect(end).toMatchObject({ state: 'connecting', failure: { kind: 'limit', limitMs: 200 } });
});

describe('an upload through a proxy that is cancelled', () => {
  test.each<[string, URL, boolean, Script]>([
    ['before the response to CONNECT', SECURE_URL, false, (peer) => peer.readHead()],
    ['during TLS with the proxy', SECURE_URL, true, (peer) => peer.readBytes(1)],
    ['during TLS with the service, over TLS', SECURE_URL, true, openTunnel],
    ['while it is sent', PLAIN_URL, false, openTunnel],
  ])('closes the connection: %s', async (when, url, isSecure, script) => {
    const controller = new AbortController();
    const hasTls = isSecure && when !== 'during TLS with the proxy';
    const { port, peers } = await openServer(
      async (peer) => {
        await script(peer, 1);
        controller.abort();
      },
      hasTls ? server : undefined,
    );
    const proxy = makeProxy(port, `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`);
    const setting = { tls: { ca: server.cert }, proxy, signal: controller.signal };
    expectFailure(await exchangeWith(url, setting));
    await peers[0]?.closed;
    expect(peers).toHaveLength(1);
  });
});
