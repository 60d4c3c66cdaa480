import type { ScanEntry } from '../inputs/scans.ts';
import type { PlannedPart, UploadPlan } from '../plan/plan.ts';
import type { Upload } from '../service/upload-result.ts';
import { isFollowing } from '../situations.ts';
import type { UploadResult } from '../situations.ts';
import { sortBy } from '../sort.ts';
import { listSome } from '../text.ts';
import type { Failure } from './failure.ts';

/** The result of a scan or of the step; the last two only if an input asked for it. */
export type ResultName = UploadResult | 'dry-run' | 'skipped';

/** What became of one scan. */
export interface ScanResult {
  readonly entry: ScanEntry;
  /** Undefined if it failed before it was planned. */
  readonly plan: UploadPlan | undefined;
  /** Undefined if it ended before its first attempt. */
  readonly upload?: Upload | undefined;
  readonly result: ResultName;
  readonly failure?: Failure | undefined;
  /** Why there was nothing to upload, if it was skipped. */
  readonly skipped?: string;
  /** SHA-256 of each planned file, in order, if the files have been read whole. */
  readonly digests?: readonly string[] | undefined;
  /** From its first attempt's start to its result, in milliseconds; undefined if it was not started. */
  readonly durationMs?: number | undefined;
}

/** What became of a step. */
export interface StepResult {
  /** In the order of the input; empty if the step failed before the scans were read. */
  readonly scans: readonly ScanResult[];
  /** Origin of the service, once it is known. */
  readonly origin: string | undefined;
  /** From the step's start to its result, in milliseconds. */
  readonly durationMs: number;
  /** Why the step itself failed, not one of its scans. */
  readonly failure: Failure | undefined;
}

/** A part of a scan, with the digest of its file if it was read to its end. */
export interface ReadPart extends PlannedPart {
  /** Hexadecimal. */
  readonly sha256: string | undefined;
}

/** The parts of a scan, in the order in which they are sent. */
export function listParts({ plan, digests }: ScanResult): readonly ReadPart[] {
  return (plan?.parts ?? []).map((part, index) => ({ ...part, sha256: digests?.[index] }));
}

/** The scan key of a scan; undefined if it is invalid. */
export function getScanKey({ entry }: ScanResult): string | undefined {
  return 'error' in entry ? undefined : entry.scanKey;
}

/** The status of the last response to a scan, if there was one. */
export function getStatus({ upload }: ScanResult): number | undefined {
  return upload?.last.response?.status;
}

/** Whether a scan or a step with each result succeeds; from the worst result to the best. */
const SUCCEEDS: Readonly<Record<ResultName, boolean>> = {
  unconfirmed: false,
  rejected: false,
  'not-sent': false,
  skipped: true,
  'dry-run': true,
  accepted: true,
};

/** The results from the worst to the best. */
export const RANKS = Object.keys(SUCCEEDS).filter(isResultName);

function isResultName(name: string): name is ResultName {
  return Object.hasOwn(SUCCEEDS, name);
}

/** Whether a scan or a step with this result succeeds. */
export function isSuccessful(result: ResultName): boolean {
  return SUCCEEDS[result];
}

/** The result of a step: that of its worst scan. Without scans it is `skipped`, or `not-sent` if the step failed. */
export function getResult({ scans, failure }: StepResult): ResultName {
  const results = scans.map(({ result }) => result);
  return (
    RANKS.find((rank) => results.includes(rank)) ?? (failure === undefined ? 'skipped' : 'not-sent')
  );
}

/**
 * The scan that decides the step's result: the first one with this result. Scans that failed because of
 * other scans are used only if there is no other.
 */
export function findDecisive(step: StepResult): ScanResult | undefined {
  const result = getResult(step);
  const worst = step.scans.filter((scan) => scan.result === result);
  return worst.find(({ failure }) => failure === undefined || isOwn(failure)) ?? worst[0];
}

/** Whether other scans did not cause a failure. */
export function isOwn({ situation }: Failure): boolean {
  return !isFollowing(situation);
}

/** Whether a scan failed by itself, not because of other scans. */
export function hasOwnFailure({ failure }: ScanResult): boolean {
  return failure !== undefined && isOwn(failure);
}

/** Sorts scans that failed by themselves first, then other failed scans, scans with warnings, and the rest. */
export function sortScans(scans: readonly ScanResult[]): readonly ScanResult[] {
  return sortBy(scans, (one, other) => rankForReport(one) - rankForReport(other));
}

function rankForReport(scan: ScanResult): number {
  if (hasOwnFailure(scan)) return 0;
  if (scan.failure !== undefined) return 1;
  return hasWarnings(scan) ? 2 : 3;
}

/** Whether any file of a scan has warnings of `content-check`. */
export function hasWarnings({ plan }: ScanResult): boolean {
  return plan?.parts.some(({ warnings = [] }) => warnings.length > 0) === true;
}

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
  if (failure !== undefined) groups.set(failure, groups.get(failure) ?? []);
  const all = [...groups].map(([shared, members]) => ({ failure: shared, scans: members }));
  return sortBy(all, (one, other) => Number(isOwn(other.failure)) - Number(isOwn(one.failure)));
}

/** The labels of scans, shortened if there are many. */
export function listLabels(scans: readonly ScanResult[]): string {
  return listSome(
    scans.map(({ entry: { label = '' } }) => label),
    MAX_NAMED,
  );
}
