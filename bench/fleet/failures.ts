import type { ExchangeEnd } from '../../src/service/exchange.ts';
import { describeFailedAttempt, judgeExchange } from '../../src/service/verdict.ts';
import type { FailedAttempt } from '../../src/service/retry.ts';

const NEVER_ABORTED = new AbortController().signal;

/** What the service says to a request that it has no room for. */
export interface Refusal {
  readonly status: number;
  /** The header as it is sent. */
  readonly retryAfter?: string;
}

/** What the action makes of a request that was shed with `refusal`. */
export function judgeRefusal({ status, retryAfter }: Refusal): FailedAttempt {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const response = { status, headers, text: '', complete: true };
  return judge({ kind: 'response', response }, true);
}

/** What the action makes of a connection that was refused. */
export function judgeRefusedConnection(): FailedAttempt {
  const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  return judge({ kind: 'failure', phase: 'connect', error }, false);
}

/** Classifies as the action does, and hands to the policy what its client hands to it. */
function judge(outcome: ExchangeEnd['outcome'], isSent: boolean): FailedAttempt {
  const end = { outcome, isSent };
  // Seconds mean the same at any time; the virtual clock has no date.
  return describeFailedAttempt(judgeExchange(end, NEVER_ABORTED), 0);
}
