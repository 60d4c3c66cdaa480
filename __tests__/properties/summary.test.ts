import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { showText } from '../../src/report/clean.ts';
import { cutText } from '../../src/text.ts';
import { RESULT_WORDS } from '../../src/report/failure.ts';
import type { Failure } from '../../src/report/failure.ts';
import { adviseRerun } from '../../src/report/rerun.ts';
import {
  RANKS,
  getResult,
  getScanKey,
  hasOwnFailure,
  hasWarnings,
  isOwn,
  listParts,
} from '../../src/report/scan-result.ts';
import type { ScanResult, StepResult } from '../../src/report/scan-result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { expectClean } from '../support/summary-document.ts';
import { makeBatch, makeScan } from '../support/report.ts';
import { readTable, readText } from '../support/github-markdown.ts';
import type { Element } from '../support/github-markdown.ts';
import { anyStep } from './summary-arbitraries.ts';

/** The maximum size of a step's summary on GitHub. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
const MAX_FAILURES = 5;
const MAX_PATH_CHARACTERS = 64;
const MAX_LABEL_CHARACTERS = 48;

/** The failures of a step, each once; those caused by other failures last. */
function listFailures({ scans, failure }: StepResult): readonly Failure[] {
  const all = new Set([...scans.map((scan) => scan.failure), failure]);
  return [...all]
    .filter((one) => one !== undefined)
    .toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
}

/** What happened, and how to fix it. */
const FAILURE_BLOCKS = ['pre', 'p', 'ul'];

/** The names of all blocks that the summary must have. */
function listBlocksOfOne(step: StepResult): readonly string[] {
  const { scans, failure: ofStep } = step;
  const parts = scans[0] === undefined ? [] : listParts(scans[0]);
  const failure = scans[0]?.failure ?? ofStep;
  return [
    'h3',
    ...(failure === undefined ? [] : FAILURE_BLOCKS),
    ...(failure === undefined && getResult(step) === 'skipped' ? ['p'] : []),
    ...(failure !== undefined && adviseRerun(step) !== undefined ? ['p'] : []),
    ...(parts.length > 0 ? ['table'] : []),
    ...(scans.some(hasWarnings) ? ['ul'] : []),
    'p',
    ...(parts.some(({ sha256 }) => sha256 !== undefined) ? ['details'] : []),
  ];
}

function listBlocksOfSeveral(step: StepResult): readonly string[] {
  const failures = listFailures(step);
  const shown = failures
    .slice(0, MAX_FAILURES)
    .flatMap((failure) => ['p', ...(isOwn(failure) ? FAILURE_BLOCKS : [])]);
  return [
    'h3',
    ...shown,
    ...(failures.length > MAX_FAILURES ? ['p'] : []),
    ...(failures.length > 0 && adviseRerun(step) !== undefined ? ['p'] : []),
    'table',
    'p',
    ...(step.scans.some((scan) => getScanKey(scan) !== undefined) ? ['details'] : []),
  ];
}

/** The position of a row in the order of the table. */
function placeRow(scan: ScanResult): number {
  if (scan.failure !== undefined) return hasOwnFailure(scan) ? 0 : 1;
  return hasWarnings(scan) ? 2 : 3;
}

/** Renders a summary, and checks its size and its blocks. */
function render(step: StepResult, names: readonly string[]): readonly Element[] {
  const summary = makeSummary(step);
  expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
  const blocks = expectClean(summary);
  expect(blocks.map(({ name }) => name)).toEqual(names);
  return blocks;
}

function expectFences(blocks: readonly Element[], failures: readonly Failure[]): void {
  const fences = blocks.filter(({ name }) => name === 'pre');
  expect(fences.map((block) => readText(block).replace(/\n$/, ''))).toEqual(
    failures.map(({ headline, details, traces }) =>
      showText([headline, ...details, ...traces].join('\n')),
    ),
  );
}

/** The rows of the first table without its headings; checks their number of cells. */
function readRows(blocks: readonly Element[]): readonly (readonly string[])[] {
  const [headings, ...rows] = readTable(blocks.find(({ name }) => name === 'table'));
  for (const row of rows) expect(row).toHaveLength(headings?.length ?? 0);
  return rows;
}

/** The end of a path, as shown. */
function cutStart(text: string): string {
  if (text.length <= MAX_PATH_CHARACTERS) return text;
  return `…${text.slice(1 - MAX_PATH_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

describe('makeSummary', () => {
  // One property for each kind of summary, because rendering takes most of the time.
  test('shows the files and the failure of one scan, within the size limit', () => {
    fc.assert(
      fc.property(anyStep(1, 1), (step) => {
        const [scan] = step.scans;
        const blocks = render(step, listBlocksOfOne(step));
        const failure = scan?.failure ?? step.failure;
        expectFences(blocks, failure === undefined ? [] : [failure]);
        const paths = (scan?.plan?.parts ?? []).map(({ file, warnings = [] }) => {
          const path = joinWhiteSpace(cutStart(showText(file.displayPath)));
          return `${warnings.length > 0 ? '⚠️ ' : ''}${path}`;
        });
        const rows = paths.length === 0 ? [] : readRows(blocks);
        expect(rows.map((row) => row[1])).toEqual(paths);
      }),
      { numRuns: 300 },
    );
  });

  test('shows multiple scans, failed ones first, and at most five failures, within the size limit', () => {
    fc.assert(
      fc.property(anyStep(2, 12), (step) => {
        const blocks = render(step, listBlocksOfSeveral(step));
        const ranked = RANKS.map((rank) => step.scans.filter(({ result }) => result === rank));
        const counts = ranked.flatMap((scans) => {
          const [first] = scans;
          if (first === undefined) return [];
          const own = scans.filter(hasOwnFailure).length;
          const note =
            own > 0 && own < scans.length
              ? ` (${own} failed on ${own === 1 ? 'its' : 'their'} own)`
              : '';
          return [`${scans.length} ${RESULT_WORDS[first.result]}${note}`];
        });
        const heading = readText(...blocks.slice(0, 1));
        expect(heading).toMatch(/^\S+ Scan uploads: /);
        expect(heading.replace(/^.*: /, '').split(', ')).toEqual(counts);
        const expected = step.scans
          .toSorted((one, other) => placeRow(one) - placeRow(other))
          .map(({ entry: { label = '' }, result }) => [
            joinWhiteSpace(cutText(showText(label), MAX_LABEL_CHARACTERS)),
            RESULT_WORDS[result],
          ]);
        // A table has no column without text.
        const isNamed = expected.some(([label]) => label !== '');
        const rows = readRows(blocks)
          .map((cells) => (isNamed ? cells : ['', ...cells]))
          .map(([label, result]) => [label, result?.replace(/^(?:❌|⚠️) | \([\w-]+\)$/gu, '')]);
        expect(rows).toEqual(expected);
        expectFences(blocks, listFailures(step).slice(0, MAX_FAILURES).filter(isOwn));
      }),
      { numRuns: 60, examples: [[makeBatch([makeScan({ label: ' ' }), makeScan({ label: '' })])]] },
    );
  });
});
