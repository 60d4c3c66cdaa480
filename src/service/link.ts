import { Agent } from 'node:http';
import type { TlsMaterial } from '../inputs/tls.ts';
import { chooseTrust, createAgent } from './agent.ts';
import type { Trust } from './agent.ts';

/** What the uploads of a step share of the service: its connections, and what it was seen to need. */
export class Link {
  /** Whether the service may be asked with `Expect: 100-continue`: until an upload has seen that it does not know it. */
  mayExpect = true;
  readonly #url: URL;
  readonly #tls: TlsMaterial;
  #keepsConnections: boolean;
  #trust: Trust;
  #agent: Promise<Agent> | undefined;

  /** A link to the origin of `url` for so many uploads, of which a single one keeps no connection. */
  constructor(url: URL, tls: TlsMaterial, uploads: number) {
    this.#url = url;
    this.#tls = tls;
    this.#keepsConnections = uploads > 1;
    this.#trust = chooseTrust(url, tls);
  }

  /** Which authorities the connections trust so far. */
  get trust(): Trust {
    return this.#trust;
  }

  /** The agent of the connections. */
  async getAgent(): Promise<Agent> {
    this.#agent ??= createAgent(this.#url, this.#tls, this.#trust, this.#keepsConnections);
    return this.#agent;
  }

  /** From now on connections trust all authorities that are known. */
  trustAll(): void {
    if (this.#trust === 'all') return;
    this.#trust = 'all';
    this.#agent = undefined;
  }

  /** From now on each request has a connection of its own. */
  keepNone(): void {
    if (!this.#keepsConnections) return;
    this.#keepsConnections = false;
    this.#agent = undefined;
  }

  /** Lets go of idle connections; a proxy's agent keeps none, and has no such method. */
  async close(): Promise<void> {
    const agent = await this.#agent;
    if (agent instanceof Agent) agent.destroy();
  }
}
