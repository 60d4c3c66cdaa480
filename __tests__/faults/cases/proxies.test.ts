import { HOST } from '../../support/certificates.ts';
import { startProxy } from '../../support/proxy.ts';
import { ACCEPTED, AUTHORITY, INVALID, NOT_SENT } from '../harness/case.ts';
import type { CaseScript, FaultCase } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileHeaders } from '../harness/secrets.ts';

/** A proxy that does as `script` says, and a service that only a proxy can reach. */
function throughProxy(name: string, script: CaseScript, rest: Partial<FaultCase> = {}): FaultCase {
  return {
    name: `the proxy ${name}`,
    secrets: 'proxy',
    other: script,
    env: (scene) => ({ [scene.proxyVariable]: scene.writeProxy(scene.otherPort) }),
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
runCases([
  ...[407, 502].map((status) =>
    throughProxy(
      `responds with ${status} and repeats its password`,
      (peer, { secrets }) => {
        const reason = `No ${secrets.proxyPassword.value}`;
        const body = `${reason}\n##[error]PWNED`;
        peer.replyAsStranger(status, { reason, headers: hostileHeaders(secrets), body });
      },
      { transports: [status === 407 ? 'http' : 'https'] },
    ),
  ),
  throughProxy('resets the connection', (peer) => peer.reset(), { transports: ['https'] }),
  throughProxy(
    'opens a tunnel that ends before TLS',
    (peer) => void peer.socket.end('HTTP/1.1 200 Connection established\r\n\r\n'),
    { transports: ['https'] },
  ),
]);

/** How a proxy may be named. */
runCases([
  {
    name: 'a proxy with credentials, in a variable in capitals',
    transports: ['https-proxy'],
    env: (scene) => ({
      [scene.proxyVariable]: '',
      [scene.proxyVariable.toUpperCase()]: scene.writeProxy(scene.proxy?.port ?? 0),
    }),
    expected: ACCEPTED,
    check: ({ proxy, secrets }) => {
      const expected = `Basic ${btoa(`proxy-user:${secrets.proxyPassword.value}`)}`;
      return proxy?.requests[0]?.headers['proxy-authorization'] === expected
        ? []
        : ['wrong credentials'];
    },
  },
  {
    name: 'a command as a proxy',
    transports: ['https-proxy'],
    env: (scene) => ({ [scene.proxyVariable]: '::error::PWNED ##[error]PWNED' }),
    expected: INVALID,
  },
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
]);

/** An https proxy must have a certificate for its own host; else it gets neither target nor credentials. */
runCases(
  (
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
      transports: [isTrusted ? 'https' : 'http'],
      secrets: 'proxy',
      prepare: async (scene) => {
        const proxy = await startProxy(scene.server.port, AUTHORITY[certificate], scene.scope);
        scene.otherPort = proxy.port;
        ({ targets } = proxy);
      },
      inputs: (scene) => ({
        'base-url': `${scene.isSecure ? 'https' : 'http'}://${HOST}:${scene.server.port}`,
        'allow-http': 'true',
        'ca-cert': AUTHORITY.ca,
        retries: '2',
      }),
      env: (scene) => ({
        [scene.proxyVariable]: scene.writeProxy(scene.otherPort, `https://${host}`),
      }),
      expected: isTrusted ? ACCEPTED : { ...NOT_SENT, reason: 'certificate' },
      check: () =>
        targets.length === (isTrusted ? 1 : 0) ? [] : [`the proxy was asked: ${targets.join()}`],
    };
  }),
);
