import { TLSSocket } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import type { IdTokenSource } from '../../src/service/settings.ts';
import { StepError } from '../../src/errors.ts';
import { makeIdTokenFetcher } from '../../src/service/id-token.ts';
import { makeCertificate } from '../support/certificates.ts';
import { makeProxy, startProxy } from '../support/proxy.ts';
import { findClosedPort, openServer } from '../support/raw-server.ts';
import type { RawServer, Script } from '../support/raw-server.ts';
import { KIB } from '../support/samples.ts';

const QUIET = new AbortController().signal;

interface Provider {
  readonly server: RawServer;
  readonly source: IdTokenSource;
}

/** An identity provider on loopback that runs `script` once it has a request's head. */
async function openProvider(script: Script, tls?: TlsOptions): Promise<Provider> {
  const server = await openServer(async (peer, turn) => {
    await peer.readHead();
    await script(peer, turn);
  }, tls);
  const url = new URL('/token?v=a%20b', server.origin);
  return { server, source: { url, token: 'request-token', proxy: undefined } };
}

async function respond(body: string, status = 200): Promise<Provider> {
  return openProvider((peer) => peer.reply(status, { body }));
}

async function fetchFrom(source: IdTokenSource | undefined, ended = QUIET): Promise<unknown> {
  const fetch = makeIdTokenFetcher(source, {}, () => {});
  return fetch('https://scan.example', ended).catch((error: unknown) => error);
}

describe('makeIdTokenFetcher', () => {
  test('asks for a token for the audience each time, and protects it', async () => {
    const { source, server } = await respond('{"count":1,"value":"id.token"}');
    const secrets: string[] = [];
    const fetch = makeIdTokenFetcher(source, {}, (secret) => secrets.push(secret));
    expect(await fetch('a&b c', QUIET)).toBe('id.token');
    expect(await fetch('b', QUIET)).toBe('id.token');
    expect(secrets).toEqual(['id.token', 'id.token']);
    expect(server.peers).toHaveLength(2);
    expect(server.peer.head[0]).toBe('GET /token?v=a%20b&audience=a%26b%20c HTTP/1.1');
    expect(server.peer.header('Authorization')).toBe('Bearer request-token');
    expect(server.peer.header('Accept')).toBe('application/json');
    expect(server.peer.header('User-Agent')).toMatch(/^scan-upload-action\/\d/);
  });

  test('trusts a private CA, and sends no client certificate', async () => {
    const [own, client] = [await makeCertificate(), await makeCertificate()];
    const shown: unknown[] = [];
    const asking = { ...own, requestCert: true, rejectUnauthorized: false };
    const { source } = await openProvider((peer) => {
      if (peer.socket instanceof TLSSocket) shown.push(peer.socket.getPeerCertificate());
      peer.reply(200, { body: '{"value":"id.token"}' });
    }, asking);
    const fetch = makeIdTokenFetcher(source, { ...client, ca: own.cert }, () => {});
    expect(await fetch('scans', QUIET)).toBe('id.token');
    expect(shown).toEqual([{}]);
  });

  test('asks through the proxy of its source', async () => {
    const { source, server } = await respond('{"value":"id.token"}');
    const proxy = await startProxy(server.port);
    const url = new URL('http://idp.example/token?v=1');
    expect(await fetchFrom({ ...source, url, proxy: makeProxy(proxy.port) })).toBe('id.token');
    expect(proxy.targets).toEqual(['idp.example:80']);
    const nobody = makeProxy(await findClosedPort());
    const message = expect.stringMatching(/ECONNREFUSED/);
    expect(await fetchFrom({ ...source, url, proxy: nobody })).toMatchObject({ message });
  });

  test('reports a missing permission without a source', async () => {
    const error = await fetchFrom(undefined);
    expect(error).toBeInstanceOf(StepError);
    const message = expect.stringContaining('ACTIONS_ID_TOKEN_REQUEST_URL');
    const fixes = [expect.stringMatching(/^Give the job the permission `id-token: write`; /)];
    expect(error).toMatchObject({ situation: 'oidc-permission', message, fixes });
  });

  test.each([204, 302, 308, 401, 503])(
    'reports only the status of a response with %i, follows nothing and repeats nothing',
    async (status) => {
      const { source, server } = await openProvider((peer) => {
        const headers = { Location: `${server.origin}/elsewhere` };
        peer.replyAsStranger(status, { headers, body: 'their words' });
      });
      const message = `the identity provider responded with ${status}`;
      expect(await fetchFrom(source)).toMatchObject({ message });
      expect(server.peers).toHaveLength(1);
    },
  );

  test.each(['', 'their words', 'null', '[]', '{"count":1}', '{"value":false}', '{"value":{}}'])(
    'returns no token from %j',
    async (body) => {
      expect(await fetchFrom((await respond(body)).source)).toBe('');
    },
  );

  test.each([
    [64 * KIB, 'id.token'],
    [64 * KIB + 1, { message: expect.stringMatching(/more than 64 KiB/) }],
  ])('reads a response of %i bytes', async (bytes, expected) => {
    const body = '{"value":"id.token"}'.padEnd(bytes);
    expect([await fetchFrom((await respond(body)).source)]).toMatchObject([expected]);
  });

  const ENDLESS = 'HTTP/1.1 200 OK\r\n\r\n{"value":';
  test.each([
    ['before the response', 'http', ''],
    ['in an endless response', 'http', ENDLESS],
    ['at a silent proxy', 'https', ''],
  ])('closes the connection if it is given up %s', async (when, scheme, bytes) => {
    const controller = new AbortController();
    const { source, server } = await openProvider((peer) => {
      peer.send(bytes);
      setImmediate(() => controller.abort(new Error('given up')));
    });
    const proxy = when.includes('proxy') ? makeProxy(server.port) : undefined;
    const url = new URL(source.url.href.replace('http', scheme));
    expect(await fetchFrom({ ...source, url, proxy }, controller.signal)).toBeInstanceOf(Error);
    await server.peer.closed;
  });

  test.each([
    ['a refusal that never ends', 'HTTP/1.1 403 Forbidden\r\n\r\ntheir words', /403/],
    ['an endless response', ENDLESS.padEnd(65 * KIB), /64 KiB/],
    ['a truncated response', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"value"', /aborted/],
  ])('reports %s, and closes the connection', async (name, bytes, pattern) => {
    const { source, server } = await openProvider((peer) => {
      peer.send(bytes);
      if (name.includes('truncated')) peer.end();
    });
    expect(await fetchFrom(source)).toMatchObject({ message: expect.stringMatching(pattern) });
    await server.peer.closed;
  });
});
