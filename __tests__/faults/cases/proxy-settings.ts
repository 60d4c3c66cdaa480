import { HOST } from '../../support/certificates.ts';
import type { FaultCase } from '../harness/types.ts';

/** A proxy variable as an author might write it. */
function proxied(
  variant: string,
  env: NonNullable<FaultCase['env']>,
  expected: FaultCase['expected'],
): FaultCase {
  return { row: 'proxy', variant, transports: ['http-proxy', 'https-proxy'], env, expected };
}

const BAD_PROXY: FaultCase['expected'] = {
  result: 'not-sent',
  status: '',
  attempts: '0',
  connections: 0,
};
const ACCEPTED: FaultCase['expected'] = { result: 'accepted', status: '200' };

/** The paragraph on proxies: how a proxy may be named. */
export const PROXY_SETTINGS: readonly FaultCase[] = [
  {
    ...proxied(
      'a URL with credentials',
      (scene) => ({ [scene.proxyVariable]: scene.proxyUrl }),
      ACCEPTED,
    ),
    check: ({ proxy, secrets }) => {
      const expected = `Basic ${btoa(`proxy-user:${secrets.proxyPassword.value}`)}`;
      return proxy?.credentials.join() === expected ? [] : ['wrong credentials'];
    },
  },
  proxied(
    'host:port without a scheme',
    (scene) => ({ [scene.proxyVariable]: `127.0.0.1:${scene.proxy?.port ?? 0}` }),
    ACCEPTED,
  ),
  proxied(
    'a variable in capitals',
    (scene) => ({ [scene.proxyVariable]: '', [scene.proxyVariable.toUpperCase()]: scene.proxyUrl }),
    ACCEPTED,
  ),
  ...Object.entries({
    garbage: 'http://[garbage',
    'a command': '::error::PWNED ##[error]PWNED',
    socks5: 'socks5://127.0.0.1:1080',
    ftp: 'ftp://127.0.0.1:21',
    'credentials that cannot be decoded': 'http://me:%zz@127.0.0.1:3128',
  }).map(([variant, value]) =>
    proxied(variant, (scene) => ({ [scene.proxyVariable]: value }), {
      ...BAD_PROXY,
      says: /proxy/,
    }),
  ),
  {
    row: 'proxy',
    variant: 'a host of no_proxy',
    transports: ['http-proxy', 'https-proxy'],
    // The only address of this machine that is not a loopback address.
    posixOnly: true,
    inputs: (scene) => ({
      'base-url': scene.baseUrl.replace(HOST, '0.0.0.0'),
      'allow-http': 'true',
    }),
    env: () => ({ no_proxy: '0.0.0.0' }),
    // Its certificate is for other names.
    expected: { result: ['accepted', 'not-sent'], attempts: '1' },
    check: ({ proxy, server }) => [
      ...(proxy?.targets.length === 0 ? [] : ['the proxy was asked']),
      ...(server.connections() === 1 ? [] : ['the service was not asked directly']),
    ],
  },
  {
    row: 'proxy',
    variant: 'loopback, which no proxy is asked for',
    transports: ['http', 'https'],
    env: () => ({ http_proxy: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' }),
    expected: { ...ACCEPTED, connections: 1 },
  },
];
