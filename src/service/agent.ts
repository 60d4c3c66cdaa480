import type { Agent } from 'node:http';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { SecureContextOptions } from 'node:tls';
import { HttpClient } from '@actions/http-client';
import type { TlsMaterial } from '../inputs/tls.ts';

/** How long one of several addresses of a host may take; Node's own 250 ms are too few for a slow one. */
const ADDRESS_MS = 5000;

/**
 * A fresh agent for one request: http-client's, which knows the runner's proxy variables. TLS
 * material goes on the agent's own options, since those also hold inside a proxy's tunnel, where a
 * request's `ca` is ignored.
 */
export function createAgent(url: URL, tls: TlsMaterial): Agent {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_MS);
  const agent = new HttpClient(undefined, undefined, { keepAlive: false }).getAgent(url.href);
  const isSecure = url.protocol === 'https:';
  if (!isSecure && !('proxyOptions' in agent)) return agent;
  const ca = listRoots(tls.ca);
  if (isSecure) setOptions(agent, 'options', { ...tls, ca });
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
function listRoots(ca: string | undefined): string[] {
  const roots = [...getCACertificates('default'), ...getCACertificates('system')];
  return [...new Set(ca === undefined ? roots : [...roots, ca])];
}
