import { describe, expect, test } from '@jest/globals';
import type { FormatName } from '../../src/formats/registry.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import { listParts } from '../../src/report/scan-result.ts';
import { makeFileTable, makeScanTable } from '../../src/report/summary-table.ts';
import { readTable } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, SBOM_ENTRY, REPORT_ENTRY, makeScan } from '../support/report.ts';
import type { ManifestEntry, ScanSpec } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

type Rows = readonly (readonly string[])[];

function read(markdown: string): Rows {
  return readTable(expectClean(markdown)[0]);
}

function readFiles(...manifest: readonly ManifestEntry[]): Rows {
  return read(makeFileTable(listParts(makeScan({ manifest }))));
}

function readScans(...scans: readonly ScanSpec[]): Rows {
  return read(makeScanTable(scans.map((scan) => makeScan({ label: 'shop', ...scan }))));
}

/** The cell of the only row in this column; undefined if there is no such column. */
function readCell(heading: string, [headings = [], row = []]: Rows): string | undefined {
  return headings.includes(heading) ? row[headings.indexOf(heading)] : undefined;
}

function count(counts: Partial<SeverityCounts> = {}): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

const SEVERITIES = ['Critical', 'High', 'Medium', 'Low', 'Info', 'Unrated'];

describe('makeFileTable', () => {
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

  test('is readable as raw text, without line breaks between words of a tool or a size', () => {
    const manifest = [{ ...REPORT_ENTRY, severities: count({ high: 2000 }) }];
    expect(makeFileTable(listParts(makeScan({ manifest })))).toBe(
      [
        '| Part | File | Format | Critical | High | Medium | Low | Info | Unrated | Size |',
        '| :--- | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
        '| VulnerabilitiesTool | `grype.json` | grype\u00a00.104.1 | 0 | 2,000 | 0 | 0 | 0 | 0 | 1.2\u00a0KiB |',
      ].join('\n'),
    );
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

describe('makeScanTable', () => {
  const manifest = [SBOM_ENTRY, REPORT_ENTRY];
  const FAILED = { result: 'rejected', statusCode: 400, failure: FAILURE } as const;

  test('has a row for each scan, with its result, its reason and the totals of its files', () => {
    expect(readScans({ ...FAILED, label: 'api' }, { manifest })).toEqual([
      ['Scan', 'Result', 'Reason', 'Files', ...SEVERITIES, 'Size'],
      [
        'api',
        '❌ rejected (400)',
        'The scan key is not known.',
        'out/scan.json',
        ...Array<string>(6).fill(''),
        '1.2 KiB',
      ],
      [
        'shop',
        'accepted (200)',
        '',
        'bom.cdx.json, grype.json',
        '3',
        '18',
        '31',
        '11',
        '6',
        '3',
        '2.4 KiB',
      ],
    ]);
  });

  test('adds up the counts of several files', () => {
    const rows = readScans({
      manifest: [REPORT_ENTRY, { ...REPORT_ENTRY, severities: count({ high: 2 }) }],
    });
    expect(readCell('High', rows)).toBe('20');
  });

  test('shows the warning of an accepted scan, and why one was skipped', () => {
    const warned = [{ ...ENTRY, warnings: ['x'] }];
    const skipped = {
      result: 'skipped',
      statusCode: undefined,
      manifest: [],
      skipped: 'No file.',
    } as const;
    expect(
      readScans({ manifest: warned }, { ...FAILED, manifest: warned }, skipped).slice(1),
    ).toEqual([
      ['shop', '⚠️ accepted (200)', '', 'out/scan.json', '1.2 KiB'],
      ['shop', '❌ rejected (400)', 'The scan key is not known.', 'out/scan.json', '1.2 KiB'],
      ['shop', 'skipped', 'No file.', '', ''],
    ]);
  });

  test('truncates a long label and a long reason', () => {
    const failure = { ...FAILURE, headline: 'h '.repeat(61) };
    const rows = readScans({ ...FAILED, failure, label: 'l'.repeat(49) });
    expect(readCell('Scan', rows)).toBe(`${'l'.repeat(46)} …`);
    expect(readCell('Reason', rows)).toBe(`${'h '.repeat(58)}h …`);
  });
});
