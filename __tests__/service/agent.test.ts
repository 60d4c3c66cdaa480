import {
  connect,
  createServer,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, rootCertificates } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TlsMaterial } from '../../src/inputs/tls.ts';
import { chooseTrust, createAgent } from '../../src/service/agent.ts';
import { diagnose } from '../../src/service/connection-error.ts';
import type { Diagnosis } from '../../src/service/connection-error.ts';
import type { ExchangeEnd } from '../../src/service/exchange-types.ts';
import { StalledError } from '../../src/service/phase-timer.ts';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { exchangeWith, expectAnswer, expectFailure, listPhases } from './exchange-fixtures.ts';
import { joinSegments, makeBody, makeBytes, setEnvironment } from './fixtures.ts';
import { findClosedPort, listen, openServer } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';

let server: Certificate;
let client: Certificate;

beforeAll(async () => {
  [server, client] = await Promise.all([makeCertificate(), makeCertificate()]);
});

async function openOkServer(tls?: TlsOptions): Promise<RawServer> {
  return openServer(async (peer) => {
    await peer.readRequest();
    peer.reply(200);
  }, tls);
}

function diagnoseEnd(end: ExchangeEnd): Diagnosis {
  const { error, phase } = expectFailure(end);
  return diagnose(error, phase);
}

/** A proxy that opens tunnels to `port`, whatever it is asked for; `lines` is what it was asked. */
async function openProxy(
  port: number,
  tls?: TlsOptions,
): Promise<{ readonly lines: string[]; readonly port: number }> {
  const lines: string[] = [];
  const serve = (socket: Socket): void => {
    socket.once('data', (head: Buffer) => {
      lines.push(...head.toString('latin1').split('\r\n'));
      const upstream = connect(port, '127.0.0.1');
      for (const end of [upstream, socket]) end.on('error', () => {});
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
      socket.once('close', () => upstream.destroy());
    });
  };
  return {
    lines,
    port: await listen(tls === undefined ? createServer(serve) : createTlsServer(tls, serve)),
  };
}

function makeUrl(scheme: 'http' | 'https'): URL {
  return new URL(`${scheme}://upload.test/v1/scanner/upload-file`);
}

/** The options of an agent of this material that has not failed yet. */
async function listOptions(tls: TlsMaterial): Promise<unknown> {
  const agent = await createAgent(new URL('https://scan.example'), tls, 'given');
  return Reflect.get(agent, 'options');
}

describe('chooseTrust', () => {
  const url = new URL('https://scan.example');

  test('begins with the authorities that are given', () => {
    expect(chooseTrust(url, {})).toBe('given');
    expect(chooseTrust(url, { ca: server.cert })).toBe('given');
  });

  test('begins with all where a client certificate may need them for its chain', () => {
    expect(chooseTrust(url, client)).toBe('all');
    expect(chooseTrust(url, { ca: server.cert, ...client })).toBe('all');
  });

  test('begins with all where a proxy may need them', () => {
    setEnvironment({ https_proxy: 'http://127.0.0.1:3128' });
    expect(chooseTrust(url, {})).toBe('all');
    expect(chooseTrust(new URL('https://127.0.0.1'), {})).toBe('given');
  });
});

describe('createAgent over TLS', () => {
  test('trusts a private authority that it was given', async () => {
    const service = await openOkServer(server);
    const content = makeBytes(300_000);
    const body = await makeBody(content);
    const end = await exchangeWith(service.url, { body, tls: { ca: server.cert } });
    expect(expectAnswer(end)).toMatchObject({ status: 200, complete: true, afterBody: true });
    expect(listPhases(end)).toEqual(['connect', 'send', 'head', 'body']);
    expect(service.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test.each([
    ['without it', {}],
    ['with another one', { other: true }],
  ])('sends nothing to a private authority %s', async (_, { other }: { other?: boolean }) => {
    const service = await openOkServer(server);
    const end = await exchangeWith(service.url, { tls: other ? { ca: client.cert } : {} });
    expect(expectFailure(end).phase).toBe('connect');
    expect(diagnoseEnd(end)).toMatchObject({ fault: 'certificate' });
    expect(diagnoseEnd(end).text).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT/);
    expect(service.peers.every((peer) => peer.size === 0)).toBe(true);
  });

  test('sends nothing to a certificate for another host', async () => {
    const other = await makeCertificate('DNS:other.test');
    const service = await openOkServer(other);
    const end = await exchangeWith(service.url, { tls: { ca: other.cert } });
    expect(diagnoseEnd(end).fault).toBe('certificate');
    expect(service.peers.every((peer) => peer.size === 0)).toBe(true);
  });

  test('keeps the public authorities beside a private one', async () => {
    const agent = await createAgent(new URL('https://scan.example'), { ca: server.cert }, 'all');
    const ca: unknown = expect.arrayContaining([server.cert, ...rootCertificates]);
    expect(Reflect.get(agent, 'options')).toHaveProperty('ca', ca);
  });

  test('loads no other authorities than it needs, but for a proxy', async () => {
    expect(await listOptions({})).toHaveProperty('ca', undefined);
    expect(await listOptions({ ca: server.cert })).toHaveProperty('ca', server.cert);
    setEnvironment({ https_proxy: 'http://127.0.0.1:3128' });
    const all: unknown = expect.arrayContaining([server.cert, ...rootCertificates]);
    expect(await listOptions({ ca: server.cert })).toHaveProperty('ca', all);
  });

  test('opens a connection for its one request, and says so', async () => {
    const service = await openOkServer(server);
    await exchangeWith(service.url, { tls: { ca: server.cert } });
    expect(service.peer.header('Connection')).toBe('close');
  });

  test('leaves each of several addresses of a host seconds to answer', async () => {
    setDefaultAutoSelectFamilyAttemptTimeout(250);
    await createAgent(new URL('http://scan.example'), {}, 'given');
    expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBeGreaterThanOrEqual(2000);
  });

  test('shows the client certificate that it was given', async () => {
    const service = await openOkServer({ ...server, ca: client.cert, requestCert: true });
    const end = await exchangeWith(service.url, { tls: { ca: server.cert, ...client } });
    expect(expectAnswer(end).status).toBe(200);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'gets nothing through without the client certificate that a service asks for (%s)',
    async (maxVersion) => {
      const tls = { ...server, ca: client.cert, requestCert: true, maxVersion };
      const service = await openOkServer(tls);
      const without = await exchangeWith(service.url, { tls: { ca: server.cert } });
      expect(without.outcome.kind).toBe('failure');
      const withAnother = await exchangeWith(service.url, { tls: { ca: server.cert, ...server } });
      expect(withAnother.outcome.kind).toBe('failure');
      expect(service.peers).toHaveLength(0);
    },
  );

  test('knows a server that does not speak TLS', async () => {
    const service = await openServer((peer) => {
      peer.send('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    });
    const url = new URL(service.url.href.replace('http:', 'https:'));
    const end = await exchangeWith(url);
    expect(expectFailure(end).phase).toBe('connect');
    expect(diagnoseEnd(end).fault).toBe('tls');
  });

  test('gives up on a handshake that is never answered', async () => {
    const service = await openServer(() => {});
    const url = new URL(service.url.href.replace('http:', 'https:'));
    const end = await exchangeWith(url, { limits: { stallMs: 150 } });
    expect(expectFailure(end).error).toBeInstanceOf(StalledError);
    expect(expectFailure(end).phase).toBe('connect');
  });
});

describe('createAgent through a proxy', () => {
  beforeEach(() => {
    const names = ['http_proxy', 'https_proxy', 'no_proxy'];
    for (const name of names)
      setEnvironment({ [name]: undefined, [name.toUpperCase()]: undefined });
  });

  test('trusts a private authority, and shows a client certificate, inside the tunnel', async () => {
    const service = await openOkServer({ ...server, ca: client.cert, requestCert: true });
    const proxy = await openProxy(service.port);
    setEnvironment({ https_proxy: `http://user:pa%20ss@127.0.0.1:${proxy.port}` });
    const content = makeBytes(300_000);
    const body = await makeBody(content);
    const tls = { ca: server.cert, ...client };
    const end = await exchangeWith(makeUrl('https'), { body, tls });
    expect(expectAnswer(end)).toMatchObject({ status: 200, complete: true, afterBody: true });
    expect(proxy.lines[0]).toBe('CONNECT upload.test:443 HTTP/1.1');
    const credential = Buffer.from('user:pa ss').toString('base64');
    expect(proxy.lines).toContain(`Proxy-Authorization: Basic ${credential}`);
    expect(service.peer.header('Host')).toBe('upload.test');
    expect(service.peer.header('Proxy-Authorization')).toBeUndefined();
    expect(service.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test('does not trust a private authority inside the tunnel unasked', async () => {
    const service = await openOkServer(server);
    const proxy = await openProxy(service.port);
    setEnvironment({ https_proxy: `http://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('https'));
    expect(diagnoseEnd(end).fault).toBe('certificate');
    expect(service.peers.every((peer) => peer.size === 0)).toBe(true);
  });

  test('trusts a private authority of an https proxy too', async () => {
    const service = await openOkServer(server);
    const proxy = await openProxy(service.port, server);
    setEnvironment({ https_proxy: `https://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('https'), { tls: { ca: server.cert } });
    expect(expectAnswer(end).status).toBe(200);
    expect(proxy.lines[0]).toBe('CONNECT upload.test:443 HTTP/1.1');
  });

  test('carries plain http too', async () => {
    const service = await openOkServer();
    const proxy = await openProxy(service.port);
    setEnvironment({ http_proxy: `http://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('http'));
    expect(expectAnswer(end).status).toBe(200);
    expect(proxy.lines[0]).toBe('CONNECT upload.test:80 HTTP/1.1');
    expect(listPhases(end)).toEqual(['connect', 'send', 'head', 'body']);
  });

  test('carries plain http through an https proxy with a certificate from a private authority', async () => {
    const service = await openOkServer();
    const proxy = await openProxy(service.port, server);
    setEnvironment({ http_proxy: `https://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('http'), { tls: { ca: server.cert } });
    expect(expectAnswer(end).status).toBe(200);
    expect(proxy.lines[0]).toBe('CONNECT upload.test:80 HTTP/1.1');
  });

  test.each([
    ['direct', {}],
    ['through a proxy', { http_proxy: 'http://127.0.0.1:3128' }],
  ])('gets no client certificate for plain http, %s', async (_, variables) => {
    setEnvironment(variables);
    const tls = { ca: server.cert, ...client };
    const agent = await createAgent(new URL('http://scan.example'), tls, 'given');
    expect(Reflect.get(agent, 'options')).not.toHaveProperty('key');
    expect(Reflect.get(agent, 'proxyOptions') ?? {}).not.toHaveProperty('key');
  });

  test('is passed by for hosts that no_proxy names', async () => {
    const service = await openOkServer();
    const proxy = await openProxy(service.port);
    setEnvironment({ http_proxy: `http://127.0.0.1:${proxy.port}`, no_proxy: '127.0.0.1' });
    expect(expectAnswer(await exchangeWith(service.url)).status).toBe(200);
    expect(proxy.lines).toEqual([]);
  });

  test.each([
    [407, 'proxy-refused'],
    [403, 'proxy-refused'],
    [502, 'proxy'],
  ] as const)('knows a proxy that answers %i', async (status, fault) => {
    const proxy = await openServer(async (peer) => {
      await peer.readHead();
      peer.reply(status);
    });
    setEnvironment({ https_proxy: `http://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('https'));
    expect(expectFailure(end).phase).toBe('connect');
    expect(diagnoseEnd(end)).toMatchObject({
      fault,
      text: expect.stringContaining(`statusCode=${status}`),
    });
  });

  test('knows a proxy that refuses connections', async () => {
    setEnvironment({ https_proxy: `http://127.0.0.1:${await findClosedPort()}` });
    const end = await exchangeWith(makeUrl('https'));
    expect(diagnoseEnd(end).fault).toBe('proxy');
  });

  test('knows a proxy that hangs up', async () => {
    const proxy = await openServer(async (peer) => {
      await peer.readHead();
      peer.end();
    });
    setEnvironment({ https_proxy: `http://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('https'));
    expect(diagnoseEnd(end).fault).toBe('proxy');
  });

  test('gives up on a proxy that never answers', async () => {
    const proxy = await openServer(() => {});
    setEnvironment({ https_proxy: `http://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('https'), { limits: { stallMs: 150 } });
    expect(expectFailure(end).error).toBeInstanceOf(StalledError);
    expect(expectFailure(end).phase).toBe('connect');
  });

  test('gives up on a proxy that never answers when told to stop', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const proxy = await openServer(async (peer) => {
      await peer.readHead();
      controller.abort(reason);
    });
    setEnvironment({ https_proxy: `http://127.0.0.1:${proxy.port}` });
    const end = await exchangeWith(makeUrl('https'), { signal: controller.signal });
    expect(expectFailure(end)).toMatchObject({ phase: 'connect', error: reason });
  });
});
