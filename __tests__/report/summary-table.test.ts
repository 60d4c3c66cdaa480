import { describe, expect, test } from '@jest/globals';
import type { FormatName } from '../../src/formats/registry.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import { listRows, makeFileTable } from '../../src/report/summary-table.ts';
import { expectClean, readTable } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, SBOM_ENTRY, REPORT_ENTRY, makeScan } from '../support/report.ts';
import type { ManifestEntry, ScanSpec } from '../support/report.ts';

/** The headings and rows of the table of these scans. */
function readRows(...scans: readonly ScanSpec[]): readonly (readonly string[])[] {
  const rows = listRows(scans.map((scan) => makeScan({ label: 'shop', ...scan })));
  return readTable(expectClean(makeFileTable(rows))[0]);
}

/** The cells of these columns in each row; undefined if there is no such column. */
function readColumns(names: readonly string[], ...scans: readonly ScanSpec[]) {
  const [headings = [], ...rows] = readRows(...scans);
  return rows.map((row) => names.map((name) => row[headings.indexOf(name)]));
}

/** The cell of the first row in this column. */
function readCell(heading: string, ...scans: readonly ScanSpec[]): string | undefined {
  return readColumns([heading], ...scans)[0]?.[0];
}

function readFileCell(heading: string, entry: Partial<ManifestEntry>): string | undefined {
  return readCell(heading, { manifest: [{ ...ENTRY, ...entry }] });
}

function count(counts: Partial<SeverityCounts> = {}): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

const SEVERITIES = ['Critical', 'High', 'Medium', 'Low', 'Info', 'Unrated'];
const NONE = Array<string>(6).fill('');
const SBOM = ['DependenciesCDX', 'bom.cdx.json', 'CycloneDX 1.6 by syft 1.38.0', '62', ...NONE];
const COUNTS = ['3', '18', '31', '11', '6', '3'];
const REPORT = ['VulnerabilitiesTool', 'grype.json', 'grype 0.104.1', '', ...COUNTS];
const SIZE = '1.2 KiB';
const PARTIAL = { format: 'trivy', inspected: 'partial' } as const;

describe('makeFileTable of one scan', () => {
  test('has part, file, format, the count of each severity, and the size', () => {
    expect(readRows({ manifest: [SBOM_ENTRY, REPORT_ENTRY] })).toEqual([
      ['Part', 'File', 'Format', 'Components', ...SEVERITIES, 'Size'],
      [...SBOM, SIZE],
      [...REPORT, SIZE],
    ]);
    expect(readRows({ manifest: [] })).toEqual([]);
  });

  test('aligns numbers at the right, and does not break a size before its unit', () => {
    const manifest = [{ ...ENTRY, components: 2000 }];
    expect(makeFileTable(listRows([makeScan({ manifest })])).split('\n')).toEqual([
      '| Part | File | Format | Components | Size |',
      '| :--- | :--- | :--- | ---: | ---: |',
      '| ScanJsonFile | `out/scan.json` | JSON | 2,000 | 1.2\u00a0KiB |',
    ]);
  });

  test.each<[string, Partial<ManifestEntry>, readonly (string | undefined)[]]>([
    ['nothing was counted', { components: 1204 }, [undefined, undefined]],
    ['the format states no severities', { findings: 7 }, [undefined, '7']],
    ['there are no findings', { findings: 0 }, [undefined, '0']],
    ['a report is clean', { findings: 0, severities: count() }, ['0', '0']],
    ['a file was inspected in part', PARTIAL, ['not counted', undefined]],
    ['a scan did not run', { format: 'sarif' }, ['not counted', undefined]],
    ['an unknown file was inspected in part', { inspected: 'partial' }, [undefined, undefined]],
    ['an SBOM lists some vulnerabilities', { severities: count({ critical: 1 }) }, ['1', '0']],
  ])('shows only known counts if %s', (_, entry, counts) => {
    expect(['Critical', 'Unrated'].map((name) => readFileCell(name, entry))).toEqual(counts);
  });

  test.each<[FormatName, string | undefined, string | undefined, string]>([
    ['sarif', '2.1.0', 'tool 1', 'SARIF 2.1.0 by tool 1'],
    ['cyclonedx', '1.6', 'cyclonedx-npm 4.0', 'CycloneDX 1.6 by cyclonedx-npm 4.0'],
    ['trivy', '2', undefined, 'Trivy (schema 2)'],
    ['zap', undefined, 'OWASP ZAP 2.16.1', 'OWASP ZAP 2.16.1'],
    ['empty', undefined, undefined, 'empty'],
    ['json', undefined, 't'.repeat(100), `JSON by ${'t'.repeat(54)} …`],
  ])('names the format %s, version %s', (format, version, tool, shown) => {
    const specVersion = version === undefined ? {} : { specVersion: version };
    const entry = { format, ...specVersion, ...(tool === undefined ? {} : { tool }) };
    expect(readFileCell('Format', entry)).toBe(shown);
  });

  test.each([
    ['a'.repeat(64), 'a'.repeat(64)],
    [`${'a'.repeat(40)}🔍${'b'.repeat(57)}.json`, `…${'b'.repeat(57)}.json`],
    [`${'a'.repeat(40)}🔍${'b'.repeat(56)}.json`, `…🔍${'b'.repeat(56)}.json`],
  ])('truncates a long path at its start: %s', (path, shown) => {
    expect(readFileCell('File', { path })).toBe(shown);
  });
});

describe('makeFileTable of several scans', () => {
  const FAILED = { result: 'rejected', statusCode: 400, failure: FAILURE } as const;
  const SKIPPED = { result: 'skipped', statusCode: undefined, manifest: [] } as const;

  test('has a row for each file, with the scan in its first row, and for a scan without files', () => {
    const manifest = [SBOM_ENTRY, { ...REPORT_ENTRY, warnings: ['x'] }];
    const scans = [{ ...FAILED, label: 'api' }, { manifest }, SKIPPED];
    const SCAN = ['ScanJsonFile', 'out/scan.json', 'JSON'];
    const [part, file, ...rest] = REPORT;
    const names = ['Scan', 'Result', 'Part', 'File', 'Format', 'Components'];
    expect(readColumns([...names, ...SEVERITIES, 'Size'], ...scans)).toEqual([
      ['api', '❌ rejected (400)', ...SCAN, '', ...NONE, SIZE],
      ['shop', 'accepted (200)', ...SBOM, SIZE],
      ['', '', part, `⚠️ ${file}`, ...rest, SIZE],
      ['shop', 'skipped', '', '', '', '', ...NONE, ''],
    ]);
  });

  test('truncates a long name', () => {
    const scan = { ...FAILED, label: 'l'.repeat(65) };
    expect(readCell('Scan', scan, scan)).toBe(`${'l'.repeat(62)} …`);
  });
});
