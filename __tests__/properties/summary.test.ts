import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { showText } from '../../src/report/clean.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { readTable, readText } from '../support/github-markdown.ts';
import type { Element } from '../support/github-markdown.ts';
import { makeStep } from '../support/report.ts';
import type { SingleStep } from '../support/report.ts';
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

const STEP: fc.Arbitrary<SingleStep> = fc.record({
  result: fc.constantFrom('accepted', 'rejected', 'not-sent', 'unconfirmed', 'dry-run', 'skipped'),
  operation: fc.option(fc.constantFrom('upload-file', 'upload-multiple-files'), { nil: undefined }),
  statusCode: fc.option(fc.integer({ min: 100, max: 999 }), { nil: undefined }),
  attempts: fc.nat({ max: 101 }),
  origin: fc.option(TEXT, { nil: undefined }),
  durationMs: fc.nat({ max: MAX_DURATION_MS }),
  manifest: fc.array(ENTRY, { maxLength: 2 }),
  problem: fc.constant(undefined),
  failure: fc.option(FAILURE, { nil: undefined }),
});

const FAILED = ['rejected', 'not-sent', 'unconfirmed'];

/** The blocks that a summary of this step has to have, and no other. */
function listExpected({
  result = 'accepted',
  manifest = [],
  failure,
}: SingleStep): readonly string[] {
  const hasSteps = failure !== undefined && (failure.advice.length > 0 || FAILED.includes(result));
  return [
    'h3',
    'p',
    ...(failure === undefined ? [] : ['pre']),
    ...(hasSteps ? ['p', 'ul'] : []),
    ...(manifest.length > 0 ? ['table'] : []),
    ...(manifest.some(hasFindings) ? ['table'] : []),
  ];
}

/** The end of a text that is shown, on one line. */
function cutStart(text: string): string {
  if (text.length <= 48) return text;
  return `…${text.slice(-47).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Each file has a row with its path as it is shown. */
function expectRows(blocks: readonly Element[], { manifest = [] }: SingleStep): void {
  const table = manifest.length > 0 ? blocks.find(({ name }) => name === 'table') : undefined;
  const [headings = [], ...rows] = readTable(table);
  expect(rows.map((row) => row.length)).toEqual(manifest.map(() => headings.length));
  const shown = manifest.map(({ path }) => joinWhiteSpace(cutStart(showText(path))));
  expect(rows.map((row) => row[1])).toEqual(shown);
}

/** The whole of what may be shown of the failure stands in its fence. */
function expectFailure(blocks: readonly Element[], { failure }: SingleStep): void {
  if (failure === undefined) return;
  const fenced = blocks.find(({ name }) => name === 'pre');
  const text = showText([failure.headline, ...failure.details].join('\n'));
  expect(readText(...(fenced?.children ?? [])).replace(/\n$/, '')).toBe(text);
}

describe('the summary of any step', () => {
  // One property for all of them: to render a summary takes most of the time.
  test('has the expected blocks, rows and failure, and fits', () => {
    fc.assert(
      fc.property(STEP, (step) => {
        const summary = makeSummary(makeStep(step));
        expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
        const blocks = expectClean(summary);
        expect(blocks.map(({ name }) => name)).toEqual(listExpected(step));
        expectRows(blocks, step);
        expectFailure(blocks, step);
      }),
      { numRuns: 300 },
    );
  });

  test('has a number in each cell of the severities, and no bar longer than another is worth', () => {
    const withFindings = ENTRY.filter(hasFindings);
    fc.assert(
      fc.property(withFindings, STEP, (entry, step) => {
        const summary = makeSummary(makeStep({ ...step, manifest: [entry] }));
        const rows = readTable(expectClean(summary).findLast(({ name }) => name === 'table'));
        const cells = (rows[1] ?? []).slice(1).map((cell) => {
          const [, number = '', bar = ''] = /^([\d,]+)(?: (█*▌?))?$/.exec(cell) ?? [];
          return { count: Number(number.replaceAll(',', '')), bar };
        });
        const { critical, high, medium, low, none, unknown } = entry.severities ?? {};
        const counts = [critical, high, medium, low, (none ?? 0) + (unknown ?? 0)];
        expect(cells.map(({ count }) => count)).toEqual(counts);
        const sorted = cells.toSorted((one, other) => one.count - other.count);
        const halves = sorted.map(({ bar }) => bar.length * 2 - (bar.endsWith('▌') ? 1 : 0));
        expect(halves).toEqual(halves.toSorted((one, other) => one - other));
        expect(halves.at(-1)).toBe(16);
        for (const { count, bar } of cells) expect(bar === '').toBe(count === 0);
      }),
      { numRuns: 150 },
    );
  });
});
