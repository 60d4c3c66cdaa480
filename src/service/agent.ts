import { Agent } from 'node:http';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { getProxyUrl } from '@actions/http-client/lib/proxy';
import type { TlsMaterial } from '../inputs/tls.ts';

/** How long one of several addresses of a host may take; Node's own 250 ms are too few for a slow one. */
const ADDRESS_MS = 5000;

/**
 * A connection that nobody uses is closed before services do so on their side (5 s at the least, in
 * Node's own server): a request that crosses with that would be lost.
 */
const KEPT = { keepAlive: true, timeout: 3000 };

/**
 * Which authorities a certificate may come from. `given` are the author's own, or Node's if there are
 * none; `all` are the author's, Node's and the system's, which take 60 ms to load.
 */
export type Trust = 'given' | 'all';

/**
 * What to try first. A proxy may have a certificate of its own, and the chain of a client certificate
 * is completed from the authorities that are known.
 */
export function chooseTrust(url: URL, tls: TlsMaterial): Trust {
  return tls.cert !== undefined || getProxyUrl(url) !== undefined ? 'all' : 'given';
}

/**
 * An agent that keeps connections for further requests, or not. What only https or a proxy needs is
 * loaded for these alone.
 */
export async function createAgent(
  url: URL,
  tls: TlsMaterial,
  trust: Trust,
  keepsConnections = false,
): Promise<Agent> {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_MS);
  if (getProxyUrl(url) !== undefined) return createProxyAgent(url, tls);
  const keeping = keepsConnections ? KEPT : { keepAlive: false };
  if (url.protocol !== 'https:') return new Agent(keeping);
  const { Agent: SecureAgent } = await import('node:https');
  const ca = trust === 'all' ? await listRoots(tls.ca) : tls.ca;
  return new SecureAgent({ ...keeping, ...tls, ca });
}

/**
 * http-client's agent, which knows the runner's proxy variables and makes a tunnel for each request.
 * TLS material goes on the agent's own options, since those also hold inside a proxy's tunnel, where a
 * request's `ca` is ignored.
 */
async function createProxyAgent(url: URL, tls: TlsMaterial): Promise<Agent> {
  const { HttpClient } = await import('@actions/http-client');
  const agent = new HttpClient(undefined, undefined, { keepAlive: false }).getAgent(url.href);
  const ca = await listRoots(tls.ca);
  if (url.protocol === 'https:') setOptions(agent, 'options', { ...tls, ca });
  // An https:// proxy shows a certificate of its own, often from the same private authority.
  setOptions(agent, 'proxyOptions', { ca });
  return agent;
}

/** Agents keep their options in members that Node's types do not show for all of them. */
function setOptions(agent: Agent, member: string, values: SecureContextOptions): void {
  const options: unknown = Reflect.get(agent, member);
  if (typeof options === 'object' && options !== null) Object.assign(options, values);
}

/** Node's default roots (NODE_EXTRA_CA_CERTS included), the system's, and the author's own. */
async function listRoots(ca: string | undefined): Promise<string[]> {
  const { getCACertificates } = await import('node:tls');
  const roots = [...getCACertificates('default'), ...getCACertificates('system')];
  return [...new Set(ca === undefined ? roots : [...roots, ca])];
}
