import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { showText } from '../../src/report/clean.ts';
import type { PlannedPart } from '../../src/plan/plan.ts';
import { RESULT_WORDS } from '../../src/report/failure.ts';
import { RANKS, groupFailures, hasOwnFailure, listParts } from '../../src/report/scan-result.ts';
import type { ScanResult, StepResult } from '../../src/report/scan-result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { cutText, joinWhiteSpace } from '../../src/text.ts';
import { expectClean } from '../support/summary-document.ts';
import { makeBatch, makeScan } from '../support/report.ts';
import { readTable, readText } from '../support/github-markdown.ts';
import type { Element } from '../support/github-markdown.ts';
import { anyStep } from './summary-arbitraries.ts';

/** The maximum size of a step's summary on GitHub. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
const MAX_FAILURES = 5;
const MAX_CELL_CHARACTERS = 64;

/** The position of a row in the order of the table. */
function placeRow(scan: ScanResult): number {
  if (scan.failure !== undefined) return hasOwnFailure(scan) ? 0 : 1;
  return listParts(scan).some(({ warnings = [] }) => warnings.length > 0) ? 2 : 3;
}

/** Renders a summary, and checks its size, its elements and its failures. */
function render(step: StepResult): readonly Element[] {
  const summary = makeSummary(step);
  expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
  const blocks = expectClean(summary);
  const fences = blocks.filter(({ name }) => name === 'pre');
  expect(fences.map((block) => readText(block).replace(/\n$/, ''))).toEqual(
    groupFailures(step)
      .slice(0, MAX_FAILURES)
      .map(({ failure: { headline, details, traces } }) =>
        showText(
          [headline, ...details, ...(traces.length > 0 ? [traces.join(' · ')] : [])].join('\n'),
        ),
      ),
  );
  return blocks;
}

/** The rows of the first table without its headings; checks their number of cells. */
function readRows(blocks: readonly Element[]): readonly (readonly string[])[] {
  const [headings, ...rows] = readTable(blocks.find(({ name }) => name === 'table'));
  for (const row of rows) expect(row).toHaveLength(headings?.length ?? 0);
  return rows;
}

/** The path of a file, as shown: its end, if it is long. */
function showPath({ file: { displayPath }, warnings = [] }: PlannedPart): string {
  const isLong = displayPath.length > MAX_CELL_CHARACTERS;
  const end = isLong ? `…${displayPath.slice(1 - MAX_CELL_CHARACTERS)}` : displayPath;
  return `${warnings.length > 0 ? '⚠️ ' : ''}${joinWhiteSpace(showText(end))}`;
}

describe('makeSummary', () => {
  // One property for each kind of summary, because rendering takes most of the time.
  test('shows the files and the failure of one scan, within the size limit', () => {
    fc.assert(
      fc.property(anyStep(1, 1), (step) => {
        const blocks = render(step);
        const paths = step.scans.flatMap(listParts).map(showPath);
        const rows = paths.length === 0 ? [] : readRows(blocks);
        expect(rows.map((row) => row[1])).toEqual(paths);
      }),
      { numRuns: 150 },
    );
  });

  test('shows multiple scans, failed ones first, and at most five failures, within the size limit', () => {
    fc.assert(
      fc.property(anyStep(2, 12), (step) => {
        const blocks = render(step);
        const counts = RANKS.map((rank) => [
          step.scans.filter(({ result }) => result === rank).length,
          RESULT_WORDS[rank],
        ]);
        const heading = readText(...blocks.slice(0, 1));
        expect(heading).toMatch(/^\S+ Scan uploads: /);
        expect(heading.replace(/^.*: /, '')).toBe(
          counts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(', '),
        );
        const expected = step.scans
          .toSorted((one, other) => placeRow(one) - placeRow(other))
          .flatMap((scan) => {
            const label = joinWhiteSpace(
              showText(cutText(scan.entry.label ?? '', MAX_CELL_CHARACTERS)),
            );
            const others = listParts(scan).slice(1);
            return [[label, RESULT_WORDS[scan.result]], ...others.map(() => ['', ''])];
          });
        // A table has no column without text.
        const isNamed = expected.some(([label]) => label !== '');
        const rows = readRows(blocks)
          .map((cells) => (isNamed ? cells : ['', ...cells]))
          .map(([label, result]) => [label, result?.replace(/^❌ | \([\w-]+\)$/gu, '')]);
        expect(rows).toEqual(expected);
      }),
      { numRuns: 40, examples: [[makeBatch([makeScan({ label: ' ' }), makeScan({ label: '' })])]] },
    );
  });
});
