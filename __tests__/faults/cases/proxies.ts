import { HOST } from '../../support/certificates.ts';
import { startProxy } from '../../support/proxy.ts';
import { ACCEPTED, INVALID, NOT_SENT } from '../harness/case-scripts.ts';
import { hostileHeaders } from '../harness/hostile.ts';
import { STALL } from '../harness/limits.ts';
import type { Scene } from '../harness/scene.ts';
import type { CaseScript, FaultCase } from '../harness/types.ts';

type Values = Readonly<Record<string, string>>;

/** The variable of a proxy that the case has opened, with credentials. */
function nameProxy(scene: Scene, scheme = 'http', host = '127.0.0.1'): Values {
  const password = encodeURIComponent(scene.secrets.proxyPassword.value);
  const address = `${host}:${scene.otherPort}`;
  return { [scene.proxyVariable]: `${scheme}://proxy-user:${password}@${address}` };
}

/** A proxy that does as `script` says, and a service that only a proxy can reach. */
function throughProxy(name: string, script: CaseScript, rest: Partial<FaultCase> = {}): FaultCase {
  return {
    name: `the proxy ${name}`,
    secrets: { proxy: true },
    prepare: async (scene) => {
      const proxy = await scene.listen(async (peer, turn) => {
        await peer.readHead();
        await script(peer, scene, turn);
      });
      scene.otherPort = proxy.port;
    },
    env: (scene) => nameProxy(scene),
    expected: { ...NOT_SENT, reason: 'proxy', connections: 0 },
    ...rest,
    inputs: (scene) => ({
      'base-url': `${scene.isSecure ? 'https' : 'http'}://${HOST}`,
      'allow-http': 'true',
      ...rest.inputs?.(scene),
    }),
  };
}

/** What a proxy may do with a CONNECT. */
const FAULTS: readonly FaultCase[] = [
  throughProxy('swallows CONNECT', () => {}, { transports: ['https'], inputs: () => STALL }),
  ...[407, 502].map((status) =>
    throughProxy(`responds with ${status} and repeats its password`, (peer, { secrets }) => {
      const reason = `No ${secrets.proxyPassword.value}`;
      const body = `${reason}\n##[error]PWNED`;
      peer.replyAsStranger(status, { reason, headers: hostileHeaders(secrets), body });
    }),
  ),
  throughProxy('resets the connection', (peer) => peer.reset()),
  throughProxy(
    'opens a tunnel that ends before TLS',
    (peer) => void peer.socket.end('HTTP/1.1 200 Connection established\r\n\r\n'),
    { transports: ['https'] },
  ),
];

/** How a proxy may be named. */
const SETTINGS: readonly FaultCase[] = [
  {
    name: 'a proxy with credentials, in a variable in capitals',
    transports: ['http-proxy', 'https-proxy'],
    env: (scene) => ({
      [scene.proxyVariable]: '',
      [scene.proxyVariable.toUpperCase()]: scene.proxyUrl,
    }),
    expected: ACCEPTED,
    check: ({ proxy, secrets }) => {
      const expected = `Basic ${btoa(`proxy-user:${secrets.proxyPassword.value}`)}`;
      return proxy?.credentials.join() === expected ? [] : ['wrong credentials'];
    },
  },
  {
    name: 'a proxy as host:port without a scheme',
    transports: ['https-proxy'],
    env: (scene) => ({ [scene.proxyVariable]: `127.0.0.1:${scene.proxy?.port ?? 0}` }),
    expected: ACCEPTED,
  },
  ...['::error::PWNED ##[error]PWNED', 'socks5://127.0.0.1:1080'].map((value): FaultCase => ({
    name: `${value} as a proxy`,
    transports: ['https-proxy'],
    env: (scene) => ({ [scene.proxyVariable]: value }),
    expected: INVALID,
  })),
  {
    name: 'a host of no_proxy',
    transports: ['http-proxy'],
    // The only address of this machine that is not a loopback address.
    posixOnly: true,
    inputs: (scene) => ({ 'base-url': scene.baseUrl.replace(HOST, '0.0.0.0') }),
    env: () => ({ no_proxy: '0.0.0.0' }),
    expected: { ...ACCEPTED, connections: 1 },
    check: ({ proxy }) => (proxy?.targets.length === 0 ? [] : ['the proxy was asked']),
  },
  {
    name: 'loopback, which no proxy is asked for',
    env: () => ({ http_proxy: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' }),
    expected: { ...ACCEPTED, connections: 1 },
  },
];

/** An https proxy must have a certificate for its own host; else it gets neither target nor credentials. */
const CERTIFICATES = (
  [
    ['for its name', 'localhost', 'byName', true],
    ['for its address', '127.0.0.1', 'byAddress', true],
    ["for the service's name", 'localhost', 'serviceOnly', false],
    ['for its name, not its address', '127.0.0.1', 'byName', false],
  ] as const
).map(([which, host, certificate, isTrusted]): FaultCase => {
  let targets: readonly string[] = [];
  return {
    name: `an https proxy with a certificate ${which}`,
    secrets: { proxy: true },
    prepare: async (scene) => {
      const { authority, server, scope } = scene;
      const proxy = await startProxy(server.port, authority[certificate], scope);
      scene.otherPort = proxy.port;
      ({ targets } = proxy);
    },
    inputs: (scene) => ({
      'base-url': `${scene.isSecure ? 'https' : 'http'}://${HOST}:${scene.server.port}`,
      'allow-http': 'true',
      'ca-cert': scene.authority.ca,
      retries: '2',
    }),
    env: (scene) => nameProxy(scene, 'https', host),
    expected: isTrusted ? ACCEPTED : { ...NOT_SENT, reason: 'certificate' },
    check: () =>
      targets.length === (isTrusted ? 1 : 0) ? [] : [`the proxy was asked: ${targets.join()}`],
  };
});

export const PROXIES: readonly FaultCase[] = [...FAULTS, ...SETTINGS, ...CERTIFICATES];
