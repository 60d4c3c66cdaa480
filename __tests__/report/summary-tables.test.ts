import { describe, expect, test } from '@jest/globals';
import type { ManifestEntry } from '../../src/report/result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import type { FormatName } from '../../src/formats/registry.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import { readTable } from '../support/github-markdown.ts';
import { ENTRY, INVENTORY, REPORT, makeStep } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

type Rows = readonly (readonly string[])[];

/** The rows of all tables of a summary on these files. */
function readTables(...manifest: readonly ManifestEntry[]): readonly Rows[] {
  const blocks = expectClean(makeSummary(makeStep({ manifest })));
  return blocks.filter(({ name }) => name === 'table').map(readTable);
}

/** A cell of the only file's row; undefined where there is no such column. */
function readCell(heading: string, entry: Partial<ManifestEntry>): string | undefined {
  const [headings = [], row = []] = readTables({ ...ENTRY, ...entry })[0] ?? [];
  return headings.includes(heading) ? row[headings.indexOf(heading)] : undefined;
}

function count(counts: Partial<SeverityCounts>): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

describe('the table of files', () => {
  test('shows the format, the tool and the contents of each file', () => {
    expect(readTables(INVENTORY, REPORT)[0]).toEqual([
      ['Part', 'File', 'Size', 'Format', 'Tool', 'Contents', 'SHA256'],
      [
        'DependenciesCDX',
        'bom.cdx.json',
        '1.2\u00a0KiB',
        'CycloneDX 1.6',
        'syft 1.38.0',
        '62 components',
        '2c26b46b68ff…',
      ],
      [
        'VulnerabilitiesTool',
        'grype.json',
        '1.2\u00a0KiB',
        'Grype',
        'grype 0.104.1',
        '72 findings',
        '2c26b46b68ff…',
      ],
    ]);
  });

  test.each<[string | undefined, Partial<ManifestEntry>]>([
    ['62 components, 7 vulnerabilities', { components: 62, vulnerabilities: 7 }],
    ['1 component, 1 vulnerability', { components: 1, vulnerabilities: 1 }],
    ['62 components, 0 vulnerabilities', { components: 62, vulnerabilities: 0 }],
    ['62 components', { part: 'DependenciesCDX', components: 62, vulnerabilities: 0 }],
    [
      '62 components, 2 vulnerabilities',
      { part: 'DependenciesCDX', components: 62, vulnerabilities: 2 },
    ],
    ['0 components', { part: 'DependenciesCDX', components: 0, vulnerabilities: 0 }],
    ['1 finding', { findings: 1 }],
    ['0 findings', { findings: 0 }],
    ['1,234,567 findings', { findings: 1_234_567 }],
    [undefined, { inspected: 'partial' }],
    ['not read to its end', { inspected: 'partial', format: 'cyclonedx', specVersion: '1.6' }],
    [undefined, {}],
  ])('describes the contents: %s', (contents, entry) => {
    expect(readCell('Contents', entry)).toBe(contents);
  });

  test.each<[FormatName, string | undefined, string]>([
    ['cyclonedx', '1.6', 'CycloneDX 1.6'],
    ['sarif', '2.1.0', 'SARIF 2.1.0'],
    ['trivy', undefined, 'Trivy'],
    ['xml', undefined, 'XML'],
    ['empty', undefined, 'empty'],
    ['unknown', undefined, 'unknown'],
    ['spdx', '2.3 and much more than ever fits', 'SPDX 2.3 and much more than ev …'],
  ])('names the format %s with the version %s', (format, specVersion, shown) => {
    expect(readCell('Format', { format, ...(specVersion !== undefined && { specVersion }) })).toBe(
      shown,
    );
  });

  test.each([
    ['a/scan.json', 'a/scan.json'],
    ['a'.repeat(48), 'a'.repeat(48)],
    [`${'a'.repeat(44)}.json`, `…${'a'.repeat(42)}.json`],
    [`${'a'.repeat(40)}🔍${'b'.repeat(41)}.json`, `…${'b'.repeat(41)}.json`],
    [`${'a'.repeat(40)}🔍${'b'.repeat(40)}.json`, `…🔍${'b'.repeat(40)}.json`],
  ])('truncates a long path at its start: %s', (path, shown) => {
    expect(readCell('File', { path })).toBe(shown);
  });

  test('truncates a long name of a tool, and leaves out an empty one', () => {
    expect(readCell('Tool', { tool: '' })).toBeUndefined();
    expect(readCell('Tool', { tool: 'scanner '.repeat(20) })).toBe(
      `${'scanner '.repeat(5).slice(0, 38).trim()} …`,
    );
  });
});

describe('the table of severities', () => {
  test('has a row for each file with findings, and a bar for each count', () => {
    expect(readTables(INVENTORY, REPORT)[1]).toEqual([
      ['Findings in', 'Critical', 'High', 'Medium', 'Low', 'None or unknown'],
      ['VulnerabilitiesTool', '3 █', '18 ████▌', '31 ████████', '11 ███', '9 ██▌'],
    ]);
  });

  test('scales the bars by the largest count of each row', () => {
    const inventory = { ...INVENTORY, severities: count({ low: 1, none: 1, unknown: 1 }) };
    const report = { ...REPORT, severities: count({ high: 2000, medium: 1, low: 500 }) };
    expect(readTables(inventory, report)[1]?.slice(1)).toEqual([
      ['DependenciesCDX', '0', '0', '0', '1 ████', '2 ████████'],
      ['VulnerabilitiesTool', '0', '2,000 ████████', '1 ▌', '500 ██', '0'],
    ]);
  });

  test('leaves out files without findings, and is left out without any other', () => {
    const inventory = { ...INVENTORY, severities: count({}) };
    expect(readTables(inventory, REPORT)[1]).toHaveLength(2);
    const { severities: _counts, ...unread } = REPORT;
    expect(readTables(inventory, unread)).toHaveLength(1);
  });
});
