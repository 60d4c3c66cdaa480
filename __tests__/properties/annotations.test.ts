import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { annotateFailures } from '../../src/report/annotations.ts';
import type { Failure, ScanResult } from '../../src/report/result.ts';
import { makeBatch, makeScan } from '../support/report.ts';
import { FAILURE, TEXT } from './summary-arbitraries.ts';
import { captureLines, makeLog } from './written.ts';

/** How many errors of one step the runner shows, and how long. */
const MAX_ANNOTATIONS = 10;
const MAX_MESSAGE_CHARACTERS = 4096;

/** Scans of which each ended with one of the failures, or with none. */
const SCANS: fc.Arbitrary<readonly ScanResult[]> = fc
  .record({
    failures: fc.array(FAILURE, { minLength: 1, maxLength: 20 }),
    scans: fc.array(fc.record({ label: TEXT, failure: fc.nat({ max: 24 }) }), { maxLength: 40 }),
  })
  .map(({ failures, scans }) => {
    // The first words of a title are the action's own.
    const known: readonly Failure[] = failures.map((failure) => ({
      ...failure,
      title: `Scan ${failure.title}`,
    }));
    return scans.map(({ label, failure }) => makeScan({ label, failure: known[failure] }));
  });

function annotate(scans: readonly ScanResult[], ...secrets: readonly string[]): readonly string[] {
  const log = makeLog(...secrets);
  return captureLines(() => annotateFailures(makeBatch(scans), log));
}

function countFailures(scans: readonly ScanResult[]): number {
  return new Set(scans.map(({ failure }) => failure).filter((one) => one !== undefined)).size;
}

describe('the annotations of any scans', () => {
  test('are one for each failure, or ten, and nothing else', () => {
    fc.assert(
      fc.property(SCANS, (scans) => {
        const lines = annotate(scans);
        expect(lines).toHaveLength(Math.min(countFailures(scans), MAX_ANNOTATIONS));
        for (const line of lines) {
          const [, message] = /^::error title=[^:,\r\n]*::(.*)$/.exec(line) ?? [];
          expect(message?.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARACTERS * 3);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('count every scan that failed where there are more failures than are shown', () => {
    const many = fc.array(TEXT, { minLength: 11, maxLength: 60 });
    fc.assert(
      fc.property(many, (labels) => {
        const scans = labels.map((label) =>
          makeScan({ label, failure: { title: 't', headline: 'h', details: [], advice: [] } }),
        );
        const last = annotate(scans).at(-1) ?? '';
        expect(last).toContain(`::${labels.length - 9} more scans failed: `);
      }),
      { numRuns: 100 },
    );
  });
});
