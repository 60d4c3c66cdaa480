import type { Content, Facts } from '../formats/content.ts';
import type { Operation, Part } from '../service/operations.ts';
import type { UploadResult } from '../service/verdict.ts';
import type { ProblemDetails } from '../service/problem.ts';

/** What became of a scan, and of the step; the last two only where an input asked for it. */
export type ResultName = UploadResult | 'dry-run' | 'skipped';

/** A file of the upload and what is known of its content, as the `manifest` output shows it. */
export interface ManifestEntry extends Facts, Pick<Content, 'format' | 'inspected'> {
  readonly part: Part['name'];
  /** Relative to the workspace where it lies there. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal; absent while the file has not been read whole. */
  readonly sha256?: string;
  /** What `content-check` warned of, a sentence each. */
  readonly warnings: readonly string[];
}

/** Why a scan or a step failed, for workflows that decide by it; docs/troubleshooting.md says what each means. */
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

/** What happened, in sentences. */
export interface Explanation {
  readonly reason: Reason;
  /** What happened; the service's own `detail` where there is one. */
  readonly headline: string;
  /** What else is known, a line each. */
  readonly details: readonly string[];
  /** What to do about it, a line each. */
  readonly advice: readonly string[];
  /** What finds the request in the logs of others, a line each: trace ids, response headers. */
  readonly traces: readonly string[];
}

/** An explanation that needs no details. */
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
  /** Whether it only follows from what happened to other scans. */
  readonly isFollowing?: true;
}

/** What became of one scan's upload. */
export interface ScanResult {
  /** What messages call it; the only scan of a step has none. */
  readonly label: string | undefined;
  /** As the author named it. */
  readonly name: string | undefined;
  /** Undefined where there is no usable one. */
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

/** All that is reported of a step. */
export interface StepResult {
  /** In the order of the input; none if it came to no scan. */
  readonly scans: readonly ScanResult[];
  /** The worst of the scans'. */
  readonly result: ResultName;
  /** Origin of the service, once it is known. */
  readonly origin: string | undefined;
  /** From the step's start to its result, in milliseconds. */
  readonly durationMs: number;
  /** Why the step as a whole failed, rather than some of its scans. */
  readonly failure: Failure | undefined;
}

/** The results in words. */
export const RESULT_WORDS: Readonly<Record<ResultName, string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  'not-sent': 'not sent',
  unconfirmed: 'unconfirmed',
  'dry-run': 'dry run',
  skipped: 'skipped',
};

/** From the worst to the best; those with which a step succeeds come last. */
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
 * The scan that the step's result is that of: the first of the worst, and of these rather one that
 * failed by itself.
 */
export function findDecisive({ scans, result }: StepResult): ScanResult | undefined {
  const worst = scans.filter((scan) => scan.result === result);
  return worst.find(({ failure }) => failure?.isFollowing !== true) ?? worst[0];
}

/** Whether a scan failed by itself, rather than because of others. */
export function hasOwnFailure({ failure }: ScanResult): boolean {
  return failure !== undefined && failure.isFollowing !== true;
}

/** Scans that failed by themselves come first, then the others that failed, those with warnings, the rest. */
export function sortScans(scans: readonly ScanResult[]): readonly ScanResult[] {
  return scans.toSorted((one, other) => rankForReport(one) - rankForReport(other));
}

function rankForReport(scan: ScanResult): number {
  if (hasOwnFailure(scan)) return 0;
  if (scan.failure !== undefined) return 1;
  return hasWarnings(scan) ? 2 : 3;
}

/** Whether `content-check` warned of one of a scan's files. */
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
