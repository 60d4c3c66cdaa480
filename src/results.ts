import type { ScanEntry } from './inputs/scans.ts';
import { worstOf } from './report/result.ts';
import type {
  Failure,
  ManifestEntry,
  ResultName,
  ScanResult,
  StepResult,
} from './report/result.ts';
import type { Content, Facts } from './formats/content.ts';
import type { UploadPlan } from './plan/plan.ts';
import type { ProblemDetails } from './service/problem.ts';
import type { UploadReport } from './service/upload.ts';
import { getResponse } from './service/verdict.ts';

/** How a scan ended. */
export interface ScanEnd {
  readonly result: ResultName;
  readonly failure?: Failure | undefined;
  /** Why there was nothing to upload. */
  readonly skipped?: string;
  readonly attempts?: number;
  /** In milliseconds, if the scan was started. */
  readonly durationMs?: number | undefined;
  /** Of the last response, if there was one. */
  readonly statusCode?: number | undefined;
  readonly problem?: ProblemDetails | undefined;
  /** SHA-256 of each planned file, in order, if the files have been read whole. */
  readonly digests?: readonly string[] | undefined;
}

/** How a scan ended whose upload was tried, without `failure`, which explainUpload describes. */
export function describeReport({
  result,
  attempts,
  digests,
  verdict: { cause },
}: UploadReport): ScanEnd {
  return {
    result,
    attempts,
    digests,
    statusCode: getResponse(cause)?.status,
    problem: cause.kind === 'refused' ? cause.problem : undefined,
  };
}

/** The result of a scan; `plan` is undefined if it failed before it was planned. */
export function makeScanResult(
  entry: ScanEntry,
  plan: UploadPlan | undefined,
  { result, failure, skipped, attempts = 0, durationMs, statusCode, problem, digests }: ScanEnd,
): ScanResult {
  return {
    label: entry.label,
    name: entry.name,
    scanKey: 'error' in entry ? undefined : entry.scanKey,
    result,
    operation: plan?.operation.name,
    statusCode,
    attempts,
    durationMs,
    manifest: makeManifest(plan, digests),
    problem,
    failure,
    skipped,
  };
}

/** The result of a step: that of its worst scan. Without scans it is `skipped`, or `not-sent` if the step failed. */
export function makeStepResult(
  step: Pick<StepResult, 'scans' | 'origin' | 'durationMs' | 'failure'>,
): StepResult {
  const { scans, failure } = step;
  const none = failure === undefined ? 'skipped' : 'not-sent';
  return { ...step, result: worstOf(scans.map(({ result }) => result)) ?? none };
}

function makeManifest(
  plan: UploadPlan | undefined,
  digests: readonly string[] | undefined,
): readonly ManifestEntry[] {
  return (plan?.parts ?? []).map(({ part, file, warnings = [] }, index) => {
    const sha256 = digests?.[index];
    return {
      part: part.name,
      path: file.displayPath,
      bytes: file.size,
      ...(sha256 !== undefined && { sha256 }),
      ...pickFacts(file.content),
      warnings,
    };
  });
}

/** The members of a content that the manifest shows. */
function pickFacts(content: Content): Facts & Pick<Content, 'format' | 'inspected'> {
  const {
    syntax: _syntax,
    documents: _documents,
    isRepeated: _isRepeated,
    kind: _kind,
    fault: _fault,
    ...facts
  } = content;
  return facts;
}
