import { jest } from '@jest/globals';
import type { UploadFacts } from '../../src/report/upload-facts.ts';
import type { Failure, ManifestEntry, ScanResult, StepResult } from '../../src/report/result.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import type { Cause } from '../../src/service/verdict.ts';
import { splitLines } from '../../src/text.ts';
import { parseProblem } from '../../src/service/problem.ts';
import { cleanUp } from './scope.ts';
import { makeResponse } from './bodies.ts';

export const FACTS: UploadFacts = {
  origin: 'https://scan.example',
  hostname: 'scan.example',
  address: 'https://scan.example/tenant/v1/scanner/upload-file',
  bodyBytes: 1500,
  files: 'scan.json (1.2 KiB)',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  credentialKind: 'token',
  hasOwnCa: false,
  proxyHost: undefined,
};

const DIGEST = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

export const ENTRY: ManifestEntry = {
  part: 'ScanJsonFile',
  path: 'out/scan.json',
  bytes: 1229,
  sha256: DIGEST,
  format: 'json',
  inspected: 'full',
  warnings: [],
};

export const FAILURE: Failure = {
  title: 'Scan upload rejected (400)',
  reason: 'problem',
  headline: 'The scan key is not known.',
  details: ['ScanKey: is not known'],
  advice: ['Check `scan-key`.'],
  traces: ['Trace id of the requests: 1'],
};

/** An SBOM, and below a report on it. */
export const SBOM: ManifestEntry = {
  ...ENTRY,
  part: 'DependenciesCDX',
  path: 'bom.cdx.json',
  format: 'cyclonedx',
  specVersion: '1.6',
  tool: 'syft 1.38.0',
  components: 62,
  vulnerabilities: 0,
};

export const REPORT: ManifestEntry = {
  ...ENTRY,
  part: 'VulnerabilitiesTool',
  path: 'grype.json',
  format: 'grype',
  tool: 'grype 0.104.1',
  findings: 72,
  severities: { critical: 3, high: 18, medium: 31, low: 11, none: 6, unknown: 3 },
};

export const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** The result of a scan that was uploaded, unless `scan` says otherwise. */
export function makeScan(scan: Partial<ScanResult> = {}): ScanResult {
  return {
    label: undefined,
    name: undefined,
    scanKey: SCAN_KEY,
    result: 'accepted',
    operation: 'upload-file',
    statusCode: 200,
    attempts: 1,
    durationMs: 300,
    manifest: [ENTRY],
    problem: undefined,
    failure: undefined,
    ...scan,
  };
}

/** The result of a step, taken from its first scan unless `step` says otherwise. */
export function makeBatch(
  scans: readonly ScanResult[],
  step: Partial<StepResult> = {},
): StepResult {
  return {
    scans,
    result: scans[0]?.result ?? 'not-sent',
    origin: 'https://scan.example',
    durationMs: 1500,
    failure: undefined,
    ...step,
  };
}

/** Properties of a step with one scan. */
export type SingleStep = Partial<ScanResult & Pick<StepResult, 'origin' | 'durationMs'>>;

/** The result of a step that uploaded one scan, unless `step` says otherwise. */
export function makeStep(step: SingleStep = {}): StepResult {
  const { origin = 'https://scan.example', durationMs = 1500, ...scan } = step;
  return makeBatch([makeScan(scan)], {
    origin: 'origin' in step ? step.origin : origin,
    durationMs,
  });
}

/** A refusal with the problem parsed from its text. */
export function makeRefusal(
  response: Partial<ServiceResponse>,
): Extract<Cause, { kind: 'refused' }> {
  const whole = makeResponse({ status: 400, ...response });
  const problem = parseProblem(whole.headers['content-type'], whole.text);
  return { kind: 'refused', response: whole, problem };
}

/** Standard output, captured until the test has ended. */
export interface Output {
  readonly text: string;
  /** The lines, without the end of the last one. */
  readonly lines: readonly string[];
}

export function captureOutput(): Output {
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

/** The lines that the runner would interpret as commands. */
export function findCommands(text: string): readonly string[] {
  return splitLines(text).filter(
    (line) => line.trimStart().startsWith('::') || line.includes('##['),
  );
}

/** The outputs in the text of a GITHUB_OUTPUT file. */
export function parseOutputs(text: string): Readonly<Record<string, string>> {
  const entries = text.matchAll(/^([^\n<]+)<<(ghadelimiter_\S+)\r?\n([^]*?)\r?\n\2$/gm);
  return Object.fromEntries([...entries].map(([, name = '', , value = '']) => [name, value]));
}
