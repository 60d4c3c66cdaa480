import { describe, expect, test } from '@jest/globals';
import type { FormatName } from '../../src/formats/registry.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import { listRows, makeFileTable } from '../../src/report/summary-table.ts';
import { readTable } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, SBOM_ENTRY, REPORT_ENTRY, makeScan } from '../support/report.ts';
import type { ManifestEntry, ScanSpec } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

type Rows = readonly (readonly string[])[];

function read(markdown: string): Rows {
  return readTable(expectClean(markdown)[0]);
}

function readFiles(...manifest: readonly ManifestEntry[]): Rows {
  return read(makeFileTable(listRows([makeScan({ manifest })])));
}

function readScans(...scans: readonly ScanSpec[]): Rows {
  const results = scans.map((scan) => makeScan({ label: 'shop', ...scan }));
  return read(makeFileTable(listRows([...results, ...(results.length === 1 ? [makeScan()] : [])])));
}

/** The cell of the only row in this column; undefined if there is no such column. */
function readCell(heading: string, [headings = [], row = []]: Rows): string | undefined {
  return headings.includes(heading) ? row[headings.indexOf(heading)] : undefined;
}

function count(counts: Partial<SeverityCounts> = {}): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

const SEVERITIES = ['Critical', 'High', 'Medium', 'Low', 'Info', 'Unrated'];

describe('makeFileTable of one scan', () => {
  test('has part, file, format, the count of each severity, and the size', () => {
    expect(readFiles(SBOM_ENTRY, REPORT_ENTRY)).toEqual([
      ['Part', 'File', 'Format', ...SEVERITIES, 'Size'],
      [
        'DependenciesCDX',
        'bom.cdx.json',
        'CycloneDX 1.6 by syft 1.38.0',
        ...Array<string>(6).fill(''),
        '1.2 KiB',
      ],
      [
        'VulnerabilitiesTool',
        'grype.json',
        'grype 0.104.1',
        '3',
        '18',
        '31',
        '11',
        '6',
        '3',
        '1.2 KiB',
      ],
    ]);
  });

  test('is readable as raw text, without line breaks between a size and its unit', () => {
    const manifest = [{ ...REPORT_ENTRY, severities: count({ high: 2000 }) }];
    expect(makeFileTable(listRows([makeScan({ manifest })]))).toBe(
      [
        '| Part | File | Format | Critical | High | Medium | Low | Info | Unrated | Size |',
        '| :--- | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
        '| VulnerabilitiesTool | `grype.json` | grype 0.104.1 | 0 | 2,000 | 0 | 0 | 0 | 0 | 1.2\u00a0KiB |',
      ].join('\n'),
    );
  });

  test('has nothing without files', () => {
    expect(makeFileTable(listRows([makeScan({ manifest: [] })]))).toBe('');
  });

  test.each<[string, Partial<ManifestEntry>, readonly (string | undefined)[]]>([
    ['nothing was counted', {}, [undefined, undefined]],
    ['the format states no severities', { findings: 7 }, [undefined, '7']],
    ['there are no findings', { findings: 0 }, [undefined, '0']],
    ['a report is clean', { findings: 0, severities: count() }, ['0', '0']],
    ['an SBOM_ENTRY has no list of vulnerabilities', { components: 3 }, [undefined, undefined]],
    [
      'an SBOM_ENTRY has an empty list of vulnerabilities',
      { components: 3, vulnerabilities: 0, severities: count() },
      ['0', '0'],
    ],
    [
      'an SBOM_ENTRY lists some vulnerabilities',
      { components: 3, severities: count({ critical: 1 }) },
      ['1', '0'],
    ],
  ])('shows only known counts if %s', (_, entry, [critical, unrated]) => {
    const rows = readFiles({ ...ENTRY, ...entry });
    expect(readCell('Critical', rows)).toBe(critical);
    expect(readCell('Unrated', rows)).toBe(unrated);
  });

  test('marks a file with warnings', () => {
    expect(readCell('File', readFiles({ ...ENTRY, warnings: ['x'] }))).toBe('⚠️ out/scan.json');
  });

  test.each<[FormatName, string | undefined, string | undefined, string]>([
    ['sarif', '2.1.0', 'tool 1', 'SARIF 2.1.0 by tool 1'],
    ['cyclonedx', '1.6', 'cyclonedx-npm 4.0', 'CycloneDX 1.6 by cyclonedx-npm 4.0'],
    ['trivy', undefined, undefined, 'Trivy'],
    ['trivy', '2', undefined, 'Trivy (schema 2)'],
    ['zap', undefined, 'OWASP ZAP 2.16.1', 'OWASP ZAP 2.16.1'],
    ['empty', undefined, undefined, 'empty'],
    ['unknown', undefined, undefined, 'unknown'],
    ['json', undefined, 't'.repeat(100), `JSON by ${'t'.repeat(54)} …`],
  ])(
    'names the format %s with the version %s and the tool %s',
    (format, specVersion, tool, shown) => {
      const known = {
        ...(specVersion !== undefined && { specVersion }),
        ...(tool !== undefined && { tool }),
      };
      expect(readCell('Format', readFiles({ ...ENTRY, ...known, format }))).toBe(shown);
    },
  );

  test.each([
    ['a/scan.json', 'a/scan.json'],
    ['a'.repeat(64), 'a'.repeat(64)],
    [`${'a'.repeat(60)}.json`, `…${'a'.repeat(58)}.json`],
    [`${'a'.repeat(40)}🔍${'b'.repeat(57)}.json`, `…${'b'.repeat(57)}.json`],
    [`${'a'.repeat(40)}🔍${'b'.repeat(56)}.json`, `…🔍${'b'.repeat(56)}.json`],
  ])('truncates a long path at its start: %s', (path, shown) => {
    expect(readCell('File', readFiles({ ...ENTRY, path }))).toBe(shown);
  });
});

describe('makeFileTable of several scans', () => {
  const FAILED = { result: 'rejected', statusCode: 400, failure: FAILURE } as const;
  const SKIPPED = { result: 'skipped', statusCode: undefined, manifest: [] } as const;
  const NONE = Array<string>(6).fill('');

  test('has a row for each file, with the scan in its first row, and for a scan without files', () => {
    const manifest = [{ ...SBOM_ENTRY, warnings: ['x'] }, REPORT_ENTRY];
    expect(
      readScans({ ...FAILED, label: 'api' }, { manifest }, { ...SKIPPED, skipped: 'No file.' }),
    ).toEqual([
      ['Scan', 'Result', 'Reason', 'Part', 'File', 'Format', ...SEVERITIES, 'Size'],
      [
        'api',
        '❌ rejected (400)',
        'The scan key is not known.',
        'ScanJsonFile',
        'out/scan.json',
        'JSON',
        ...NONE,
        '1.2 KiB',
      ],
      [
        'shop',
        'accepted (200)',
        '',
        'DependenciesCDX',
        '⚠️ bom.cdx.json',
        'CycloneDX 1.6 by syft 1.38.0',
        ...NONE,
        '1.2 KiB',
      ],
      [
        '',
        '',
        '',
        'VulnerabilitiesTool',
        'grype.json',
        'grype 0.104.1',
        '3',
        '18',
        '31',
        '11',
        '6',
        '3',
        '1.2 KiB',
      ],
      ['shop', 'skipped', 'No file.', '', '', '', ...NONE, ''],
    ]);
  });

  test.each([
    ['Scan', 'l'.repeat(65), 'x', `${'l'.repeat(62)} …`],
    ['Reason', 'shop', 'h '.repeat(61), `${'h '.repeat(58)}h …`],
    // A secret in the wrong input is masked only as a whole.
    ['Reason', 'shop', `\`files\`: no file '${'secret'.repeat(30)}'.`, 'files: no file …'],
  ])('truncates in the column %s: %s, %s', (heading, label, headline, shown) => {
    const rows = readScans({ ...FAILED, failure: { ...FAILURE, headline }, label });
    expect(readCell(heading, rows)).toBe(shown);
  });
});
