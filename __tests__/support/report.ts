import { jest } from '@jest/globals';
import { parseKeyValues } from '../../local/step/file-commands.ts';
import { conclude } from '../../src/formats/content.ts';
import type { Content } from '../../src/formats/content.ts';
import type { Revision } from '../../src/inputs/event.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import type { Failure } from '../../src/outcomes/failure.ts';
import type { ScanResult, StepResult } from '../../src/outcomes/scan-result.ts';
import type { Mark } from '../../src/plan/marks.ts';
import { PARTS } from '../../src/service/operations.ts';
import type { Operation, Part } from '../../src/service/operations.ts';
import { splitLines } from '../../src/text.ts';
import { FILE, TRACE_ID, getOperation } from './scans.ts';
import { SCAN_KEY, cleanUp } from './workspace.ts';

/** A push to the branch `main`. */
export const REVISION: Revision = {
  ref: 'refs/heads/main',
  sha: '1a2b3c4d5e6f',
  pullRequest: undefined,
  attempt: 1,
  text: 'For `main`, commit `1a2b3c4`',
};

const DIGEST = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

/** A file of a scan, as the file of `results-path` shows it. */
export interface ManifestEntry
  extends Partial<Omit<Content, 'format' | 'inspected'>>, Pick<Content, 'format' | 'inspected'> {
  readonly part: Part['name'];
  readonly path: string;
  readonly bytes: number;
  readonly sha256?: string;
  readonly marks: readonly Mark[];
  readonly warnings: readonly string[];
}

export const ENTRY: ManifestEntry = {
  part: 'ScanJsonFile',
  path: 'out/scan.json',
  bytes: 1229,
  sha256: DIGEST,
  format: 'json',
  inspected: 'full',
  marks: [],
  warnings: [],
};

/** A mark of a file. */
export const MARK: Mark = { name: 'not-checked', text: 'not checked' };

/** What a test says of a failure. */
export type FailureSpec = Partial<
  Pick<Failure, 'situation' | 'reason' | 'traceId'> &
    Readonly<Record<'title' | 'headline', string>> &
    Readonly<Record<'details' | 'fixes' | 'traces' | 'headers', readonly string[]>>
>;

/** A failure with one line of each kind, unless `spec` says otherwise. */
export function makeFailure(spec: FailureSpec = {}): Failure {
  const { situation = 'refused', reason = 'problem', headers = [] } = spec;
  return {
    situation,
    reason,
    title: spec.title ?? 'Scan upload rejected (400)',
    headline: spec.headline ?? 'The scan key is not known.',
    details: spec.details ?? ['ScanKey: is not known'],
    fixes: spec.fixes ?? ['Check `scan-key`.'],
    traces: spec.traces ?? ['Trace id of the requests: 1'],
    traceId: spec.traceId,
    headers: headers,
  };
}

export const FAILURE = makeFailure();

/** An SBOM, and below a report on it. */
export const SBOM_ENTRY: ManifestEntry = {
  ...ENTRY,
  part: 'DependenciesCDX',
  path: 'bom.cdx.json',
  format: 'cyclonedx',
  specVersion: '1.6',
  tool: 'syft 1.38.0',
  components: 62,
  vulnerabilities: 0,
};

export const REPORT_ENTRY: ManifestEntry = {
  ...ENTRY,
  part: 'VulnerabilitiesTool',
  path: 'grype.json',
  format: 'grype',
  tool: 'grype 0.104.1',
  findings: 72,
  severities: { critical: 3, high: 18, medium: 31, low: 11, none: 6, unknown: 3 },
};

/** What a test says of a scan. */
export interface ScanSpec
  extends
    Partial<ScanEntry>,
    Partial<
      Pick<
        ScanResult,
        'attempts' | 'durationMs' | 'failure' | 'problem' | 'response' | 'result' | 'startedAt'
      >
    > {
  readonly operation?: Operation['name'] | undefined;
  readonly statusCode?: number | undefined;
  readonly manifest?: readonly ManifestEntry[];
  readonly says?: readonly string[];
  readonly serviceWarnings?: readonly string[];
  readonly skipped?: string;
  readonly service?: string;
}

const ACCEPTED: ScanSpec = {
  scanKey: SCAN_KEY,
  operation: 'upload-file',
  statusCode: 200,
  manifest: [ENTRY],
  startedAt: Date.parse('2026-03-01T10:00:00Z'),
  durationMs: 300,
};

/** The result of a scan that was uploaded, unless `scan` says otherwise. */
export function makeScan(scan: ScanSpec = {}): ScanResult {
  const { label, name, scanKey = '', manifest = [], ...all } = { ...ACCEPTED, ...scan };
  const { result = 'accepted', failure, skipped, startedAt, durationMs } = all;
  const selection: never[] = [];
  const digests = manifest.map(({ sha256 = '' }) => sha256);
  return {
    entry: { label, name, scanKey, selection },
    plan: makePlan(all.operation, manifest),
    ...makeUpload(all),
    result,
    failure,
    startedAt,
    durationMs,
    ...(digests.every((digest) => digest !== '') && { digests }),
    ...(skipped !== undefined && { skipped: skipped }),
  };
}

function makePlan(
  name: Operation['name'] | undefined,
  manifest: readonly ManifestEntry[],
): ScanResult['plan'] {
  if (name === undefined) return undefined;
  const parts = manifest.flatMap(
    ({ part: partName, path, bytes, marks, warnings, sha256: _digest, ...content }) =>
      PARTS.filter((part) => part.name === partName).map((part) => ({
        part,
        file: { ...FILE, displayPath: path, size: bytes, content: conclude(content) },
        marks,
        warnings,
      })),
  );
  return { operation: getOperation(name), parts };
}

function makeUpload(spec: ScanSpec): Partial<ScanResult> {
  const { result = 'accepted', statusCode, problem, attempts = 1 } = spec;
  if (attempts === 0 || result === 'dry-run' || result === 'skipped') return {};
  return {
    attempts,
    status: statusCode,
    problem,
    ...(spec.response !== undefined && { response: spec.response }),
    says: spec.says ?? [],
    warnings: spec.serviceWarnings ?? [],
    service: spec.service ?? 'https://scan.example',
    requestTraceId: TRACE_ID,
  };
}

/** The result of a step with these scans. */
export function makeBatch(
  scans: readonly ScanResult[],
  step: Partial<StepResult> = {},
): StepResult {
  return { scans, failure: undefined, repeats: [], revision: undefined, ...step };
}

/** The result of a step that uploaded one scan, unless `scan` says otherwise. */
export function makeStep(scan: ScanSpec = {}): StepResult {
  return makeBatch([makeScan(scan)]);
}

/** Captures standard output until the test has ended: as text, and as lines without the end of the last one. */
export function captureOutput(): { readonly text: string; readonly lines: readonly string[] } {
  const chunks: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    chunks.push(String(chunk));
    return true;
  });
  cleanUp(async () => spy.mockRestore());
  return {
    get text(): string {
      return chunks.join('');
    },
    get lines(): readonly string[] {
      return splitLines(chunks.join('')).slice(0, -1);
    },
  };
}

/** The lines that contain a text: a test that expects none, or some, shows these alone if it fails. */
export function findLines(text: string, part: string | RegExp): readonly string[] {
  return splitLines(text).filter((line) =>
    typeof part === 'string' ? line.includes(part) : part.test(line),
  );
}

/** The lines that the runner would interpret as commands. */
export function findCommands(text: string): readonly string[] {
  return splitLines(text).filter(
    (line) => line.trimStart().startsWith('::') || line.includes('##['),
  );
}

/** The outputs in the text of a GITHUB_OUTPUT file. */
export function parseOutputs(text: string): Readonly<Record<string, string>> {
  const { pairs } = parseKeyValues(text);
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
