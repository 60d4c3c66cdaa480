import * as fc from 'fast-check';
import type { Failure, ManifestEntry } from '../../src/report/result.ts';
import { anyText, characterOf, longText } from './arbitraries.ts';
import { markupText } from './markup-arbitraries.ts';

/** GitHub refuses a larger summary of one step. */
export const MAX_SUMMARY_BYTES = 1024 * 1024;
/** The longest job, in milliseconds. */
export const MAX_DURATION_MS = 6 * 60 * 60 * 1000;
/** Any text from outside. */
export const TEXT = fc.oneof(
  { arbitrary: anyText(), weight: 5 },
  { arbitrary: markupText(), weight: 4 },
  { arbitrary: longText(), weight: 1 },
);
const COUNT = fc.oneof(fc.nat({ max: 3 }), fc.nat());

/** A file, of which anything may be known. */
export const ENTRY: fc.Arbitrary<ManifestEntry> = fc.record(
  {
    part: fc.constantFrom('ScanJsonFile', 'DependenciesCDX', 'VulnerabilitiesTool'),
    path: TEXT,
    bytes: fc.nat(),
    sha256: fc.string({
      unit: characterOf('0123456789abcdef'),
      minLength: 64,
      maxLength: 64,
    }),
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
  },
  { requiredKeys: ['part', 'path', 'bytes', 'format', 'inspected'] },
);

/** Any failure. */
export const FAILURE: fc.Arbitrary<Failure> = fc.record({
  title: TEXT,
  headline: TEXT,
  details: fc.array(TEXT, { maxLength: 12 }),
  // The advice is the action's own, as its first words are.
  advice: fc.array(
    TEXT.map((text) => `Check ${text}`),
    { maxLength: 6 },
  ),
});

export function hasFindings({ severities }: ManifestEntry): boolean {
  return Object.values(severities ?? {}).some((count) => count > 0);
}

/** A text as it stands in a cell. */
export function joinWhiteSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
