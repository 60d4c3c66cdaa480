import type { Agent } from 'node:http';
import {
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createAgent } from '../../src/service/agent.ts';
import { makeCertificate } from '../support/certificates.ts';
import type { Certificate } from '../support/certificates.ts';
import { exchangeWith, expectFailure } from '../support/exchanges.ts';
import { makeProxy } from '../support/proxy.ts';
import { openServer } from '../support/raw-server.ts';

let server: Certificate;
let client: Certificate;

beforeAll(async () => {
  [server, client] = [await makeCertificate('upload.test'), await makeCertificate()];
});

function makeUrl(scheme: 'http' | 'https'): URL {
  return new URL(`${scheme}://upload.test/v1/scanner/upload-file`);
}

/** The options of an agent, which Node's types do not show. */
function readOptions(agent: Agent): unknown {
  return Reflect.get(agent, 'options');
}

const SECURE = { secureContext: expect.any(Object) };

describe('createAgent', () => {
  test.each([
    ['https', undefined],
    ['http', makeProxy(3128)],
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
    const service = await openServer((peer) => peer.reply(200), server);
    for (const tls of [{}, { ca: client.cert }]) {
      const end = await exchangeWith(service.url, { tls });
      const code = 'DEPTH_ZERO_SELF_SIGNED_CERT';
      const error = { code, text: `self-signed certificate, issued by 'upload.test' (${code})` };
      expect(end.state).toBe('connecting');
      expect(expectFailure(end)).toMatchObject({ kind: 'connection', error });
    }
    expect(service.peers.every((peer) => peer.size === 0)).toBe(true);
  });

  test('waits at least 2 s for a connection to each address of a host', async () => {
    setDefaultAutoSelectFamilyAttemptTimeout(250);
    createAgent(new URL('http://scan.example'), {});
    expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBeGreaterThanOrEqual(2000);
  });

  test.each([
    ['the limit of connecting', { connectMs: 150 }],
    ['a lower stall limit', { stallMs: 150 }],
  ])('fails to connect to a server that never responds, by %s', async (_, limits) => {
    const service = await openServer(() => {});
    const url = new URL(service.url.href.replace('http:', 'https:'));
    const end = await exchangeWith(url, { limits });
    const failure = { kind: 'limit', limitMs: 150 };
    expect(end).toMatchObject({ state: 'connecting', failure });
  });
});
