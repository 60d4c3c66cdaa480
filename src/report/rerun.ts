import type { Rerun } from '../situations.ts';
import { hasOwnFailure } from './scan-result.ts';
import type { StepResult } from './scan-result.ts';

const PUSH = 'After changing a file in the repository, push it: re-runs use the original files.';

/** What a re-run depends on, in sentences; of several failures the first one here decides. */
const RERUNS: readonly (readonly [Rerun, string])[] = [
  ['setting', `After changing a secret or a variable, re-run the failed jobs. ${PUSH}`],
  ['scan-step', `The scan step must write the file before this step. ${PUSH}`],
  ['repository', PUSH],
  ['time', 'If the cause was temporary, re-run the failed jobs.'],
];

/** Says whether and how a re-run of the failed jobs can help; undefined if there is nothing to say. */
export function adviseRerun({ scans, failure }: StepResult): string | undefined {
  if (scans.some(({ result }) => result === 'unconfirmed')) {
    return 'Check the service before a re-run: it may have the scan, and a re-run sends it again.';
  }
  const failures = [...scans.filter(hasOwnFailure).map((scan) => scan.failure), failure];
  const [rerun, words] = RERUNS.find(([each]) => failures.some((one) => one?.rerun === each)) ?? [];
  const isPartial = scans.some(({ result }) => result === 'accepted');
  return isPartial && (rerun === 'setting' || rerun === 'time')
    ? `${words} A re-run sends every scan again, including those that were accepted.`
    : words;
}
