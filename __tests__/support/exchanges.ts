import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Duplex } from 'node:stream';
import type { DuplexOptions } from 'node:stream';
import { createAgent } from '../../src/service/agent.ts';
import type { TlsMaterial } from '../../src/service/agent.ts';
import type { Attempt, AttemptFailure, ServiceResponse, State } from '../../src/service/attempt.ts';
import { exchange } from '../../src/service/exchange.ts';
import type { ExchangeLimits } from '../../src/service/exchange.ts';
import type { RequestSpec } from '../../src/service/request.ts';
import type { Proxy } from '../../src/service/tunnel.ts';
import { makeBody } from './bodies.ts';

/** A limit that only tests of limits reach. */
export const PATIENT_MS = 60_000;
/** The body is sent at once, without `100 Continue`. */
const LIMITS = { stallMs: PATIENT_MS, connectMs: PATIENT_MS, headMs: PATIENT_MS, continueMs: 1 };

/** How an exchange of a test differs from a plain one. */
export interface Setting extends Partial<Omit<RequestSpec, 'url'>> {
  readonly limits?: Partial<ExchangeLimits>;
  readonly signal?: AbortSignal;
  readonly tls?: TlsMaterial;
  readonly proxy?: Proxy;
  readonly onSent?: (bytes: number) => void;
  readonly onState?: (state: State) => void;
}

/** Sends one request to `url`, and returns the record of the exchange. */
export async function exchangeWith(url: URL, setting: Setting = {}): Promise<Attempt> {
  const { limits, signal = new AbortController().signal, tls = {}, proxy, ...given } = setting;
  const { onSent = () => {}, onState = () => {}, ...more } = given;
  const body = more.body ?? (await makeBody());
  const agent = createAgent(url, tls, proxy);
  const spec = { url, agent, headers: {}, expectContinue: false, ...more, body };
  return exchange({ spec, limits: { ...LIMITS, ...limits }, signal, onSent, onState });
}

export type Done = (error?: Error | null) => void;
/** Takes a piece in place of a connection; `isLast` says whether it ends the body. */
export type Take = (connection: Duplex, piece: Buffer, done: Done, isLast: boolean) => void;

/** A connection whose pieces the test takes; what it receives, the test pushes. */
export function makeConnection(take: Take, options: DuplexOptions = {}): Duplex {
  return new Duplex({
    read: () => {},
    write(piece: Buffer, _, done) {
      take(this, piece, done, piece.toString('latin1').endsWith('--\r\n'));
    },
    ...options,
  });
}

/** Makes an exchange over such a connection. */
export async function exchangeOver(
  connection: Duplex,
  { scheme = 'http', ...setting }: Setting & { readonly scheme?: string } = {},
): Promise<Attempt> {
  const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
  agent.createConnection = () => {
    // node:https waits for this event.
    setImmediate(() => connection.emit('secureConnect'));
    return connection;
  };
  return exchangeWith(new URL(`${scheme}://scan.example/`), { agent, ...setting });
}

/** The response of an exchange; throws if there is none. */
export function expectResponse({ response, state, failure }: Attempt): ServiceResponse {
  if (response !== undefined) return response;
  throw new Error(`No response, but a failure (${state}): ${JSON.stringify(failure)}`);
}

/** The failure of an exchange without a response; throws if there is a response. */
export function expectFailure({ failure, response }: Attempt): AttemptFailure {
  if (failure !== undefined && response === undefined) return failure;
  throw new Error(`No failure, but a response: ${response?.status}`);
}
