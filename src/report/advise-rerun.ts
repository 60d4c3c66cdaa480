import { hasOwnFailure } from './result.ts';
import type { Failure, Reason, StepResult } from './result.ts';

/** Causes that may be temporary, so that a re-run can help. */
const TEMPORARY: ReadonlySet<Reason> = new Set([
  'rate-limited',
  'name',
  'proxy',
  'connection',
  'stalled',
  'time-limit',
]);
/** Reasons that may be temporary or not, depending on the status of the response. */
const REFUSALS: ReadonlySet<Reason> = new Set(['refused', 'problem']);
/** Causes that only a change in the repository fixes. */
const REPOSITORY: ReadonlySet<Reason> = new Set(['files', 'contents']);
/** Reasons without advice: they are not temporary, and the author of the workflow cannot fix them. */
const OTHERS: ReadonlySet<Reason> = new Set(['cancelled', 'other-scans', 'internal']);

const PUSH = 'After changing a file in the repository, push it: re-runs use the original files.';

/** Says whether and how a re-run of the failed jobs can help; undefined if there is nothing to say. */
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
    return `After changing a secret or a variable, re-run the failed jobs. ${PUSH}${again}`;
  }
  if (outlooks.includes('repository')) return PUSH;
  return outlooks.includes('temporary')
    ? `If the cause was temporary, re-run the failed jobs.${again}`
    : undefined;
}

/** What a re-run depends on: time, a change of a setting or of a file, or a change of a file alone. */
type Outlook = 'temporary' | 'fixable' | 'repository';

function judge(failure: Failure | undefined, statusCode = 0): Outlook | undefined {
  if (failure === undefined || OTHERS.has(failure.reason)) return undefined;
  if (REPOSITORY.has(failure.reason)) return 'repository';
  const isTemporary = REFUSALS.has(failure.reason)
    ? isServersFailure(statusCode)
    : TEMPORARY.has(failure.reason);
  return isTemporary ? 'temporary' : 'fixable';
}

/** Whether the service could not handle the request at this time. 429 has its own reason. */
function isServersFailure(statusCode: number): boolean {
  return statusCode >= 500 || statusCode === 408 || statusCode === 425;
}
