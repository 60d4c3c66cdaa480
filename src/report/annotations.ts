import { joinSafe, safe, toLine } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import type { Failure } from '../outcomes/failure.ts';
import type { Log } from './log.ts';
import { groupFailures, listLabels } from '../stages/scan-result.ts';
import type { ScanResult, StepResult } from '../stages/scan-result.ts';

/** How many errors of one step the runner shows; it drops the others silently. */
const MAX_ANNOTATIONS = 10;

/**
 * Annotates the run with every failure: what happened, details, what to do. Equal failures of several scans
 * share an annotation, and those that the runner would not show are counted in the last one; the log has
 * what the annotations leave out: ids, times and counts of each scan.
 */
export function annotateFailures(step: StepResult, log: Log): void {
  const groups = groupFailures(step);
  const shown = groups.length > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : groups.length;
  for (const { failure, scans } of groups.slice(0, shown)) {
    const lines = spellLines(failure);
    logOthers(scans, lines, log);
    log.named(listLabels(scans) || undefined).error(failure.title, joinSafe(lines, safe`\n`));
  }
  const others = groups.slice(shown).flatMap(({ scans }) => scans);
  if (others.length === 0) return;
  logOthers(others, [], log);
  const text = safe`${others.length} more scans failed: ${listLabels(others)}. See the log.`;
  log.error(safe`Scan upload (more failures)`, text);
}

/** Logs the lines of each scan's failure that are not in `shown`, and the headers of its response. */
function logOthers(scans: readonly ScanResult[], shown: readonly SafeText[], log: Log): void {
  for (const { entry, failure } of scans) {
    const lines = failure === undefined ? [] : [...spellLines(failure), ...failure.headers];
    const others = lines.filter((line) => !shown.includes(line));
    for (const line of others) log.named(entry.label).info(line);
  }
}

/** The lines of an annotation: what happened, what others say about it, what to do, ids. */
function spellLines({ headline, details, fixes, traces }: Failure): readonly SafeText[] {
  const lines = [...details, joinSafe(fixes, safe` `), joinSafe(traces, safe` · `)];
  return [headline, ...lines.filter((line) => line !== '').map(toLine)];
}
