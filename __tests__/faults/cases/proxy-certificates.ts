import { HOST } from '../../support/certificates.ts';
import { startProxy } from '../../support/proxy.ts';
import type { Proxy } from '../../support/proxy.ts';
import type { Authority } from '../harness/authority.ts';
import { ACCEPTED, NOT_SENT } from '../harness/serve.ts';
import type { Scene } from '../harness/scene.ts';
import type { FaultCase } from '../harness/types.ts';

const proxies = new WeakMap<Scene, Proxy>();

/** The host of an https proxy in its variable, and its certificate. */
const CASES: readonly (readonly [
  variant: string,
  host: string,
  certificate: 'byName' | 'byAddress' | 'serviceOnly' | 'expired' | 'stranger',
  says?: RegExp,
])[] = [
  ['for its name', 'localhost', 'byName'],
  ['for its address', '127.0.0.1', 'byAddress'],
  ["for the service's name", 'localhost', 'serviceOnly', /for other names: check the host in the/],
  ["for the service's name, not its address", '127.0.0.1', 'serviceOnly', /for other names/],
  ['for its name, not its address', '127.0.0.1', 'byName', /for other names/],
  ['that has expired', 'localhost', 'expired', /Renew the proxy's certificate/],
  ['of a CA that is not trusted', 'localhost', 'stranger', /No certificate in `ca-cert` issued it/],
];

/** An https proxy must have a certificate for its own host. */
export const PROXY_CERTIFICATES: readonly FaultCase[] = CASES.map(
  ([variant, host, certificate, says]): FaultCase => ({
    row: 'proxy',
    variant: `an https proxy has a certificate ${variant}`,
    secrets: { proxy: true },
    prepare: (scene) => openProxy(scene, certificate),
    inputs: (scene) => ({
      'base-url': `${scene.isSecure ? 'https' : 'http'}://${HOST}:${scene.server.port}`,
      'allow-http': 'true',
      'ca-cert': scene.authority.ca,
      retries: '2',
    }),
    env: (scene) => {
      const password = encodeURIComponent(scene.secrets.proxyPassword.value);
      const address = `${host}:${proxies.get(scene)?.port ?? 0}`;
      return { [scene.proxyVariable]: `https://proxy-user:${password}@${address}` };
    },
    expected:
      says === undefined
        ? ACCEPTED
        : {
            ...NOT_SENT,
            says: new RegExp(`certificate of the proxy ${host}.*${says.source}`, 's'),
          },
    check: (scene, { log }) => checkProxy(proxies.get(scene), says === undefined, log),
  }),
);

async function openProxy(scene: Scene, certificate: keyof Authority): Promise<void> {
  const pair = scene.authority[certificate];
  if (typeof pair === 'string') throw new TypeError('A CA is no certificate of a proxy.');
  proxies.set(scene, await startProxy(scene.server.port, pair, scene.scope));
}

/** A proxy that is not trusted must get neither the target nor the credentials. */
function checkProxy(proxy: Proxy | undefined, isTrusted: boolean, log: string): readonly string[] {
  const asked = proxy?.targets.length;
  return asked === (isTrusted ? 1 : 0) ? [] : [`the proxy was asked ${asked} times`, log];
}
