import * as fc from 'fast-check';
import type { Failure } from '../../src/report/failure.ts';
import type { ScanResult, StepResult } from '../../src/report/scan-result.ts';
import { RANKS } from '../../src/report/scan-result.ts';
import { makeBatch, makeScan } from '../support/report.ts';
import type { ManifestEntry } from '../support/report.ts';
import { showText } from '../../src/report/clean.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { anyText, longText, markupText } from './arbitraries.ts';

/** The maximum duration of a job, in milliseconds. */
const MAX_DURATION_MS = 6 * 60 * 60 * 1000;
/** Any text from outside. */
const TEXT = fc.oneof(
  { arbitrary: anyText(), weight: 5 },
  { arbitrary: markupText(), weight: 4 },
  { arbitrary: longText(), weight: 1 },
);
const COUNT = fc.oneof(fc.nat({ max: 3 }), fc.nat());

/** A file with any combination of known facts. */
const ENTRY: fc.Arbitrary<ManifestEntry> = fc.record(
  {
    part: fc.constantFrom('ScanJsonFile', 'DependenciesCDX', 'VulnerabilitiesTool'),
    path: TEXT.filter((text) => joinWhiteSpace(showText(text)) !== ''),
    bytes: fc.nat(),
    sha256: fc.stringMatching(/^[\da-f]{64}$/),
    format: fc.constantFrom('cyclonedx', 'spdx', 'sarif', 'dependency-check', 'json', 'unknown'),
    specVersion: TEXT,
    tool: TEXT,
    components: COUNT,
    vulnerabilities: COUNT,
    findings: COUNT,
    severities: fc.record({
      critical: COUNT,
      high: COUNT,
      medium: COUNT,
      low: COUNT,
      none: COUNT,
      unknown: COUNT,
    }),
    inspected: fc.constantFrom('full', 'partial'),
    warnings: fc.array(TEXT, { maxLength: 3 }),
  },
  { requiredKeys: ['part', 'path', 'bytes', 'format', 'inspected', 'warnings'] },
);

const FAILURE: fc.Arbitrary<Failure> = fc.record({
  situation: fc.constantFrom('invalid', 'connect-failed', 'cancelled'),
  reason: fc.constantFrom('problem', 'connection', 'cancelled'),
  title: TEXT,
  headline: TEXT,
  details: fc.array(TEXT, { maxLength: 12 }),
  // A fix starts with words of the action.
  fixes: fc.array(
    TEXT.map((text) => `Check ${text}`),
    { minLength: 1, maxLength: 6 },
  ),
  traces: fc.array(TEXT, { maxLength: 3 }),
});

/** A scan, and the index of the failure that ended it, if any. */
const SCAN = fc.record({
  label: TEXT,
  result: fc.constantFrom(...RANKS),
  operation: fc.option(fc.constantFrom('upload-file', 'upload-multiple-files'), { nil: undefined }),
  statusCode: fc.option(fc.integer({ min: 100, max: 999 }), { nil: undefined }),
  attempts: fc.nat({ max: 101 }),
  manifest: fc.array(ENTRY, { maxLength: 2 }),
  failure: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
});

/** Any step with this number of scans, some of which share a failure. */
export function anyStep(minLength: number, maxLength: number): fc.Arbitrary<StepResult> {
  return fc
    .record({
      scans: fc.array(SCAN, { minLength, maxLength }),
      failures: fc.array(FAILURE, { minLength: 1, maxLength: 8 }),
      following: fc.nat({ max: 7 }),
      origin: fc.option(TEXT, { nil: undefined }),
      durationMs: fc.nat({ max: MAX_DURATION_MS }),
      failure: fc.option(FAILURE, { nil: undefined, freq: 8 }),
    })
    .map(({ scans, failures, following, ...step }) => {
      const known: readonly Failure[] = failures.map((failure, index) =>
        index === following ? { ...failure, situation: 'other-scans' } : failure,
      );
      const results = scans.map(({ failure = Number.NaN, ...scan }): ScanResult =>
        makeScan({ ...scan, name: scan.label, failure: known[failure % known.length] }),
      );
      return makeBatch(results, {
        ...step,
      });
    });
}
