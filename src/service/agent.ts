import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { tunnelThrough } from './tunnel.ts';
import type { Proxy } from './tunnel.ts';

/** Certificates and key as PEM text; `ca` is trusted in addition to the default CA certificates. */
export interface TlsMaterial {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Whether NODE_EXTRA_CA_CERTS names no file, of which Node only warns. */
  readonly isExtraCaMissing?: boolean;
}

/** How long connecting to one of several addresses of a host may take: Node's 250 ms are too short (nodejs/node#54359). */
const ADDRESS_MS = 5000;

/**
 * Makes the agent of all requests to the host of `url`. Every request gets its own connection, so that no response can
 * belong to another request. All connections share one TLS context, because parsing the CA certificates takes 40 ms.
 * With a proxy, all connections are tunnels through it.
 */
export function createAgent(url: URL, tls: TlsMaterial, proxy?: Proxy): Agent {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_MS);
  const agent =
    url.protocol === 'https:'
      ? new SecureAgent({ keepAlive: false, secureContext: createContext(tls) })
      : new Agent({ keepAlive: false });
  if (proxy === undefined) return agent;
  // Only the service gets the client certificate.
  tunnelThrough(proxy, createAgent(proxy.url, { ca: tls.ca }), agent, url);
  return agent;
}

function createContext(tls: TlsMaterial): SecureContext {
  // Systems list certificates more than once, and NODE_EXTRA_CA_CERTS, which 'default' has too, often names the same.
  const roots = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
  if (tls.ca !== undefined) roots.add(tls.ca);
  return createSecureContext({ ...tls, ca: [...roots] });
}
