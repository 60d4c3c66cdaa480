import { describe, expect, test } from '@jest/globals';
import { listFacts, listFileRows, listScanRows } from '../../src/report/summary-rows.ts';
import { expectClean, readTable } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, REPORT_ENTRY, SBOM_ENTRY, makeScan } from '../support/report.ts';
import type { ManifestEntry, ScanSpec } from '../support/report.ts';
import { SCAN_KEY } from '../support/samples.ts';

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
          { name: 'nothing-scanned', text: 'nothing was scanned' },
          { name: 'not-checked', text: 'not <b>checked' },
          { name: 'not-counted', text: 'not counted' },
        ],
      },
      ' · ⚠️ nothing was scanned · ⚠️ not <b>checked',
    ],
    [{ warnings: ['An SBOM.'] }, ' · ⚠️ see the warning'],
    [
      { warnings: ['An SBOM.'], marks: [{ name: 'scan-failed', text: 'its scan failed' }] },
      ' · ⚠️ its scan failed',
    ],
    [{ components: 7 }, ' · no list of vulnerabilities'],
  ])('marks a file with %j', (entry, marks) => {
    const [, [, , , contents = ''] = []] = readFiles({ ...ENTRY, ...entry });
    expect(contents.replace(/^(?:not counted|7 components)/, '')).toBe(marks);
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

  test('has a row for each scan and one of sums, and only columns of severities that there are', () => {
    const clean = { critical: 0, high: 0, medium: 0, low: 1, none: 0, unknown: 0 };
    const manifest = [SBOM_ENTRY, { ...REPORT_ENTRY, severities: clean }];
    expect(readScans({ ...FAILED, label: 'api' }, { manifest }, SKIPPED)).toEqual([
      ['Scan', 'Result', 'Components', 'Critical', 'High', 'Medium', 'Low'],
      ['api', '❌ rejected (400) · ⚠️ not counted', '', '', '', '', ''],
      ['shop', 'accepted (200)', '62', '0', '0', '0', '1'],
      ['shop', 'skipped', '', '', '', '', ''],
      ['all', '', '62', '0', '0', '0', '1'],
    ]);
    const [headings, row] = readScans({ manifest: [REPORT_ENTRY] }, { manifest: [unrated] });
    expect(headings?.slice(-2)).toEqual(['Info', 'Unrated']);
    expect(row?.slice(-2)).toEqual(['6', '3']);
  });

  test('shows each mark of a scan once, and truncates a long name', () => {
    const marked = { marks: [{ name: 'unknown-format', text: 'of no known format' }] } as const;
    const manifest = [
      { ...SBOM_ENTRY, ...marked },
      { ...REPORT_ENTRY, ...marked },
    ];
    const [, row] = readScans({ label: 'l'.repeat(65), manifest });
    expect(row?.slice(0, 2)).toEqual([
      `${'l'.repeat(62)} …`,
      'accepted (200) · ⚠️ of no known format',
    ]);
  });
});

test('listFacts has what people search a scan by, and of several scans which one', () => {
  const { sha256 } = ENTRY;
  const scan = makeScan({ label: 'shop' });
  expect(listFacts(scan, true)).toEqual([
    '`upload-file`',
    `ScanJsonFile \`out/scan.json\`, 1.2 KiB, \`${sha256}\``,
  ]);
  expect(listFacts(scan, false)).toEqual([
    `\`shop\`: scan key \`${SCAN_KEY}\`, \`upload-file\`, 1 attempt, 300 ms`,
    `\`shop\`: ScanJsonFile \`out/scan.json\`, 1.2 KiB, \`${sha256}\``,
  ]);
  const none = { operation: undefined, attempts: 0, durationMs: undefined, scanKey: '' };
  expect(listFacts(makeScan({ ...none, manifest: [] }), true)).toEqual([]);
});
