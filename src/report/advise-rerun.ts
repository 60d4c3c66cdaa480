import { hasOwnFailure } from './result.ts';
import type { Failure, Reason, StepResult } from './result.ts';

/** What may have passed by the time of a re-run. */
const TEMPORARY: ReadonlySet<Reason> = new Set([
  'rate-limited',
  'name',
  'proxy',
  'connection',
  'stalled',
  'time-limit',
]);
/** Reasons of which the response's status says whether it may have passed by then. */
const REFUSALS: ReadonlySet<Reason> = new Set(['refused', 'problem']);
/** What neither passes nor is fixed by the author. */
const OTHERS: ReadonlySet<Reason> = new Set(['cancelled', 'other-scans', 'internal']);

/** Whether and how a re-run of the failed jobs may help; undefined where it says nothing new. */
export function adviseRerun({ scans, failure }: StepResult): string | undefined {
  if (scans.some(({ result }) => result === 'unconfirmed')) {
    return 'Check the service before a re-run: it may have the scan, and a re-run sends it again.';
  }
  const failed = scans.filter(hasOwnFailure);
  const outlooks = [
    ...failed.map((scan) => judge(scan.failure, scan.statusCode)),
    judge(failure, undefined),
  ];
  const again = scans.some(({ result }) => result === 'accepted')
    ? ' A re-run sends every scan again, including those that were accepted.'
    : '';
  if (outlooks.includes('fixable')) {
    return `After changing a secret or a variable, re-run the failed jobs. After changing a file in the repository, push it: re-runs use the original files.${again}`;
  }
  return outlooks.includes('temporary')
    ? `If the cause was temporary, re-run the failed jobs.${again}`
    : undefined;
}

function judge(failure: Failure | undefined, statusCode = 0): 'temporary' | 'fixable' | undefined {
  if (failure === undefined || OTHERS.has(failure.reason)) return undefined;
  const isTemporary = REFUSALS.has(failure.reason)
    ? isServersFailure(statusCode)
    : TEMPORARY.has(failure.reason);
  return isTemporary ? 'temporary' : 'fixable';
}

/** Whether the service could not handle the request, rather than found it wrong. 429 is a reason of its own. */
function isServersFailure(statusCode: number): boolean {
  return statusCode >= 500 || statusCode === 408 || statusCode === 425;
}
