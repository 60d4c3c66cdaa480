import { joinLines } from './clean.ts';
import type { Failure } from './failure.ts';
import type { Log } from './log.ts';
import { groupFailures, listLabels } from './scan-result.ts';
import type { FailureGroup, StepResult } from './scan-result.ts';

/** How many errors of one step the runner shows; it drops the others silently. */
const MAX_ANNOTATIONS = 10;

/**
 * Annotates the run with every failure: what happened, details, what to do. Equal failures of several scans
 * share an annotation, and those that the runner would not show are counted in the last one; the log has
 * what the annotations leave out.
 */
export function annotateFailures(step: StepResult, log: Log): void {
  const groups = groupFailures(step);
  const shown = groups.length > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : groups.length;
  for (const group of groups.slice(0, shown)) annotate(group, log);
  const others = groups.slice(shown).flatMap(({ scans }) => scans);
  if (others.length === 0) return;
  logRest(others, [], log);
  log.error(
    'Scan upload (more failures)',
    `${others.length} more scans failed: ${listLabels(others)}. See the log.`,
  );
}

function annotate({ failure, scans }: FailureGroup, log: Log): void {
  const lines = listLines(failure);
  logRest(scans, lines, log);
  const [only, second] = scans;
  if (second === undefined) log.named(only?.entry.label).error(failure.title, lines.join('\n'));
  else log.error(failure.title, [...lines, `For ${listLabels(scans)}.`].join('\n'));
}

/** Logs what an annotation does not say of each scan: its ids, times and counts. */
function logRest(scans: FailureGroup['scans'], shown: readonly string[], log: Log): void {
  for (const { entry, failure } of scans) {
    for (const line of failure === undefined ? [] : listLines(failure)) {
      if (!shown.includes(line)) log.named(entry.label).info(line);
    }
  }
}

/** The lines of an annotation: what happened, details, what to do, trace ids. */
function listLines({ headline, details, fixes, traces }: Failure): readonly string[] {
  return [headline, ...[...details, ...fixes, ...traces].map(joinLines)];
}
