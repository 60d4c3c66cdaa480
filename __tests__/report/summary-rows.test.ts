import { describe, expect, test } from '@jest/globals';
import { listFacts, listFileRows, listScanRows } from '../../src/report/summary-rows.ts';
import { expectClean, readTable } from '../support/github-markdown.ts';
import {
  ENTRY,
  FAILURE,
  MARK,
  REPORT_ENTRY,
  SBOM_ENTRY,
  makeFailure,
  makeScan,
} from '../support/report.ts';
import type { ManifestEntry, ScanSpec } from '../support/report.ts';
import { SCAN_KEY } from '../support/workspace.ts';

const UNKNOWN_FORMAT = { name: 'unknown-format', text: 'of no known format' } as const;

type Rows = readonly (readonly string[])[];

/** The headings and rows of a table, as they are rendered. */
function read(lines: readonly string[]): Rows {
  return readTable(expectClean(lines.join('\n'))[0]);
}

function readFiles(...manifest: readonly ManifestEntry[]): Rows {
  return read(listFileRows(makeScan({ manifest })));
}

function readScans(...scans: readonly ScanSpec[]): Rows {
  return read(listScanRows(scans.map((scan) => makeScan({ label: 'shop', ...scan }))));
}

describe('listFileRows', () => {
  test('has four columns: what each file is, its path, its format and its contents', () => {
    expect(readFiles({ ...SBOM_ENTRY, subject: 'acme|shop' }, REPORT_ENTRY)).toEqual([
      ['', 'File', 'Format', 'Contents'],
      [
        'SBOM',
        'bom.cdx.json',
        'CycloneDX 1.6 by syft 1.38.0',
        '62 components, 0 findings of acme|shop',
      ],
      [
        'Report',
        'grype.json',
        'grype 0.104.1',
        '3 critical, 18 high, 31 medium, 11 low, 6 info, 3 unrated',
      ],
    ]);
    expect(listFileRows(makeScan({ manifest: [] }))).toEqual([]);
  });

  test.each<[Partial<ManifestEntry>, string]>([
    [
      {
        marks: [
          { name: 'nothing-scanned', text: 'nothing scanned' },
          { name: 'old', text: 'written on 1 Jan' },
          { name: 'not-counted', text: 'not counted' },
        ],
      },
      '⚠️ nothing scanned · ⚠️ old · ⚠️ not counted',
    ],
    [{ warnings: ['An SBOM.'] }, '⚠️ see the warning'],
    [
      { warnings: ['An SBOM.'], marks: [{ name: 'scan-failed', text: 'scan failed' }] },
      '⚠️ scan failed',
    ],
    [{ format: 'spdx', components: 7 }, '7 components · no list of vulnerabilities'],
    [{ marks: [UNKNOWN_FORMAT, MARK] }, '⚠️ not checked'],
  ])('marks a file with %j', (entry, marks) => {
    const [, [, , , contents = ''] = []] = readFiles({ ...ENTRY, ...entry });
    expect(contents).toBe(marks);
  });

  test.each([
    ['a'.repeat(64), 'a'.repeat(64)],
    [`${'a'.repeat(40)}🔍${'b'.repeat(57)}.json`, `…${'b'.repeat(57)}.json`],
    [`${'a'.repeat(40)}🔍${'b'.repeat(56)}.json`, `…🔍${'b'.repeat(56)}.json`],
  ])('truncates a long path at its start: %s', (path, shown) => {
    expect(readFiles({ ...ENTRY, path })[1]?.[1]).toBe(shown);
  });
});

describe('listScanRows', () => {
  const FAILED = { result: 'rejected', statusCode: 400, failure: FAILURE } as const;
  const SKIPPED = { result: 'skipped', statusCode: undefined, manifest: [] } as const;
  const { severities: _severities, ...unrated } = REPORT_ENTRY;

  test('has a row for each scan and one of sums, and only columns of what there is', () => {
    const clean = { critical: 0, high: 0, medium: 0, low: 1, none: 0, unknown: 0 };
    const manifest = [SBOM_ENTRY, { ...REPORT_ENTRY, severities: clean }];
    expect(readScans({ ...FAILED, label: 'api' }, { manifest }, SKIPPED)).toEqual([
      ['Scan', 'Result', 'Critical', 'High', 'Medium', 'Low', 'Components'],
      ['api', '❌ rejected (400)', '', '', '', '', ''],
      ['shop', 'uploaded', '0', '0', '0', '1', '62'],
      ['shop', 'skipped', '', '', '', '', ''],
      ['all', 'of which 1 uploaded', '0', '0', '0', '1', '62'],
    ]);
    const [headings, row, , sums] = readScans(
      { manifest: [REPORT_ENTRY] },
      { manifest: [unrated] },
    );
    expect(headings?.slice(-2)).toEqual(['Info', 'Unrated']);
    expect(row?.slice(-2)).toEqual(['6', '3']);
    expect(sums?.slice(0, 2)).toEqual(['all', '']);
  });

  test('leaves blank what no document states, and sums the rest', () => {
    const [, ...rows] = readScans({ manifest: [unrated] }, { manifest: [REPORT_ENTRY] });
    expect(rows.map((row) => row.slice(2))).toEqual([
      ['', '', '', '', '', '72'],
      ['3', '18', '31', '11', '6', '3'],
      ['3', '18', '31', '11', '6', '75'],
    ]);
  });

  test('has critical and high findings in bold, and says that counts are levels', () => {
    const severities = { critical: 0, high: 2, medium: 3, low: 0, none: 0, unknown: 0 };
    const manifest = [{ ...ENTRY, isByLevel: true, severities } as const];
    const [, , row] = listScanRows([makeScan({ manifest }), makeScan()]);
    expect(row).toBe('|  | uploaded · by level | 0 | **2** | 3 | 0 |');
  });

  test('marks those that failed by themselves, and no file of those that were not sent', () => {
    const manifest = [{ ...ENTRY, marks: [MARK], warnings: ['Old.'] }];
    const notSent = (reason: 'contents' | 'other-scans' | 'connection') =>
      ({
        result: 'not-sent',
        statusCode: undefined,
        manifest,
        failure: makeFailure({ reason }),
      }) as const;
    const rows = readScans(notSent('contents'), notSent('other-scans'), notSent('connection'));
    expect(rows.slice(1, 4).map(([, result]) => result)).toEqual([
      '❌ invalid (contents)',
      'not sent',
      '❌ not sent (connection)',
    ]);
  });

  test('shows each mark of a scan once in a few words, and truncates a long name', () => {
    const old = { name: 'old', text: 'written before this job began, on 1 Jan 2026' } as const;
    const manifest = [SBOM_ENTRY, REPORT_ENTRY].map((entry) => ({ ...entry, marks: [old, MARK] }));
    const [, row] = readScans({ label: 'l'.repeat(65), manifest });
    expect(row?.slice(0, 2)).toEqual([`${'l'.repeat(62)} …`, 'uploaded · ⚠️ old · ⚠️ not checked']);
  });
});

test('listFacts has what people search a scan by, with its name, unless its files are not known', () => {
  const { sha256 } = ENTRY;
  expect(listFacts(makeScan({ label: 'shop' }))).toEqual([
    `\`shop\`: scan key \`${SCAN_KEY}\`, \`upload-file\`, 1 attempt, 300 ms`,
    `\`shop\`: ScanJsonFile \`out/scan.json\`, 1.2 KiB, \`${sha256}\``,
  ]);
  expect(listFacts(makeScan({ operation: undefined, attempts: 0 }))).toEqual([]);
});
