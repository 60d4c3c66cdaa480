import { TLSSocket } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Attempt } from '../../src/service/attempt.ts';
import {
  joinSegments,
  makeBody,
  exchangeWith,
  expectFailure,
  expectResponse,
} from '../support/exchanges.ts';
import type { Setting } from '../support/exchanges.ts';
import { makeCertificate, makeProxy, startProxy } from '../support/network.ts';
import type { Certificate } from '../support/network.ts';
import type { Peer, RawServer, Script } from '../support/servers.ts';
import { openServer } from '../support/servers.ts';
import { makeBytes } from '../support/workspace.ts';

const PLAIN_URL = new URL('http://upload.test/v1/scanner/upload-file');
const SECURE_URL = new URL('https://upload.test/v1/scanner/upload-file');

let server: Certificate;
let client: Certificate;

beforeAll(async () => {
  [server, client] = [await makeCertificate('upload.test'), await makeCertificate()];
});

async function openOkServer(tls?: TlsOptions): Promise<RawServer> {
  return openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(200);
  }, tls);
}

/** Responds to CONNECT with these bytes. */
function respond(bytes: string): Script {
  return (peer) => peer.readHead().then(() => peer.send(bytes));
}

function drip(peer: Peer): void {
  peer.send('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => peer.send('X: 1\r\n'), 20);
  peer.socket.once('close', () => clearInterval(timer));
}

/** Opens a tunnel to a service that only listens. */
const openTunnel: Script = async (peer) => {
  await peer.readHead();
  const connectBytes = peer.size;
  peer.send('HTTP/1.1 200 Connection established\r\n\r\n');
  await peer.readBytes(connectBytes + 1);
};

/** How an upload through a proxy that runs `script` failed; the proxy was asked once, and closed. */
async function failAt(script: Script, setting: Setting = {}): Promise<Attempt> {
  const { port, peers } = await openServer(script);
  const end = await exchangeWith(SECURE_URL, { proxy: makeProxy(port), ...setting });
  expect(end).toMatchObject({ state: 'connecting', isSent: false, response: undefined });
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

  test('shows the issuer of a certificate of the service that is not trusted', async () => {
    const { port } = await startProxy((await openOkServer(server)).port);
    const end = await exchangeWith(SECURE_URL, { proxy: makeProxy(port) });
    const text = expect.stringContaining("issued by 'upload.test'");
    expect(expectFailure(end)).toMatchObject({ error: { isOfProxy: false, text } });
  });

  test('has the address of a service in brackets', async () => {
    const { port, requests } = await startProxy((await openOkServer()).port);
    await exchangeWith(new URL('http://[2001:db8::1]:8080/'), { proxy: makeProxy(port) });
    const url = '[2001:db8::1]:8080';
    expect(requests).toMatchObject([{ url, headers: { host: url } }]);
  });

  test('is open after any 2xx, and loses nothing that follows it', async () => {
    const service = await openServer(
      respond('HTTP/1.1 299 x\r\n\r\nHTTP/1.1 299 Of the service\r\nContent-Length: 0\r\n\r\n'),
    );
    const end = await exchangeWith(PLAIN_URL, { proxy: makeProxy(service.port) });
    expect(expectResponse(end).status).toBe(299);
    expect(service.peer.head[0]).toMatch(/^CONNECT /);
  });
});

describe('a proxy that opens no tunnel', () => {
  test.each([
    [407, 'Transfer-Encoding: chunked\r\n\r\n6\r\nno way'],
    [101, '\r\n'],
  ])('is reported with its status %i, without what follows', async (proxyStatus, rest) => {
    const end = await failAt(
      respond(`HTTP/1.1 ${proxyStatus} x\r\nProxy-Authenticate: NTLM\r\n${rest}`),
    );
    const error = { isOfProxy: true, code: undefined, proxyStatus, proxyChallenge: 'NTLM' };
    expect(expectFailure(end)).toMatchObject({ kind: 'connection', error });
  });

  test.each<[string, Script, RegExp]>([
    ['does not speak HTTP', (peer) => peer.send('SSH-2.0-x\r\n'), /^HPE_/],
    ['closes the connection', (peer) => peer.socket.end(), /^ECONNRESET$/],
  ])('is reported with the error if it %s', async (_, script, code) => {
    const error = { isOfProxy: true, proxyStatus: undefined, code: expect.stringMatching(code) };
    expect(expectFailure(await failAt(script))).toMatchObject({ kind: 'connection', error });
  });

  test.each<[string, Script]>([
    ['a proxy drips', drip],
    ['the service behind it is silent', openTunnel],
  ])('ends by the limit of connecting if %s', async (_, script) => {
    const end = await failAt(script, { limits: { connectMs: 200 } });
    expect(end.failure).toEqual({ kind: 'limit', limitMs: 200 });
  });
});

describe('an upload through a proxy that is cancelled', () => {
  test.each<[string, boolean, Script]>([
    ['before the response to CONNECT', false, (peer) => peer.readHead()],
    ['during TLS with the service, over TLS', true, openTunnel],
  ])('closes the connection: %s', async (_, isSecure, script) => {
    const controller = new AbortController();
    const { port, peers } = await openServer(
      async (peer) => {
        await script(peer, 1);
        controller.abort();
      },
      isSecure ? server : undefined,
    );
    const proxy = makeProxy(port, `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`);
    const setting = { tls: { ca: server.cert }, proxy, signal: controller.signal };
    expectFailure(await exchangeWith(SECURE_URL, setting));
    await peers[0]?.closed;
    expect(peers).toHaveLength(1);
  });
});
