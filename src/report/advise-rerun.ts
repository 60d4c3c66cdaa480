import { hasOwnFailure } from './result.ts';
import type { Failure, Reason, StepResult } from './result.ts';

/** What a re-run depends on: time, a change of a setting or of a file, or a change of a file alone. */
type Outlook = 'temporary' | 'fixable' | 'repository';

/** `status`: the status of the response decides. Nothing is advised for what is undefined. */
const OUTLOOKS: Readonly<Record<Reason, Outlook | 'status' | undefined>> = {
  inputs: 'fixable',
  files: 'repository',
  contents: 'repository',
  credentials: 'fixable',
  problem: 'status',
  refused: 'status',
  redirect: 'fixable',
  'web-page': 'fixable',
  'too-large': 'fixable',
  'rate-limited': 'temporary',
  name: 'temporary',
  certificate: 'fixable',
  proxy: 'temporary',
  connection: 'temporary',
  stalled: 'temporary',
  'time-limit': 'temporary',
  cancelled: undefined,
  'other-scans': undefined,
  internal: undefined,
};
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

function judge(failure: Failure | undefined, statusCode = 0): Outlook | undefined {
  const outlook = failure && OUTLOOKS[failure.reason];
  if (outlook !== 'status') return outlook;
  return isServersFailure(statusCode) ? 'temporary' : 'fixable';
}

/** Whether the service could not handle the request at this time. 429 has its own reason. */
function isServersFailure(statusCode: number): boolean {
  return statusCode >= 500 || statusCode === 408 || statusCode === 425;
}
