import { listSome } from '../text.ts';
import type { Failure, ScanResult, StepResult } from './result.ts';

/** How many scans of a group are named. */
const MAX_NAMED = 20;

/** A failure and the scans that ended with it; no scans for a failure of the step itself. */
export interface FailureGroup {
  readonly failure: Failure;
  readonly scans: readonly ScanResult[];
}

/** A step's failures in the order of its scans; those caused by other scans come last. */
export function groupFailures({ scans, failure }: StepResult): readonly FailureGroup[] {
  const groups = new Map<Failure, ScanResult[]>();
  for (const scan of scans) {
    if (scan.failure === undefined) continue;
    const group = groups.get(scan.failure) ?? [];
    groups.set(scan.failure, group);
    group.push(scan);
  }
  if (failure !== undefined && !groups.has(failure)) groups.set(failure, []);
  const all = [...groups].map(([shared, members]) => ({ failure: shared, scans: members }));
  const following = all.filter((group) => group.failure.isFollowing === true);
  return [...all.filter((group) => !following.includes(group)), ...following];
}

/** The labels of scans, shortened if there are many. */
export function listLabels(scans: readonly ScanResult[]): string {
  return listSome(
    scans.map(({ label = '' }) => label),
    MAX_NAMED,
  );
}
