import type { Content, Facts } from '../formats/content.ts';
import type { Operation, Part } from '../service/operations.ts';
import type { UploadResult } from '../service/verdict.ts';
import type { ProblemDetails } from '../service/problem.ts';

/** The result of a scan or of the step; the last two only if an input asked for it. */
export type ResultName = UploadResult | 'dry-run' | 'skipped';

/** A file of the upload with its content, as the output `manifest` shows it. */
export interface ManifestEntry extends Facts, Pick<Content, 'format' | 'inspected'> {
  readonly part: Part['name'];
  /** Relative to the workspace if it is in it, otherwise absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal; absent if the file was not read to its end. */
  readonly sha256?: string;
  /** Warnings of `content-check`, one sentence each. */
  readonly warnings: readonly string[];
}

/** Why a scan or a step failed, for workflows that check it; docs/troubleshooting.md describes each value. */
export const REASONS = [
  'inputs',
  'files',
  'contents',
  'credentials',
  'problem',
  'refused',
  'redirect',
  'web-page',
  'too-large',
  'rate-limited',
  'name',
  'certificate',
  'proxy',
  'connection',
  'stalled',
  'time-limit',
  'cancelled',
  'other-scans',
  'internal',
] as const;
export type Reason = (typeof REASONS)[number];

/** What happened and what to do, in sentences. */
export interface Explanation {
  readonly reason: Reason;
  /** What happened; the service's own `detail` if there is one. */
  readonly headline: string;
  /** More about what happened, a line each. */
  readonly details: readonly string[];
  /** What to do, a line each. */
  readonly advice: readonly string[];
  /** What identifies the request in other logs, a line each: trace ids, response headers. */
  readonly traces: readonly string[];
}

/** An explanation without details. */
export function explain(
  reason: Reason,
  headline: string,
  advice: readonly string[] = [],
): Explanation {
  return { reason, headline, details: [], advice, traces: [] };
}

/** Why a step failed, or one of its scans. */
export interface Failure extends Explanation {
  /** The annotation's title. */
  readonly title: string;
  /** Whether other scans caused it, such as with `fail-fast`. */
  readonly isFollowing?: true;
}

/** The result of one scan. */
export interface ScanResult {
  /** Its name in messages; undefined for a step without `scans`. */
  readonly label: string | undefined;
  /** The `name` of its entry in `scans`. */
  readonly name: string | undefined;
  /** Undefined if it is invalid. */
  readonly scanKey: string | undefined;
  readonly result: ResultName;
  readonly operation: Operation['name'] | undefined;
  /** Of the last response, if there was one. */
  readonly statusCode: number | undefined;
  readonly attempts: number;
  /** From its first attempt's start to its result, in milliseconds; undefined if it was not started. */
  readonly durationMs: number | undefined;
  readonly manifest: readonly ManifestEntry[];
  readonly problem: ProblemDetails | undefined;
  readonly failure: Failure | undefined;
  /** Why there was nothing to upload, if it was skipped. */
  readonly skipped?: string | undefined;
}

/** Everything that is reported about a step. */
export interface StepResult {
  /** In the order of the input; empty if the step failed before the scans were read. */
  readonly scans: readonly ScanResult[];
  /** The worst result of the scans. */
  readonly result: ResultName;
  /** Origin of the service, once it is known. */
  readonly origin: string | undefined;
  /** From the step's start to its result, in milliseconds. */
  readonly durationMs: number;
  /** Why the step itself failed, not one of its scans. */
  readonly failure: Failure | undefined;
}

/** The results as words in messages. */
export const RESULT_WORDS: Readonly<Record<ResultName, string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  'not-sent': 'not sent',
  unconfirmed: 'unconfirmed',
  'dry-run': 'dry run',
  skipped: 'skipped',
};

/** The results from the worst to the best; a step succeeds with the last three. */
export const RANKS: readonly ResultName[] = [
  'unconfirmed',
  'rejected',
  'not-sent',
  'skipped',
  'dry-run',
  'accepted',
];

/** The worst of some results; undefined if there is none. */
export function worstOf(results: readonly ResultName[]): ResultName | undefined {
  return RANKS.find((rank) => results.includes(rank));
}

/**
 * The scan that decides the step's result: the first one with this result. Scans that failed because of
 * other scans are used only if there is no other.
 */
export function findDecisive({ scans, result }: StepResult): ScanResult | undefined {
  const worst = scans.filter((scan) => scan.result === result);
  return worst.find(({ failure }) => failure?.isFollowing !== true) ?? worst[0];
}

/** Whether a scan failed by itself, not because of other scans. */
export function hasOwnFailure({ failure }: ScanResult): boolean {
  return failure !== undefined && failure.isFollowing !== true;
}

/** Sorts scans that failed by themselves first, then other failed scans, scans with warnings, and the rest. */
export function sortScans(scans: readonly ScanResult[]): readonly ScanResult[] {
  return scans.toSorted((one, other) => rankForReport(one) - rankForReport(other));
}

function rankForReport(scan: ScanResult): number {
  if (hasOwnFailure(scan)) return 0;
  if (scan.failure !== undefined) return 1;
  return hasWarnings(scan) ? 2 : 3;
}

/** Whether any file of a scan has warnings of `content-check`. */
export function hasWarnings({ manifest }: ScanResult): boolean {
  return manifest.some(({ warnings }) => warnings.length > 0);
}

/** Whether a step with this result succeeds. */
export function isSuccessful(result: ResultName): boolean {
  switch (result) {
    case 'accepted':
    case 'dry-run':
    case 'skipped':
      return true;
    case 'rejected':
    case 'not-sent':
    case 'unconfirmed':
      return false;
  }
}
