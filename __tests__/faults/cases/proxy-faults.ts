import { HOST } from '../../support/certificates.ts';
import { hostileHeaders } from '../harness/hostile.ts';
import type { Scene } from '../harness/scene.ts';
import type { FaultCase } from '../harness/types.ts';
import { STALL } from './limits.ts';
import { NOT_SENT } from '../harness/serve.ts';

/** F12 and the paragraph on proxies: every way in which a proxy fails. */
export const PROXY_FAULTS: readonly FaultCase[] = [
  {
    row: 'F12',
    variant: 'the proxy swallows CONNECT',
    secrets: { proxy: true },
    prepare: async (scene) => useProxy(scene, (await scene.listen(() => {})).port),
    inputs: (scene) => ({ ...throughProxy(scene), ...STALL }),
    env: proxyEnv,
    expected: {
      ...NOT_SENT,
      says: /The proxy .* opened no connection to .* within 3 s/,
      connections: 0,
    },
  },
  ...[407, 403, 502].map((status): FaultCase => ({
    row: 'proxy',
    variant: `the proxy responds with ${status}`,
    secrets: { proxy: true },
    prepare: async (scene) => {
      const proxy = await scene.listen(async (peer) => {
        await peer.readHead();
        const headers = hostileHeaders(scene.secrets);
        peer.replyAsStranger(status, {
          reason: `No ${scene.secrets.proxyPassword.value}`,
          headers,
          body: `No way ${scene.secrets.proxyPassword.value}\n##[error]PWNED`,
        });
      });
      useProxy(scene, proxy.port);
    },
    inputs: throughProxy,
    env: proxyEnv,
    expected: {
      ...NOT_SENT,
      says: new RegExp(
        `The proxy .* ${status === 502 ? 'could not reach' : 'refused the connection to'} .*: HTTP ${status}.*The proxy says: No way`,
        's',
      ),
      connections: 0,
    },
  })),
  ...(['end', 'reset'] as const).map((how): FaultCase => ({
    row: 'proxy',
    variant: `the proxy drops the connection (${how})`,
    secrets: { proxy: true },
    prepare: async (scene) => {
      const proxy = await scene.listen(async (peer) => {
        await peer.readHead();
        peer[how]();
      });
      useProxy(scene, proxy.port);
    },
    inputs: throughProxy,
    env: proxyEnv,
    expected: { ...NOT_SENT, says: /The proxy .* closed the connection without/, connections: 0 },
  })),
  {
    row: 'proxy',
    variant: 'the tunnel ends before TLS',
    transports: ['https'],
    secrets: { proxy: true },
    prepare: async (scene) => {
      const proxy = await scene.listen(async (peer) => {
        await peer.readHead();
        peer.socket.end('HTTP/1.1 200 Connection established\r\n\r\n');
      });
      useProxy(scene, proxy.port);
    },
    inputs: throughProxy,
    env: proxyEnv,
    expected: { ...NOT_SENT, says: /The tunnel through the proxy .* ended/, connections: 0 },
  },
  {
    row: 'proxy',
    variant: 'the proxy refuses the TCP connection',
    secrets: { proxy: true },
    prepare: (scene) => useProxy(scene, 1),
    inputs: throughProxy,
    env: proxyEnv,
    expected: { ...NOT_SENT, says: /No connection to the proxy/, connections: 0 },
  },
];

const proxyPorts = new WeakMap<Scene, number>();

function useProxy(scene: Scene, port: number): void {
  proxyPorts.set(scene, port);
}

/** An address that only a proxy can reach. */
function throughProxy({ isSecure }: Scene): Readonly<Record<string, string>> {
  return { 'base-url': `${isSecure ? 'https' : 'http'}://${HOST}`, 'allow-http': 'true' };
}

function proxyEnv(scene: Scene): Readonly<Record<string, string>> {
  const password = encodeURIComponent(scene.secrets.proxyPassword.value);
  const value = `http://proxy-user:${password}@127.0.0.1:${proxyPorts.get(scene) ?? 0}`;
  return { [scene.proxyVariable]: value };
}
