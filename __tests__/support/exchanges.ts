import type { Agent } from 'node:http';
import { createAgent } from '../../src/service/agent.ts';
import { cleanAttempt } from '../../src/service/attempt.ts';
import type { Attempt, AttemptFailure, ResponseFacts, State } from '../../src/service/attempt.ts';
import type { Body } from '../../src/service/body.ts';
import { exchange } from '../../src/service/exchange.ts';
import type { Proxy, TlsMaterial } from '../../src/service/settings.ts';
import type { ExchangeLimits } from '../../src/service/states.ts';
import { makeBody } from './bodies.ts';

/** Limits that only tests of limits reach. */
const PATIENT_MS = 20_000;
export const PATIENT: ExchangeLimits = {
  stallMs: PATIENT_MS,
  connectMs: PATIENT_MS,
  headMs: PATIENT_MS,
  continueMs: PATIENT_MS,
};

/** How an exchange of a test differs from a plain one. */
export interface Setting {
  readonly agent?: Agent;
  readonly body?: Body;
  readonly expectContinue?: boolean;
  readonly limits?: Partial<ExchangeLimits>;
  readonly signal?: AbortSignal;
  readonly tls?: TlsMaterial;
  readonly proxy?: Proxy;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onSent?: (bytes: number) => void;
  readonly onState?: (state: State) => void;
}

/** Sends one request to `url`, and returns the record of the exchange with its texts as they came in. */
export async function exchangeWith(url: URL, setting: Setting = {}): Promise<Attempt> {
  const { proxy, signal = new AbortController().signal, onSent, onState } = setting;
  const spec = {
    url,
    agent: setting.agent ?? createAgent(url, setting.tls ?? {}, proxy),
    isProxied: proxy !== undefined,
    headers: setting.headers ?? {},
    body: setting.body ?? (await makeBody()),
    expectContinue: setting.expectContinue ?? false,
  };
  const limits = { ...PATIENT, ...setting.limits };
  const raw = await exchange(spec, limits, signal, onSent, onState);
  return cleanAttempt(raw, url, (text) => text);
}

/** The response of an exchange, with the text of its body; throws if there is none. */
export function expectResponse(end: Attempt): ResponseFacts & { readonly text: string } {
  const { response, texts } = end;
  if (response !== undefined) return { ...response, text: texts.body };
  throw new Error(`No response, but a failure (${end.state}): ${texts.error}`);
}

/** The failure of an exchange without a response; throws if there is a response. */
export function expectFailure({ failure, response }: Attempt): AttemptFailure {
  if (failure !== undefined && response === undefined) return failure;
  throw new Error(`No failure, but a response: ${response?.status}`);
}

/** The states that an exchange went through. */
export function listStates({ states }: Attempt): readonly State[] {
  return states.map(({ state }) => state);
}
