import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { HttpClient } from '@actions/http-client';
import { getProxyUrl } from '@actions/http-client/lib/proxy';
import type { TlsMaterial } from '../inputs/tls.ts';

/** How long connecting to one of several addresses of a host may take; Node's default of 250 ms is too short. */
const ADDRESS_MS = 5000;

/**
 * The agent of all requests to `url`. Every request gets its own connection, so that no response can
 * belong to another request. All connections share one TLS context, because parsing the CA certificates
 * takes 40 ms.
 */
export function createAgent(url: URL, tls: TlsMaterial): Agent {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_MS);
  const proxy = getProxyUrl(url);
  if (proxy !== undefined) return createProxyAgent(url, proxy, tls);
  if (url.protocol !== 'https:') return new Agent({ keepAlive: false });
  return new SecureAgent({ keepAlive: false, secureContext: createContext(tls) });
}

/**
 * http-client's agent, which knows the runner's proxy variables and makes a tunnel for each request.
 * The context is set on the agent's own options, because they also apply inside the tunnel.
 */
function createProxyAgent(url: URL, proxy: URL, tls: TlsMaterial): Agent {
  const agent = new HttpClient().getAgent(url.href);
  if (url.protocol === 'https:') setContext(agent, 'options', createContext(tls));
  if (proxy.protocol === 'https:') {
    // The proxy has its own certificate, often from the same private CA. It must not get the client certificate.
    const secureContext = createSecureContext({ ca: listRoots(tls.ca) });
    setContext(agent, 'proxyOptions', secureContext);
  }
  return agent;
}

/** Agents keep their options in members that Node's types do not show for all of them. */
function setContext(agent: Agent, member: string, secureContext: SecureContext): void {
  const options: unknown = Reflect.get(agent, member);
  if (typeof options === 'object' && options !== null) Object.assign(options, { secureContext });
}

function createContext(tls: TlsMaterial): SecureContext {
  return createSecureContext({ ...tls, ca: listRoots(tls.ca) });
}

/** Node's default CA certificates (NODE_EXTRA_CA_CERTS included), the system's, and `ca`, as PEM texts. */
export function listRoots(ca: string | undefined): string[] {
  const known = [...getCACertificates('default'), ...getCACertificates('system')];
  // Most of the system's are also among Node's.
  return [...new Set(ca === undefined ? known : [...known, ca])];
}
