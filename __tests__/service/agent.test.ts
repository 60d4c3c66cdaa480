import {
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { expect, test } from '@jest/globals';
import { createAgent } from '../../src/service/agent.ts';
import { exchangeWith, expectFailure } from '../support/exchanges.ts';
import { makeCertificate, makeProxy } from '../support/network.ts';
import { openServer } from '../support/servers.ts';

test.each([
  ['https', undefined],
  ['http', makeProxy(3128)],
] as const)('an agent keeps no connection, and parses certificates once: %s %j', async (...row) => {
  const [scheme, proxy] = row;
  const { cert, key } = await makeCertificate();
  setDefaultAutoSelectFamilyAttemptTimeout(250);
  const agent = createAgent(new URL(`${scheme}://a.test/`), { ca: cert, cert, key }, proxy);
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(5000);
  // Node's types do not show the options of an agent.
  const options: unknown = Reflect.get(agent, 'options');
  const protocol = { defaultPort: 443, protocol: 'https:', secureContext: expect.any(Object) };
  const secure = scheme === 'https' ? protocol : {};
  expect(options).toEqual({ keepAlive: false, noDelay: true, path: null, ...secure });
});

test('sends nothing to a service whose private CA is not given as ca', async () => {
  const [server, other] = [await makeCertificate('upload.test'), await makeCertificate()];
  const service = await openServer((peer) => peer.reply(200), server);
  for (const tls of [{}, { ca: other.cert }]) {
    const end = await exchangeWith(service.url, { tls });
    const code = 'DEPTH_ZERO_SELF_SIGNED_CERT';
    const error = { code, text: `self-signed certificate, issued by 'upload.test' (${code})` };
    expect(end.state).toBe('connecting');
    expect(expectFailure(end)).toMatchObject({ kind: 'connection', error });
  }
  expect(service.peers.every((peer) => peer.size === 0)).toBe(true);
});
