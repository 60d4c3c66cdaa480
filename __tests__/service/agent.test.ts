import type { Agent } from 'node:http';
import {
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import type { Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createAgent } from '../../src/service/agent.ts';
import { makeCertificate } from '../support/certificates.ts';
import type { Certificate } from '../support/certificates.ts';
import { exchangeWith, expectFailure, expectResponse } from '../support/exchanges.ts';
import { makeProxy } from '../support/proxy.ts';
import { openServer } from '../support/raw-server.ts';
import type { RawServer } from '../support/raw-server.ts';

let server: Certificate;
let client: Certificate;

beforeAll(async () => {
  [server, client] = [await makeCertificate('upload.test'), await makeCertificate()];
});

async function openOkServer(
  tls?: TlsOptions,
  onConnection: (socket: Socket) => void = () => {},
): Promise<RawServer> {
  return openServer(async (peer) => {
    onConnection(peer.socket);
    await peer.readRequest();
    peer.reply(200);
  }, tls);
}

function makeUrl(scheme: 'http' | 'https'): URL {
  return new URL(`${scheme}://upload.test/v1/scanner/upload-file`);
}

/** The options of an agent, which Node's types do not show. */
function readOptions(agent: Agent): unknown {
  return Reflect.get(agent, 'options');
}

function isTls(socket: Socket): socket is TLSSocket {
  return 'isSessionReused' in socket;
}

const SECURE = { secureContext: expect.any(Object) };

describe('createAgent', () => {
  test.each([
    ['http', undefined],
    ['https', undefined],
    ['http', makeProxy(3128)],
    ['https', makeProxy(3128)],
  ] as const)('keeps no connection, parses certificates once: %s %j', (scheme, proxy) => {
    const tls = { ca: server.cert, ...client };
    const options = readOptions(createAgent(makeUrl(scheme), tls, proxy));
    expect(options).toMatchObject({ keepAlive: false, ...(scheme === 'https' && SECURE) });
    const absent = ['ca', 'cert', 'key', ...(scheme === 'http' ? ['secureContext'] : [])];
    for (const name of absent) expect(options).not.toHaveProperty(name);
  });
});

describe('createAgent over TLS', () => {
  test('sends nothing to a service whose private CA is not given as ca', async () => {
    const service = await openOkServer(server);
    for (const tls of [{}, { ca: client.cert }]) {
      const end = await exchangeWith(service.url, { tls });
      const code = 'DEPTH_ZERO_SELF_SIGNED_CERT';
      const error = { code, text: `self-signed certificate, issued by 'upload.test' (${code})` };
      expect(end.state).toBe('connecting');
      expect(expectFailure(end)).toMatchObject({ kind: 'connection', error });
    }
    expect(service.peers.every((peer) => peer.size === 0)).toBe(true);
  });

  test('resumes its own TLS sessions, but not those of another agent', async () => {
    const resumed: boolean[] = [];
    const service = await openOkServer(server, (socket) => {
      if (isTls(socket)) resumed.push(socket.isSessionReused());
    });
    const agent = createAgent(service.url, { ca: server.cert });
    for (let turn = 0; turn < 2; turn += 1) {
      expect(expectResponse(await exchangeWith(service.url, { agent })).status).toBe(200);
    }
    expect(resumed).toEqual([false, true]);
    const other = await exchangeWith(service.url, { tls: { ca: client.cert } });
    expect(expectFailure(other)).toHaveProperty('error.code', expect.stringMatching(/_CERT$/));
  });

  test('waits at least 2 s for a connection to each address of a host', async () => {
    setDefaultAutoSelectFamilyAttemptTimeout(250);
    createAgent(new URL('http://scan.example'), {});
    expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBeGreaterThanOrEqual(2000);
  });

  const NO_TLS = { kind: 'connection', error: { text: expect.stringContaining('wrong version') } };
  test.each([
    ['does not speak TLS', 'HTTP/1.1 400 No\r\n\r\n', {}, NO_TLS],
    ['never responds', '', { connectMs: 150 }, { kind: 'limit', limitMs: 150 }],
    ['never responds, within a lower stall limit', '', { stallMs: 150 }, { limitMs: 150 }],
  ])('fails to connect to a server that %s', async (_, text, limits, failure) => {
    const service = await openServer((peer) => peer.send(text));
    const url = new URL(service.url.href.replace('http:', 'https:'));
    const end = await exchangeWith(url, { limits });
    expect(end).toMatchObject({ state: 'connecting', failure });
  });
});
