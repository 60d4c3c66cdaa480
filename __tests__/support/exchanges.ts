import type { Agent } from 'node:http';
import { createAgent } from '../../src/service/agent.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import type { Body } from '../../src/service/body.ts';
import { exchange } from '../../src/service/exchange.ts';
import type { ExchangeEnd, ExchangeLimits } from '../../src/service/exchange.ts';
import type { Proxy, TlsMaterial } from '../../src/service/settings.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import { makeBody } from './bodies.ts';

/** Limits that only tests of limits reach. */
const PATIENT: ExchangeLimits = { stallMs: 20_000, headMs: 20_000, continueMs: 20_000 };

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
}

/** Sends one request to `url`, and returns how the exchange ended. */
export async function exchangeWith(url: URL, setting: Setting = {}): Promise<ExchangeEnd> {
  const spec = {
    url,
    agent: setting.agent ?? createAgent(url, setting.tls ?? {}, setting.proxy),
    headers: setting.headers ?? {},
    body: setting.body ?? (await makeBody()),
    expectContinue: setting.expectContinue ?? false,
  };
  const limits = { ...PATIENT, ...setting.limits };
  return exchange(spec, limits, setting.signal ?? new AbortController().signal, setting.onSent);
}

/** The response that an exchange ended with; throws if it failed instead. */
export function expectResponse({ outcome }: ExchangeEnd): ServiceResponse {
  if (outcome.kind === 'response') return outcome.response;
  throw new Error(`No response, but a failure (${outcome.phase}): ${outcome.error.message}`);
}

/** The failure that an exchange ended with; throws if it ended with a response. */
export function expectFailure({ outcome }: ExchangeEnd): {
  readonly phase: Phase;
  readonly error: Error;
} {
  if (outcome.kind === 'failure') return outcome;
  throw new Error(`No failure, but a response: ${outcome.response.status}`);
}

/** The names of the phases an exchange went through. */
export function listPhases({ phases }: ExchangeEnd): readonly Phase[] {
  return phases.map(({ phase }) => phase);
}
