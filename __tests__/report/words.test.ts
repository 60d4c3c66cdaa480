import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import {
  countScans,
  describeCounts,
  describeFindings,
  describeFormat,
  describeMissing,
} from '../../src/report/words.ts';
import { PARTS } from '../../src/service/operations.ts';
import { ENTRY, REPORT_ENTRY, SBOM_ENTRY, makeScan } from '../support/report.ts';
import type { ManifestEntry } from '../support/report.ts';
import { FILE } from '../support/scans.ts';

function count(counts: Partial<SeverityCounts> = {}): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

function makeContent(content: Partial<Content> = {}): Content {
  return { format: 'json', inspected: 'full', ...content };
}

test.each<[Partial<Content>, string]>([
  [{ format: 'sarif', specVersion: '2.1.0', tool: 'tool 1' }, 'SARIF 2.1.0 by tool 1'],
  [{ format: 'trivy', specVersion: '2' }, 'Trivy (schema 2)'],
  [{ format: 'zap', tool: 'OWASP ZAP 2.16.1' }, 'OWASP ZAP 2.16.1'],
  [{ format: 'empty', kind: 'empty' }, 'empty'],
  [{}, 'JSON of no known format'],
])('describeFormat says what %j is, and names a tool once', (content, text) => {
  expect(describeFormat(makeContent(content))).toBe(text);
});

test.each<[string, Partial<Content>]>([
  ['', {}],
  ['1,204 components', { components: 1204 }],
  ['1 component, 0 findings', { components: 1, vulnerabilities: 0 }],
  ['0 findings', { findings: 0, severities: count() }],
  ['3 critical, 6 info, 2 unrated', { severities: count({ critical: 3, none: 6, unknown: 2 }) }],
  ['7 unrated', { findings: 7 }],
  ['12 high (by level)', { severities: count({ high: 12 }), isByLevel: true }],
])('describeCounts says: %s', (text, content) => {
  expect(describeCounts(makeContent(content))).toBe(text);
});

/** An SBOM without a list of vulnerabilities. */
const BARE = { format: 'cyclonedx', role: 'SBOM', components: 2 } as const;

/** What is said of documents in the parts that expect this. */
function describeGaps(expects: string, content: Partial<Content>): readonly string[] {
  const parts = PARTS.filter((part) => part.expects === expects);
  return parts.map((part) =>
    describeMissing({ part, file: { ...FILE, content: makeContent(content) } }),
  );
}

test('describeMissing says that a document has no findings, unless it is meant as an SBOM', () => {
  expect(describeGaps('SBOM', BARE)).toEqual(['']);
  expect(describeGaps('report', { ...BARE, vulnerabilities: 0 })).toEqual(['']);
  expect(describeGaps('report', BARE)).toEqual(['no list of vulnerabilities']);
  expect(describeGaps('either', { ...BARE, mayBeReport: true })).toEqual([
    'no list of vulnerabilities: the tool found none, or wrote only an SBOM',
  ]);
});

describe('countScans and describeFindings', () => {
  const marks = [{ name: 'not-counted', text: 'not counted' }] as const;
  const { severities: _severities, findings: _findings, ...report } = REPORT_ENTRY;
  const uncounted = { ...report, marks };
  const unknown = { ...ENTRY, marks };
  const SBOM = { ...SBOM_ENTRY, part: 'ScanJsonFile' } as const;
  const { vulnerabilities: _vulnerabilities, ...bare } = SBOM;
  test.each<[string, readonly (readonly ManifestEntry[])[], string]>([
    [
      'the findings of a report, not those of its SBOM',
      [[{ ...SBOM_ENTRY, severities: count({ critical: 9 }) }, REPORT_ENTRY]],
      '3 critical, 18 high, 31 medium, 11 low, 6 info, 3 unrated',
    ],
    ['that a report was not counted', [[SBOM_ENTRY, uncounted]], 'findings not counted'],
    ['that a file of no known format was not', [[unknown]], 'findings not counted'],
    ['the components of an SBOM alone', [[bare]], '62 components'],
    [
      'that an SBOM in place of a report has none',
      [[bare, { ...bare, part: 'VulnerabilitiesTool', marks }]],
      'findings not counted',
    ],
    ['nothing of no file', [[]], ''],
    [
      'the sums of several scans, and how many files are missing in them',
      [[{ ...ENTRY, findings: 2 }], [{ ...ENTRY, severities: count({ low: 1 }) }], [unknown]],
      '1 low, 2 unrated, 1 file not counted',
    ],
    [
      'that all are levels',
      [1, 2].map((high) => [{ ...ENTRY, isByLevel: true, severities: count({ high }) }]),
      '3 high (by level)',
    ],
    [
      'no kind of a sum of levels and scores',
      [[{ ...ENTRY, isByLevel: true, severities: count({ high: 1 }) }], [REPORT_ENTRY]],
      '3 critical, 19 high, 31 medium, 11 low, 6 info, 3 unrated',
    ],
  ])('say %s', (_, manifests, text) => {
    const scans = manifests.map((manifest) => makeScan({ manifest }));
    expect(describeFindings(countScans(scans))).toBe(text);
  });

  test('adds components', () => {
    const scans = [makeScan({ manifest: [SBOM_ENTRY] }), makeScan({ manifest: [SBOM] })];
    expect(countScans(scans).components).toBe(124);
  });
});
