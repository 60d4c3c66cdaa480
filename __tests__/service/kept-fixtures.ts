import type { Agent } from 'node:http';
import type { TlsOptions } from 'node:tls';
import type { TlsMaterial } from '../../src/inputs/tls.ts';
import { createAgent } from '../../src/service/agent.ts';
import { cleanUp } from './fixtures.ts';
import { makeReply } from './raw-server.ts';
import type { Peer, Reply, Script } from './raw-server.ts';

/** A request among several on one connection. */
export interface KeptRequest {
  readonly head: string;
  readonly body: Buffer;
}

/** Reads request after request from a connection. */
export class RequestReader {
  readonly #peer: Peer;
  #position = 0;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  /** The next request's head, without waiting for its body. */
  async readHead(): Promise<string> {
    for (;;) {
      const end = this.#peer.received.indexOf('\r\n\r\n', this.#position);
      if (end >= 0) return this.#peer.received.toString('latin1', this.#position, end);
      await this.#peer.readBytes(this.#peer.size + 1);
    }
  }

  /** The next request, by its Content-Length. */
  async readRequest(): Promise<KeptRequest> {
    const head = await this.readHead();
    const start = this.#position + head.length + 4;
    const end = start + Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    await this.#peer.readBytes(end);
    this.#position = end;
    return { head, body: this.#peer.received.subarray(start, end) };
  }
}

/** An answer after which the connection stays open. */
export function makeKeptReply(status: number, { headers = {}, body = '' }: Reply = {}): Buffer {
  return makeReply(status, { headers: { Connection: 'keep-alive', ...headers }, body });
}

/** Answers every request of a connection alike. */
export async function answerAll(peer: Peer, reply = makeKeptReply(200)): Promise<void> {
  const reader = new RequestReader(peer);
  for (;;) {
    await reader.readRequest();
    peer.send(reply);
  }
}

/** What the first connection does; each that follows takes all it gets. */
export function playFirst(first: Script): Script {
  return (peer, turn) => (turn === 1 ? first(peer, turn) : answerAll(peer));
}

/** An agent that keeps connections; they are closed after the test. */
export async function makeKeepingAgent(url: URL, tls: TlsMaterial = {}): Promise<Agent> {
  const agent = await createAgent(url, tls, 'given', true);
  cleanUp(async () => agent.destroy());
  return agent;
}

/** Over plain http, or over TLS with this certificate. */
export const SCHEMES = ['http', 'https'] as const;
export type Scheme = (typeof SCHEMES)[number];

export function chooseTls(scheme: Scheme, certificate: TlsOptions): TlsOptions | undefined {
  return scheme === 'https' ? certificate : undefined;
}

/** Resolves once the agent has seen that it has so many idle connections. */
export async function waitForIdle(agent: Agent, count: number): Promise<void> {
  const countIdle = (): number => Object.values(agent.freeSockets).flat().length;
  while (countIdle() !== count) await new Promise((resolve) => setTimeout(resolve, 1));
}
