import { describe, expect, test } from '@jest/globals';
import type { Failure, ManifestEntry, ScanResult } from '../../src/report/result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { readTable } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, REPORT, makeBatch, makeScan } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

/** GitHub refuses a larger summary of one step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
const SCANS = 1000;

function make(scans: readonly ScanResult[]): string {
  return makeSummary(makeBatch(scans));
}

/** What grows most when it is made harmless: each character or each word, and what takes bytes. */
const GROWING = [
  ['marks', '|', '|'],
  ['marks and words of marks', '|', '| '],
  ['marks and words in brackets', '|', '(| '],
  ['marks that are words', '| ', '| '],
  ['words that look like commits', 'deadbeef1 ', 'deadbeef1 '],
  ['mentions', '@a ', '@a '],
  ['letters of three bytes', '\u6f22', '\u6f22'],
  ['letters of four bytes', '\u{1f511}', '\u{1f511} '],
  ['backticks', '`', '` '],
] as const;

/** Scans whose every text is as long as can be; failures share nothing, or are one. */
function makeLong(piece: string, words: string, isShared: boolean): readonly ScanResult[] {
  const [long, longWords] = [piece.repeat(20_000), words.repeat(20_000)];
  const files: readonly ManifestEntry[] = [ENTRY, REPORT].map((entry) => ({
    ...entry,
    path: long,
    tool: long,
    specVersion: long,
    bytes: Number.MAX_SAFE_INTEGER,
    findings: Number.MAX_SAFE_INTEGER,
    components: Number.MAX_SAFE_INTEGER,
    severities: { critical: 9e15, high: 9e15, medium: 9e15, low: 9e15, none: 9e15, unknown: 9e15 },
  }));
  // As an upload that is refused: a problem of many members, of which each is one line.
  const makeFailure = (): Failure => ({ ...FAILURE, headline: longWords, details: [long, long] });
  const shared = makeFailure();
  return Array.from({ length: SCANS }, () => {
    const failure = isShared ? shared : makeFailure();
    return makeScan({ label: long, name: long, result: 'rejected', manifest: files, failure });
  });
}

describe('the summary of many scans with the longest texts', () => {
  test.each(GROWING)('fits, if they are %s', (_, piece, words) => {
    for (const isShared of [false, true]) {
      const summary = make(makeLong(piece, words, isShared));
      expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
      expect(summary).toContain('And 700 rejected.');
    }
  });
});

const LABELS = [
  'a | b',
  'a\n\n| c | d |',
  '<img src=x onerror=alert(1)>',
  '</code><script>x</script>',
  '![a](https://evil.example)',
  '[a](javascript:b)',
  '@someone #12 GH-12 owner/name#1',
  'https://evil.example www.evil.example a@evil.example',
  '`` ` ``` ~~~',
  '**bold** _x_ # h',
  'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
  ':smile: $x$ [[page]]',
  '&lt;b&gt; &#124;',
  '\u202eright \u200bto left',
  '::error::x ##[group]y',
  '- list',
  '',
];

describe('the summary of several scans', () => {
  test.each(LABELS)('takes %j for a text, wherever it stands', (text) => {
    const failure = { ...FAILURE, headline: text, details: [text], advice: [`Check ${text}`] };
    const manifest = [{ ...REPORT, path: text, tool: text, specVersion: text }];
    const scans = ['rejected', 'accepted', 'not-sent'].map((result, index) =>
      makeScan({
        label: text,
        name: text,
        result: result === 'rejected' || result === 'accepted' ? result : 'not-sent',
        manifest,
        failure: index === 1 ? undefined : failure,
      }),
    );
    const blocks = expectClean(make(scans));
    expect(blocks.map(({ name }) => name)).toEqual([
      'h3',
      'p',
      'table',
      'table',
      'p',
      'pre',
      'p',
      'ul',
      'p',
      'ul',
    ]);
    const [table] = blocks.filter(({ name }) => name === 'table');
    const [headings = [], ...rows] = readTable(table);
    expect(rows.map((row) => row.length)).toEqual([1, 2, 3].map(() => headings.length));
  });
});
