import type { Revision } from '../inputs/event.ts';
import type { ScanEntry } from '../inputs/scans.ts';
import type { PlannedPart, UploadPlan } from '../plan/plan.ts';
import { listSome } from '../text.ts';
import { spellError } from './failure.ts';
import type { Failure } from './failure.ts';
import { RANKED } from './results.ts';
import type { ResultName } from './results.ts';
import type { Reason } from './situations.ts';

/** A scan whose files were found, inspected and planned, and that has no result yet. */
export interface PlannedScan {
  readonly entry: ScanEntry;
  readonly plan: UploadPlan;
}

/** What became of one scan. The members below `skipped` are those of its upload, if there was an attempt. */
export interface ScanResult {
  readonly entry: ScanEntry;
  /** Undefined if it failed before it was planned. */
  readonly plan: UploadPlan | undefined;
  /** If the last attempt was accepted, so is the scan. Else it is unconfirmed if any attempt was, or has the last result. */
  readonly result: ResultName;
  /** Undefined if it did not fail. */
  readonly failure?: Failure | undefined;
  /** Why there was nothing to upload, if it was skipped. */
  readonly skipped?: string;
  readonly attempts?: number;
  /** SHA-256 of each file as it was sent, in order, if the whole body was sent in some attempt. */
  readonly digests?: readonly string[] | undefined;
  /** The status of the last response. */
  readonly status?: number | undefined;
  /** The problem of the last response, as JSON. */
  readonly problem?: string | undefined;
  /** The JSON object of a success, as its text, if it is short. */
  readonly response?: string | undefined;
  /** What the service says of a success, and what it warns of. */
  readonly says?: readonly string[] | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** The origin of the service. */
  readonly service?: string;
  readonly requestTraceId?: string;
  /** When its upload started, in milliseconds since 1970; undefined if it was not started. */
  readonly startedAt?: number | undefined;
  /** From the start of its upload to its result, in milliseconds. */
  readonly durationMs?: number | undefined;
}

/** What became of a step. */
export interface StepResult {
  /** In the order of the input; empty if the step failed before the scans were read. */
  readonly scans: readonly ScanResult[];
  /** Why the step itself failed, not one of its scans. */
  readonly failure: Failure | undefined;
  /** What scans share, and probably by mistake. */
  readonly repeats: readonly string[];
  /** Undefined outside a workflow. */
  readonly revision: Revision | undefined;
}

/** Ends a scan that was not uploaded because of an error, with its plan if it has one. */
export function endNotSent(
  entry: ScanEntry,
  plan: UploadPlan | undefined,
  error: unknown,
): ScanResult {
  return { entry, plan, result: 'not-sent', failure: spellError(error) };
}

/** Ends a scan of a dry run, which ends after the plan. */
export function endDryRun(scan: PlannedScan): ScanResult {
  return { ...scan, result: 'dry-run' };
}

/**
 * The parts of a scan, in the order in which they are sent. The digest of a file is of what was sent, or in a dry run of
 * what was inspected.
 */
export function listParts({ plan, digests, result }: ScanResult): readonly PlannedPart[] {
  const parts = plan?.parts ?? [];
  if (result === 'dry-run') return parts;
  return parts.map((part, index) => ({
    ...part,
    file: { ...part.file, digest: digests?.[index] },
  }));
}

/** The result of a step: that of its worst scan. Without scans it is `skipped`, or `not-sent` if the step failed. */
export function getResult({ scans, failure }: StepResult): ResultName {
  const worst = RANKED.find((rank) => scans.some(({ result }) => result === rank));
  return worst ?? (failure === undefined ? 'skipped' : 'not-sent');
}

/** The scan that decides the step's result: the first one with it, if possible one that failed by itself. */
export function findDecisive(step: StepResult): ScanResult | undefined {
  return sortScans(step.scans).find(({ result }) => result === getResult(step));
}

/** Whether a scan failed by itself, not because of other scans. */
export function hasOwnFailure({ failure }: ScanResult): boolean {
  return failure !== undefined && failure.reason !== 'other-scans';
}

/** The reasons of scans whose files are missing or wrong. */
const INVALID: readonly (Reason | undefined)[] = ['inputs', 'files', 'contents'];

/** Whether the files of a scan are missing or wrong. */
export function isInvalid({ failure }: ScanResult): boolean {
  return INVALID.includes(failure?.reason);
}

/** Scans that failed by themselves first, then the rest. */
export function sortScans(scans: readonly ScanResult[]): readonly ScanResult[] {
  return [...scans.filter(hasOwnFailure), ...scans.filter((scan) => !hasOwnFailure(scan))];
}

/** Equal failures of scans, with what they share of its details; no scans for a failure of the step itself. */
export interface FailureGroup {
  readonly failure: Failure;
  readonly scans: readonly ScanResult[];
}

/** What to know before a re-run, if the service accepted some scans before its rate limit refused others. */
const AGAIN = 'A re-run sends the uploaded scans again.';

/**
 * Lists the failures of a step: its own one, then those of scans, with those that other scans caused last. Failures with
 * the same title, headline and fixes become one. An old Node lacks `toSorted` and `Map.groupBy`, and must still be able to
 * report that it is too old.
 */
export function groupFailures({ scans, failure }: StepResult): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  const isPartial = scans.some(({ result }) => result === 'accepted');
  for (const scan of sortScans(scans)) {
    if (scan.failure === undefined) continue;
    const { reason, title, headline, fixes } = scan.failure;
    const key = JSON.stringify([title, headline, fixes]);
    const known = groups.get(key);
    const again = isPartial && reason === 'rate-limited' ? [...fixes, AGAIN] : fixes;
    groups.set(
      key,
      known === undefined
        ? { failure: { ...scan.failure, fixes: again }, scans: [scan] }
        : { failure: shareFailure(known, scan.failure), scans: [...known.scans, scan] },
    );
  }
  return [...(failure === undefined ? [] : [{ failure, scans: [] }]), ...groups.values()];
}

/** Keeps what a failure shares with the group, and of the trace ids, which all differ, that of the group's first scan. */
function shareFailure({ failure, scans: [first] }: FailureGroup, other: Failure): Failure {
  const { traceId } = failure;
  const named = traceId === undefined ? [] : [`Trace id of \`${first?.entry.label}\`: ${traceId}`];
  return {
    ...failure,
    details: failure.details.filter((line) => other.details.includes(line)),
    traces: [...failure.traces.filter((line) => other.traces.includes(line)), ...named],
  };
}

/** `a, b, c and 297 more`. */
export function listLabels(scans: readonly Pick<ScanResult, 'entry'>[]): string {
  const labels = scans.map(({ entry: { label = '' } }) => label);
  return listSome(labels, 3);
}
