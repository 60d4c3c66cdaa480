import { describe, expect, test } from '@jest/globals';
import { showText } from '../../src/report/clean.ts';
import type { Failure } from '../../src/report/failure.ts';
import type { ScanResult } from '../../src/report/scan-result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { MARKUP_PIECES } from '../properties/arbitraries.ts';
import type { Element } from '../support/github-markdown.ts';
import { findElements, readTable, readText } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, REPORT_ENTRY, makeBatch, makeScan, makeStep } from '../support/report.ts';
import type { ManifestEntry, ScanSpec } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

/** A text in one line, as the summary shows it. */
function showLine(text: string): string {
  return joinWhiteSpace(showText(text));
}

const HIDDEN = ['\u202ea\u202c', 'a\u200b@b', '::error::a', '##[group]a'];
const FOREIGN = [...MARKUP_PIECES, ...HIDDEN].filter((text) => showLine(text) !== '');

/** A scan with this text in every place that shows text from outside. */
function makeForeign(text: string, scan: ScanSpec = {}): ScanResult {
  const entry = { path: text, tool: text, specVersion: text };
  const fixes = [`Check ${text}`];
  return makeScan({
    label: text,
    name: text,
    result: 'rejected',
    manifest: [ENTRY, REPORT_ENTRY].map((known) => ({ ...known, ...entry })),
    failure: { ...FAILURE, headline: text, details: [text, text], fixes, traces: [text] },
    ...scan,
  });
}

/** The blocks of a summary of these scans; expects exactly the blocks with these names. */
function render(scans: readonly ScanResult[], origin: string, names: string): readonly Element[] {
  const blocks = expectClean(makeSummary(makeBatch(scans, { origin })));
  expect(blocks.map(({ name }) => name).join(' ')).toBe(names);
  return blocks;
}

/** The rows of a table without its headings; expects one cell for each heading. */
function readRows(table: Element | undefined): readonly (readonly string[])[] {
  const [headings, ...rows] = readTable(table);
  for (const row of rows) expect(row).toHaveLength(headings?.length ?? 0);
  return rows;
}

function expectFailure(blocks: readonly Element[], text: string): void {
  const [fenced] = blocks.filter(({ name }) => name === 'pre');
  expect(readText(...(fenced?.children ?? []))).toBe(
    `${showText([text, text, text, text].join('\n'))}\n`,
  );
  expect(findElements(blocks, 'li').map((item) => readText(item))[0]).toBe(
    showLine(`Check ${text}`),
  );
}

describe('makeSummary with text from outside', () => {
  test.each(FOREIGN)('shows %j unchanged in every place', (text) => {
    const shown = showLine(text);
    const one = render([makeForeign(text)], text, 'h3 pre p ul p table p details');
    expectFailure(one, text);
    const run = one[6] === undefined ? '' : readText(one[6]);
    expect(run.endsWith(` · ${shown}`)).toBe(true);
    for (const [, path, format] of readRows(one[5])) {
      expect(path).toBe(shown);
      expect(
        ['JSON', 'Grype'].map((name) => showLine(`${name} (schema ${text}) by ${text}`)),
      ).toContain(format);
    }
    const accepted = makeForeign(text, { result: 'accepted', failure: undefined });
    const several = render([accepted, makeForeign(text)], text, 'h3 p pre p ul p table p details');
    expectFailure(several, text);
    const rows = readRows(several.find(({ name }) => name === 'table'));
    expect(rows.map((row) => row[4])).toEqual([shown, shown, shown, shown]);
    expect(rows.map((row) => row[0])).toEqual([shown, '', shown, '']);
    expect(rows[0]?.[2]).toBe(shown);
  });

  test('leaves plain words of fixes unchanged, and writes everything else as code', () => {
    const fixes = ['Check base-url (30,000 bytes): https://a.example is not there; see @b.'];
    const failure = { ...FAILURE, fixes };
    const summary = makeSummary(makeStep({ result: 'rejected', manifest: [], failure }));
    const [item] = findElements(expectClean(summary), 'li');
    expect(findElements(item?.children ?? [], 'code').map((code) => readText(code))).toEqual([
      'https://a.example',
      '@b',
    ]);
    expect(readText(...(item?.children ?? []))).toBe(fixes[0]);
  });
});

/** GitHub refuses a larger summary of one step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
const SCANS = 1000;

/** Scans with very long texts, which have a failure each or share one. */
function makeLong(piece: string, words: string, isShared: boolean): readonly ScanResult[] {
  const [long, longWords] = [piece.repeat(20_000), words.repeat(20_000)];
  const files: readonly ManifestEntry[] = [ENTRY, REPORT_ENTRY].map((entry) => ({
    ...entry,
    path: long,
    tool: long,
    specVersion: long,
    bytes: Number.MAX_SAFE_INTEGER,
    findings: Number.MAX_SAFE_INTEGER,
    warnings: Array.from({ length: 12 }, (_, index) => `${index} ${longWords}`),
    components: Number.MAX_SAFE_INTEGER,
    severities: { critical: 9e15, high: 9e15, medium: 9e15, low: 9e15, none: 9e15, unknown: 9e15 },
  }));
  // Problem details with many members have a line for each.
  const makeFailure = (): Failure => ({ ...FAILURE, headline: longWords, details: [long, long] });
  const shared = makeFailure();
  return Array.from({ length: SCANS }, () => {
    const failure = isShared ? shared : makeFailure();
    return makeScan({ label: long, name: long, result: 'rejected', manifest: files, failure });
  });
}

describe('makeSummary of a thousand scans with the longest texts', () => {
  // The texts that grow most when each character or each word is escaped, and the longest encodings.
  test.each([
    ['marks and words in brackets', '|', '(| ', false],
    ['a failure that they share', '|', '(| ', true],
    ['marks that are words', '| ', '| ', false],
    ['words that resemble commits', 'deadbeef1 ', 'deadbeef1 ', false],
    ['mentions', '@a ', '@a ', false],
    ['letters of four bytes', '\u{1f511}', '\u{1f511} ', false],
    ['backticks', '`', '` ', false],
  ])('stays below the limit of GitHub with %s', (_, piece, words, isShared) => {
    const summary = makeSummary(makeBatch(makeLong(piece, words, isShared)));
    expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
    expect(summary).toContain('And 1900 more rows: ');
  });
});
