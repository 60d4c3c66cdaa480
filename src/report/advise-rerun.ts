import { hasOwnFailure } from './result.ts';
import type { Reason, ScanResult, StepResult } from './result.ts';

/** What may have passed by the time of a re-run. */
const PASSING: ReadonlySet<Reason> = new Set([
  'rate-limited',
  'name',
  'proxy',
  'connection',
  'stalled',
  'time-limit',
]);
/** Reasons of which the status says whether it may have passed by then. */
const REFUSALS: ReadonlySet<Reason> = new Set(['refused', 'problem']);
/** What is fixed outside of the workflow's file, so that a re-run can pass. */
const SETTINGS: ReadonlySet<Reason> = new Set(['credentials', 'certificate']);
/** What is fixed in the workflow's file, or in the repository. */
const WORKFLOW: ReadonlySet<Reason> = new Set([
  'inputs',
  'files',
  'contents',
  'redirect',
  'web-page',
]);

/** Whether and how a re-run of the failed jobs may help; undefined where it says nothing new. */
export function adviseRerun(step: StepResult): string | undefined {
  const { scans, failure } = step;
  const failed = scans.filter(hasOwnFailure);
  const reasons = new Set(
    [...failed.map((scan) => scan.failure), failure].map((each) => each?.reason),
  );
  if (scans.some(({ result }) => result === 'unconfirmed')) {
    return 'Check the service before a re-run: it may have the scan, and a re-run sends it again.';
  }
  const hasAny = (some: ReadonlySet<Reason>): boolean =>
    [...reasons].some((reason) => reason !== undefined && some.has(reason));
  if (hasAny(WORKFLOW)) {
    return 'Re-runs use the original workflow file: push the fix to start a new run.';
  }
  const again = scans.some(({ result }) => result === 'accepted')
    ? ' It sends every scan again, those that were accepted too.'
    : '';
  if (hasAny(SETTINGS)) return `After fixing this, re-run the failed jobs.${again}`;
  const mayPass = hasAny(PASSING) || failed.some(isServersFailure);
  return mayPass ? `A re-run of the failed jobs may help.${again}` : undefined;
}

/** Whether the service could not handle the request, rather than found it wrong: any 5xx, 408 and 425. */
function isServersFailure({ failure, statusCode = 0 }: ScanResult): boolean {
  if (failure === undefined || !REFUSALS.has(failure.reason)) return false;
  return statusCode >= 500 || statusCode === 408 || statusCode === 425;
}
