import { describe, expect, test } from '@jest/globals';
import { worstOf } from '../../src/report/result.ts';
import type { ResultName, ScanResult } from '../../src/report/result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { readTable, readText } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, INVENTORY, REPORT, makeBatch, makeScan } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

function make(scans: readonly ScanResult[]): string {
  const result = worstOf(scans.map((scan) => scan.result)) ?? 'not-sent';
  return makeSummary(makeBatch(scans, { result }));
}

const FAILED = { result: 'rejected', failure: FAILURE } as const;

/** Scans with this result, labelled by it and their number. */
function makeMany(count: number, result: ResultName, scan: Partial<ScanResult> = {}): ScanResult[] {
  return Array.from({ length: count }, (_, index) =>
    makeScan({ label: `${result} ${index}`, result, ...scan }),
  );
}

function makeFailed(count: number): readonly ScanResult[] {
  return makeMany(count, 'rejected').map((scan) => ({
    ...scan,
    failure: { ...FAILURE, headline: `${scan.label} is wrong.` },
  }));
}

/** The rows of the first table, without its headings. */
function readRows(summary: string): readonly (readonly string[])[] {
  const table = expectClean(summary).find(({ name }) => name === 'table');
  return readTable(table).slice(1);
}

describe('the summary of several scans', () => {
  test('shows the count of each result, the run, and a row for each scan', () => {
    const scans = [
      makeScan({ label: 'billing', manifest: [INVENTORY, REPORT], attempts: 1 }),
      makeScan({ ...FAILED, label: 'shop', statusCode: 400, attempts: 2 }),
    ];
    expect(make(scans).split('\n').slice(0, 8)).toEqual([
      '### ❌ Scan uploads: 1 rejected, 1 accepted',
      '',
      'to <code>https&#58;&#47;&#47;scan&#46;example</code> · 3 attempts · 1.5 s',
      '',
      '| Scan | Result | Files | Size | Contents | Attempts | What happened |',
      '| :--- | :--- | :--- | ---: | :--- | ---: | :--- |',
      '| <code>shop</code> | ❌ rejected (400) | <code>out&#47;scan&#46;json</code> | 1.2&nbsp;KiB |  | 2 | The scan key is not known&#46; |',
      '| <code>billing</code> | accepted (200) | <code>bom&#46;cdx&#46;json</code>, <code>grype&#46;json</code> | 2.4&nbsp;KiB | 62 components; 72 findings | 1 |  |',
    ]);
  });

  test('has a row of severities for each file with findings, thirty at most', () => {
    const scans = makeMany(20, 'accepted', { manifest: [INVENTORY, REPORT] });
    const tables = expectClean(make(scans)).filter(({ name }) => name === 'table');
    expect(tables).toHaveLength(2);
    expect(readTable(tables[1])).toHaveLength(1 + 20);
    const twice = makeMany(20, 'accepted', { manifest: [REPORT, REPORT] });
    const [, table] = expectClean(make(twice)).filter(({ name }) => name === 'table');
    expect(readTable(table).map(([name]) => name)).toEqual([
      'Findings in',
      ...Array.from({ length: 30 }, (_, index) => `accepted ${Math.floor(index / 2)}`),
    ]);
  });
});

describe('the rows of the summary of several scans', () => {
  test('are marked if a file has warnings, or else if the scan failed', () => {
    const manifest = [ENTRY, { ...ENTRY, warnings: ['It is empty.'] }];
    const scans = [makeScan({ ...FAILED, manifest }), makeScan({ manifest }), makeScan()];
    expect(readRows(make(scans)).map(([, result]) => result)).toEqual([
      '❌ rejected (200)',
      '⚠️ accepted (200)',
      'accepted (200)',
    ]);
  });

  test.each([
    [300, 0],
    [301, 1],
    [1000, 700],
  ])('of %i scans are 300 at most, the other %i counted', (count, others) => {
    const summary = make(makeMany(count, 'accepted'));
    expect(readRows(summary)).toHaveLength(count - others);
    expect(summary.includes(`\n\nAnd ${others} accepted.`)).toBe(others > 0);
  });

  test('are failures first, however late they come', () => {
    const scans = [...makeMany(998, 'accepted'), ...makeFailed(2)];
    const summary = make(scans);
    const rows = readRows(summary);
    expect(rows.slice(0, 3).map(([label]) => label)).toEqual([
      'rejected 0',
      'rejected 1',
      'accepted 0',
    ]);
    expect(summary).toContain('\n\nAnd 700 accepted.\n\n');
  });

  test('count what is left out by its result', () => {
    const failed = makeMany(301, 'rejected', FAILED);
    const summary = make([...makeMany(5, 'accepted'), ...failed, ...makeMany(2, 'skipped')]);
    expect(summary).toContain('\n\nAnd 1 rejected, 2 skipped, 5 accepted.\n\n');
  });

  test('are truncated if a text is long', () => {
    const long = { label: 'l'.repeat(49), failure: { ...FAILURE, headline: 'h'.repeat(101) } };
    const manifest = [{ ...REPORT, path: 'p'.repeat(65) }];
    const [row] = readRows(make([makeScan({ ...long, manifest, result: 'rejected' }), makeScan()]));
    expect(row?.[0]).toBe(`${'l'.repeat(46)} …`);
    expect(row?.[2]).toBe(`${'p'.repeat(62)} …`);
    expect(row?.[6]).toBe(`${'h'.repeat(98)} …`);
  });
});

describe('the failures in the summary of several scans', () => {
  test('are shown in full, below the scans that share them', () => {
    const scans = ['a', 'b', 'c'].map((label) => makeScan({ ...FAILED, label }));
    const names = expectClean(make(scans)).map((block) => [block.name, readText(block).trim()]);
    expect(names.slice(3)).toEqual([
      ['p', 'rejected: a, b, c'],
      ['pre', [FAILURE.headline, ...FAILURE.details, ...FAILURE.traces].join('\n')],
      ['p', 'What to do'],
      ['ul', 'Check scan-key.'],
      ['p', 'What to do next'],
      ['ul', 'After fixing this, re-run the failed jobs.'],
    ]);
  });

  test.each([
    [5, undefined],
    [6, 'And 1 more failures: see the log, or the output `results`.'],
    [40, 'And 35 more failures: see the log, or the output `results`.'],
  ])('of %i are five at most, the others counted: %s', (count, more) => {
    const summary = make(makeFailed(count));
    const fences = expectClean(summary).filter(({ name }) => name === 'pre');
    expect(fences.map((block) => readText(block).split('\n')[0])).toEqual(
      Array.from({ length: 5 }, (_, index) => `rejected ${index} is wrong.`),
    );
    expect(/\n\n(And .*)\n\n/.exec(summary)?.[1]).toBe(more);
  });

  test.each<[ResultName, string | undefined]>([
    ['not-sent', undefined],
    ['unconfirmed', 'Look at the service first for what is unconfirmed: it may have these scans.'],
  ])('say nothing of fixing what was cancelled (%s)', (result, next) => {
    const cancelled = { ...FAILURE, reason: 'cancelled', advice: [] } as const;
    const following = { ...cancelled, reason: 'other-scans', isFollowing: true } as const;
    const scans = [makeScan({ label: 'a', result, failure: cancelled }), makeScan({ label: 'b' })];
    const last = makeScan({ label: 'c', result: 'not-sent', failure: following });
    const summary = make([...scans, last]);
    expect(summary).not.toMatch(/fixing/);
    const [item] = expectClean(summary).filter(({ name }) => name === 'ul');
    expect(item && readText(item).trim()).toBe(next);
  });

  test.each<[readonly ResultName[], readonly string[]]>([
    [['rejected', 'not-sent'], ['After fixing this, re-run the failed jobs.']],
    [
      ['unconfirmed', 'not-sent'],
      ['Look at the service first', 'After fixing this, re-run'],
    ],
    [
      ['unconfirmed', 'accepted'],
      ['Look at the service first', 're-run the failed jobs: that sends every scan again'],
    ],
  ])('say what a re-run does for %j', (results, steps) => {
    const scans = results.map((result) => {
      const failure = result === 'accepted' ? undefined : { ...FAILURE, advice: [] };
      return makeScan({ label: result, result, failure });
    });
    const lines = readText(...expectClean(make(scans)).slice(-1))
      .trim()
      .split('\n');
    expect(lines).toEqual(steps.map((step) => expect.stringContaining(step)));
  });
});
