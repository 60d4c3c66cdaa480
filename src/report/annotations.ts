import { sortBy } from '../sort.ts';
import { cutText } from '../text.ts';
import { joinLines } from './clean.ts';
import type { Failure } from './failure.ts';
import type { Log } from './log.ts';
import { groupFailures, listLabels } from './scan-result.ts';
import type { FailureGroup, StepResult } from './scan-result.ts';

/** How many errors of one step the runner shows; it drops the others silently. */
const MAX_ANNOTATIONS = 10;
/** The longest list of scans in an annotation. */
const MAX_LABELS_CHARACTERS = 500;

/**
 * Annotates the run with every failure: what happened, details, what to do. Scans with the same failure
 * share an annotation. Failures that the runner would not show are counted in the last one.
 */
export function annotateFailures(step: StepResult, log: Log): void {
  // The failure of the step itself comes first.
  const groups = sortBy(
    groupFailures(step),
    (one, other) => Math.min(one.scans.length, 1) - Math.min(other.scans.length, 1),
  );
  const shown = groups.length > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : groups.length;
  for (const group of groups.slice(0, shown)) annotate(group, log);
  const others = groups.slice(shown).flatMap(({ scans }) => scans);
  if (others.length === 0) return;
  const text = `${others.length} more scans failed: ${listLabels(others)}.`;
  log.error('Scan upload (more failures)', cutText(text, MAX_LABELS_CHARACTERS));
}

function annotate({ failure, scans }: FailureGroup, log: Log): void {
  const { title } = failure;
  const lines = listLines(failure);
  const [only, second] = scans;
  if (second === undefined) return log.named(only?.entry.label).error(title, lines.join('\n'));
  const who = cutText(`${scans.length} scans: ${listLabels(scans)}.`, MAX_LABELS_CHARACTERS);
  log.error(title, [...lines, who].join('\n'));
}

/** The lines of an annotation: what happened, details, what to do, trace ids. */
function listLines({ headline, details, fixes, traces }: Failure): readonly string[] {
  return [headline, ...[...details, ...fixes, ...traces].map(joinLines)];
}
