import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { showText } from '../../src/report/clean.ts';
import { RANKS, RESULT_WORDS, worstOf } from '../../src/report/result.ts';
import type { Failure, ScanResult, StepResult } from '../../src/report/result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { readTable, readText } from '../support/github-markdown.ts';
import type { Element } from '../support/github-markdown.ts';
import { makeBatch } from '../support/report.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { expectClean } from '../support/summary-document.ts';
import {
  ENTRY,
  FAILURE,
  MAX_DURATION_MS,
  MAX_SUMMARY_BYTES,
  TEXT,
  hasFindings,
  joinWhiteSpace,
} from './summary-arbitraries.ts';

const MAX_FAILURES = 5;
const MAX_LABEL_CHARACTERS = 48;

/** A scan, and which of the step's failures it ended with, if with one. */
const SCAN = fc.record({
  label: TEXT,
  result: fc.constantFrom(...RANKS),
  operation: fc.option(fc.constantFrom('upload-file', 'upload-multiple-files'), { nil: undefined }),
  statusCode: fc.option(fc.integer({ min: 100, max: 999 }), { nil: undefined }),
  attempts: fc.nat({ max: 101 }),
  manifest: fc.array(ENTRY, { maxLength: 2 }),
  failure: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
});

/** Any step with several scans, some of which share a failure. */
const STEP: fc.Arbitrary<StepResult> = fc
  .record({
    scans: fc.array(SCAN, { minLength: 2, maxLength: 12 }),
    failures: fc.array(FAILURE, { minLength: 1, maxLength: 8 }),
    following: fc.nat({ max: 7 }),
    origin: fc.option(TEXT, { nil: undefined }),
    durationMs: fc.nat({ max: MAX_DURATION_MS }),
    stepFailure: fc.option(FAILURE, { nil: undefined, freq: 8 }),
  })
  .map(({ scans, failures, following, origin, durationMs, stepFailure }) => {
    const known: readonly Failure[] = failures.map((failure, index) =>
      index === following ? { ...failure, isFollowing: true } : failure,
    );
    const results = scans.map(({ failure, ...scan }): ScanResult => {
      const shared = failure === undefined ? undefined : known[failure % known.length];
      return { ...scan, name: scan.label, scanKey: SCAN_KEY, problem: undefined, failure: shared };
    });
    const result = worstOf(results.map((scan) => scan.result)) ?? 'not-sent';
    return makeBatch(results, { result, origin, durationMs, failure: stepFailure });
  });

function sortByRank(scans: readonly ScanResult[]): readonly ScanResult[] {
  return RANKS.flatMap((rank) => scans.filter(({ result }) => result === rank));
}

/** The step's failures, each once; those that follow from others last. */
function listFailures({ scans, failure }: StepResult): readonly Failure[] {
  const all = new Set(
    [...scans.map((scan) => scan.failure), failure].filter((one) => one !== undefined),
  );
  return [...all].toSorted(
    (one, other) => Number(one.isFollowing ?? 0) - Number(other.isFollowing ?? 0),
  );
}

/** The blocks that a summary of this step has to have, and no other. */
function listExpected(step: StepResult): readonly string[] {
  const failures = listFailures(step);
  const told = failures
    .slice(0, MAX_FAILURES)
    .flatMap(({ advice }) => ['p', 'pre', ...(advice.length > 0 ? ['p', 'ul'] : [])]);
  const isSevere = step.scans.some(({ manifest }) => manifest.some(hasFindings));
  return [
    'h3',
    'p',
    'table',
    ...(isSevere ? ['table'] : []),
    ...told,
    ...(failures.length > MAX_FAILURES ? ['p'] : []),
    ...(failures.length > 0 ? ['p', 'ul'] : []),
  ];
}

/** A label as a row shows it. */
function showLabel(text: string): string {
  const isLong = text.length > MAX_LABEL_CHARACTERS;
  const start = text.slice(0, MAX_LABEL_CHARACTERS - 2).replace(/[\uD800-\uDBFF]$/, '');
  return joinWhiteSpace(isLong ? `${start} …` : text);
}

/** Every scan is counted in the heading. */
function expectCounts([heading]: readonly Element[], { scans }: StepResult): void {
  const [, counts = ''] = /^\S+ Scan uploads: (.*)$/.exec(readText(heading ?? '')) ?? [];
  const expected = RANKS.flatMap((rank) => {
    const count = scans.filter(({ result }) => result === rank).length;
    return count === 0 ? [] : [`${count} ${RESULT_WORDS[rank]}`];
  });
  expect(counts.split(', ')).toEqual(expected);
}

/** Each scan has a row: the worst result first, else in the order of the scans. */
function expectRows(blocks: readonly Element[], { scans }: StepResult): void {
  const [headings = [], ...rows] = readTable(blocks.find(({ name }) => name === 'table'));
  expect(rows.map((row) => row.length)).toEqual(scans.map(() => headings.length));
  const sorted = sortByRank(scans);
  expect(rows.map(([label]) => label)).toEqual(
    sorted.map(({ label = '' }) => showLabel(showText(label))),
  );
  expect(rows.map(([, result]) => result?.replace(/^❌ | \(\d+\)$/g, ''))).toEqual(
    sorted.map(({ result }) => RESULT_WORDS[result]),
  );
}

/** The whole of what may be shown of five failures stands in their fences. */
function expectFailures(blocks: readonly Element[], step: StepResult): void {
  const fences = blocks.filter(({ name }) => name === 'pre');
  const shown = listFailures(step).slice(0, MAX_FAILURES);
  expect(fences.map((block) => readText(block).replace(/\n$/, ''))).toEqual(
    shown.map(({ headline, details }) => showText([headline, ...details].join('\n'))),
  );
}

describe('the summary of any step with several scans', () => {
  // One property for all of them: to render a summary takes most of the time.
  test('has the expected blocks, counts, rows and failures, and fits', () => {
    fc.assert(
      fc.property(STEP, (step) => {
        const summary = makeSummary(step);
        expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
        const blocks = expectClean(summary);
        expect(blocks.map(({ name }) => name)).toEqual(listExpected(step));
        expectCounts(blocks, step);
        expectRows(blocks, step);
        expectFailures(blocks, step);
      }),
      { numRuns: 60 },
    );
  });
});
