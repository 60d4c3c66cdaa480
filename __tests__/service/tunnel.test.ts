import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket, createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { AttemptFailure, ServiceResponse } from '../../src/service/attempt.ts';
import type { Proxy } from '../../src/service/settings.ts';
import { isAddress } from '../../src/service/tunnel.ts';
import { joinSegments, makeBody } from '../support/bodies.ts';
import { makeCertificate } from '../support/certificates.ts';
import type { Certificate } from '../support/certificates.ts';
import { exchangeWith, expectFailure, expectResponse } from '../support/exchanges.ts';
import type { Setting } from '../support/exchanges.ts';
import type { Peer } from '../support/peer.ts';
import { makeProxy } from '../support/proxy.ts';
import { listen, openServer } from '../support/raw-server.ts';
import type { RawServer, Script } from '../support/raw-server.ts';
import { makeBytes } from '../support/samples.ts';

const PLAIN_URL = new URL('http://upload.test/v1/scanner/upload-file');
const SECURE_URL = new URL('https://upload.test/v1/scanner/upload-file');
/** The response with which a proxy opens a tunnel. */
const OPEN = 'HTTP/1.1 200 Connection established\r\n\r\n';

let server: Certificate;
let client: Certificate;

beforeAll(() => {
  [server, client] = [makeCertificate('upload.test'), makeCertificate()];
});

async function openOkServer(tls?: TlsOptions): Promise<RawServer> {
  return openServer(async (peer) => {
    await peer.readRequest();
    peer.reply(200);
  }, tls);
}

/** A proxy that opens every tunnel to `port`. */
async function openProxy(port: number, tls?: TlsOptions): Promise<Opened> {
  const opened = { lines: [] as string[], sockets: [] as Socket[] };
  const serve = (socket: Socket): void => {
    opened.sockets.push(socket);
    socket.once('data', (head: Buffer) => {
      opened.lines.push(...head.toString('latin1').split('\r\n'));
      const upstream = connect(port, '127.0.0.1');
      for (const end of [upstream, socket]) end.on('error', () => {});
      socket.write(OPEN);
      socket.pipe(upstream).pipe(socket);
      socket.once('close', () => upstream.destroy());
    });
  };
  const open = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  const proxy = makeProxy(await listen(open));
  if (tls !== undefined) proxy.url.protocol = 'https:';
  return { ...opened, proxy };
}

interface Opened {
  readonly proxy: Proxy;
  /** The lines of the requests it received. */
  readonly lines: readonly string[];
  readonly sockets: readonly Socket[];
}

/** The failure of an upload through a proxy that runs `script`, and what the proxy says. */
async function failAt(
  script: Script,
  setting: Setting = {},
): Promise<{ failure: AttemptFailure; response: ServiceResponse | undefined; peer: Peer }> {
  const { port, peers } = await openServer(script);
  const end = await exchangeWith(SECURE_URL, { proxy: makeProxy(port), ...setting });
  expect(end).toMatchObject({ state: 'tunnelling', isSent: false });
  const [peer] = peers;
  if (peer === undefined || peers.length > 1) throw new Error('The proxy was not asked once.');
  const failure = expectFailure(end);
  const response = failure.kind === 'connection' ? failure.error.proxyResponse : undefined;
  return { failure, response, peer };
}

describe('a tunnel', () => {
  test('has TLS with the service inside, and a client certificate', async () => {
    const service = await openOkServer({ ...server, ca: client.cert, requestCert: true });
    const { proxy, lines } = await openProxy(service.port);
    const authorization = `Basic ${btoa('user:pa ss')}`;
    const content = makeBytes(300_000);
    const body = await makeBody(content);
    const setting = {
      body,
      tls: { ca: server.cert, ...client },
      proxy: { ...proxy, authorization },
    };
    const end = await exchangeWith(SECURE_URL, setting);
    expect(expectResponse(end)).toMatchObject({ status: 200, complete: true });
    expect(lines[0]).toBe('CONNECT upload.test:443 HTTP/1.1');
    expect(lines).toContain('Host: upload.test:443');
    expect(lines).toContain(`Proxy-Authorization: ${authorization}`);
    expect(lines.join()).not.toMatch(/\bAuthorization: Basic.*\bAuthorization: Basic/);
    expect(service.peer.header('Host')).toBe('upload.test');
    expect(service.peer.header('Proxy-Authorization')).toBeUndefined();
    expect(service.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test.each([
    ['127.0.0.1', PLAIN_URL, false],
    ['127.0.0.1', SECURE_URL, false],
    ['localhost', SECURE_URL, 'localhost'],
  ])(
    'names an https proxy at %s, trusts its private CA, and sends it no client certificate (%s)',
    async (host, url, servername) => {
      const service = await openOkServer(url === SECURE_URL ? server : undefined);
      const asking = { ...makeCertificate(host), requestCert: true, rejectUnauthorized: false };
      const { proxy, lines, sockets } = await openProxy(service.port, asking);
      proxy.url.hostname = host;
      const tls = { ...client, ca: `${server.cert}${asking.cert}` };
      expect(expectResponse(await exchangeWith(url, { tls, proxy })).status).toBe(200);
      expect(lines[0]).toBe(`CONNECT upload.test:${url === SECURE_URL ? 443 : 80} HTTP/1.1`);
      const [socket] = sockets;
      expect(
        socket instanceof TLSSocket && [socket.getPeerCertificate(), socket.servername],
      ).toEqual([{}, servername]);
    },
  );

  test('has the address of a service in brackets', async () => {
    const { proxy, lines } = await openProxy((await openOkServer()).port);
    await exchangeWith(new URL('http://[2001:db8::1]:8080/'), { proxy });
    expect(lines.slice(0, 2)).toEqual([
      'CONNECT [2001:db8::1]:8080 HTTP/1.1',
      'Host: [2001:db8::1]:8080',
    ]);
  });

  test.each([200, 299])('is open after a response with %i', async (status) => {
    const service = await openServer(async (opened) => {
      await opened.readHead();
      opened.send(
        `HTTP/1.1 ${status} x\r\n\r\nHTTP/1.1 299 Of the service\r\nContent-Length: 0\r\n\r\n`,
      );
    });
    const end = await exchangeWith(PLAIN_URL, { proxy: makeProxy(service.port) });
    expect(expectResponse(end).status).toBe(299);
    expect(service.peer.head[0]).toMatch(/^CONNECT /);
  });
});

describe('a proxy that opens no tunnel', () => {
  test.each([302, 407, 502])('is reported with its status (%i)', async (status) => {
    const { failure, peer } = await failAt(async (opened) => {
      await opened.readHead();
      opened.send(
        `HTTP/1.1 ${status} x\r\nProxy-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno`,
      );
    });
    const error = { isProxys: true, proxyResponse: { status }, code: undefined };
    expect(failure).toMatchObject({ kind: 'connection', error });
    await peer.closed;
    expect(peer.received.toString()).not.toContain('POST');
  });

  test.each([
    ['with a length', 'Content-Length: 6\r\n\r\nno waymore', 'no way'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nno \r\n3\r\nway\r\n0\r\n\r\n', 'no way'],
    ['without a body', 'Content-Length: 0\r\n\r\n', ''],
    ['that is endless', `X: 1\r\n\r\n${'no way '.repeat(20_000)}`, 'no way no way no way'],
    ['that is truncated', 'Content-Length: 99\r\n\r\nno way at a', 'no way at'],
    ['in chunks that are not', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nno way', ''],
  ])('is reported with what it says: %s', async (_, rest, text) => {
    const { failure, response, peer } = await failAt(async (opened) => {
      await opened.readHead();
      opened.send(`HTTP/1.1 403 x\r\nServer: a proxy\r\n${rest}`);
    });
    expect(failure).toMatchObject({ error: { isProxys: true } });
    expect(response).toMatchObject({ status: 403, headers: { server: 'a proxy' } });
    const said = response?.says.join() ?? '';
    expect([said.slice(0, 20), said.length > 20]).toEqual([text, text.length === 20]);
    expect(said.length).toBeLessThanOrEqual(1000);
    await peer.closed;
  });

  test('is reported with what it says until the end of the connection', async () => {
    const { response } = await failAt(async (opened) => {
      await opened.readHead();
      opened.send('HTTP/1.0 503 x\r\nServer: a proxy\r\n\r\n');
      setTimeout(() => opened.socket.end('no way'), 50);
    });
    expect(response).toMatchObject({ headers: { server: 'a proxy' }, says: ['no way'] });
  });

  test('ends with the upload while its response is being read', async () => {
    const controller = new AbortController();
    const script: Script = async (opened) => {
      await opened.readHead();
      opened.send('HTTP/1.1 403 x\r\nContent-Length: 99\r\n\r\nno');
      await wait(50);
      controller.abort();
    };
    // So that the limit of the response cannot end it.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const { failure, peer } = await failAt(script, { signal: controller.signal });
      expect(failure).toEqual({ kind: 'unexpected', text: 'This operation was aborted' });
      await peer.closed;
    } finally {
      jest.useRealTimers();
    }
  });

  test.each<[string, Script, string | RegExp]>([
    ['sends endless headers', flood, 'HPE_HEADER_OVERFLOW'],
    ['does not speak HTTP', (peer) => peer.send('SSH-2.0-x\r\n'), /^HPE_/],
    ['closes the connection', (peer) => peer.end(), 'ECONNRESET'],
  ])('is reported with the error if it %s', async (_, script, code) => {
    const { failure, peer } = await failAt(script);
    const error = { isProxys: true, proxyResponse: undefined, code: expect.stringMatching(code) };
    expect(failure).toMatchObject({ kind: 'connection', error });
    await peer.closed;
  });
});

test.each([
  ['127.0.0.1', true],
  ['[::1]', true],
  ['localhost', false],
])('isAddress returns for %s: %s', (host, expected) => {
  expect(isAddress(new URL(`http://${host}/`))).toBe(expected);
});

test('an upload ends the connection to a silent proxy at the limit of connecting', async () => {
  const { port, peers } = await openServer((peer) => peer.readHead());
  const setting = { proxy: makeProxy(port), limits: { stallMs: 200, connectMs: 1 } };
  const end = await exchangeWith(SECURE_URL, setting);
  expect(end).toMatchObject({ state: 'tunnelling', failure: { kind: 'limit', limitMs: 200 } });
  await peers[0]?.closed;
  expect(peers).toHaveLength(1);
});

function flood(peer: Peer): void {
  peer.send('HTTP/1.1 200 OK\r\n');
  const more = (): void => {
    while (!peer.socket.destroyed && peer.socket.write(`X-Pad: ${'x'.repeat(1000)}\r\n`));
  };
  peer.socket.on('drain', more);
  more();
}

const readConnect: Script = (peer) => peer.readHead();
const openTunnel: Script = async (peer) => {
  await peer.readHead();
  const connectBytes = peer.size;
  peer.send(OPEN);
  await peer.readBytes(connectBytes + 1);
};

describe('an upload through a proxy that is cancelled', () => {
  test.each<[string, URL, boolean, Script]>([
    ['before the response to CONNECT', SECURE_URL, false, readConnect],
    ['before the response to CONNECT over TLS', SECURE_URL, true, readConnect],
    ['during TLS with the proxy', SECURE_URL, true, (peer) => peer.readBytes(1)],
    ['during TLS with the service', SECURE_URL, false, openTunnel],
    ['during TLS with the service, over TLS', SECURE_URL, true, openTunnel],
    ['while it is sent', PLAIN_URL, false, openTunnel],
    ['while it is sent over TLS', PLAIN_URL, true, openTunnel],
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
