import { describe, expect, test } from '@jest/globals';
import { DEPENDENCY_CHECK_NAMESPACE, countSeverities, inspect } from '../support/documents.ts';
import type { Row } from '../support/documents.ts';

/** Documents that are of no known format. */
type Others = readonly [string, unknown][];

const NONE = { findings: 0, severities: countSeverities({}) };

function expectKnown([, document, expected]: Row): void {
  expect(inspect(document)).toEqual({ ...expected, inspected: 'full' });
}

function expectUnknown([, document]: readonly [string, unknown]): void {
  const syntax = typeof document === 'string' ? 'xml' : 'json';
  expect(inspect(document)).toEqual({ format: syntax, syntax, inspected: 'full' });
}

const writeMatch = (severity: string): object => ({
  vulnerability: { id: 'CVE-2026-1', severity },
  artifact: { name: 'a' },
});

const writeSnyk = (severity: string): object => ({ id: 'SNYK-JS-A-1', severity });

const writeVulnerability = (severity: string): string =>
  `<vulnerability source="NVD"><name>CVE</name><severity>${severity}</severity></vulnerability>`;

describe('Grype', () => {
  const KNOWN = { format: 'grype', syntax: 'json' } as const;
  test.each<Row>([
    [
      'with what wrote it',
      { matches: [], source: {}, descriptor: { name: 'grype', version: '0.90.0' } },
      { ...KNOWN, tool: 'grype 0.90.0', ...NONE },
    ],
    [
      'by how a match looks',
      { matches: [writeMatch('Critical'), writeMatch('Negligible'), { artifact: {} }] },
      { ...KNOWN, findings: 3, severities: countSeverities({ critical: 1, none: 1, unknown: 1 }) },
    ],
    [
      'and counts what was ignored not',
      {
        matches: [writeMatch('High')],
        ignoredMatches: [writeMatch('High')],
        descriptor: { name: 'grype' },
      },
      { ...KNOWN, tool: 'grype', findings: 1, severities: countSeverities({ high: 1 }) },
    ],
  ])('is known %s', (...row) => expectKnown(row));

  test.each<Others[number]>([
    ['matches alone', { matches: [] }],
    ['matches of something else', { matches: [], descriptor: { name: 'syft' } }],
    ['what only begins like it', { matches: [], descriptor: { name: 'grype-db' } }],
    ['matches without artifacts', { matches: [{ vulnerability: { id: 'a' } }] }],
  ])('is not seen in %s', (...row) => expectUnknown(row));
});

describe('OSV-Scanner', () => {
  const KNOWN = { format: 'osv-scanner', syntax: 'json' } as const;
  const source = { path: '/src/package-lock.json', type: 'lockfile' };

  test.each<Row>([
    ['without findings', { results: [], experimental_config: {} }, { ...KNOWN, ...NONE }],
    [
      'with the severities of the databases',
      {
        results: [
          {
            source,
            packages: [
              {
                package: { name: 'a' },
                vulnerabilities: [
                  { id: 'GHSA-1', database_specific: { severity: 'MODERATE' } },
                  { id: 'PYSEC-1', severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }] },
                ],
                groups: [{ ids: ['GHSA-1'], max_severity: '9.8' }],
              },
              {
                package: { name: 'b' },
                vulnerabilities: [{ id: 'GHSA-2', database_specific: { severity: 'CRITICAL' } }],
              },
            ],
          },
          { source, packages: [{ vulnerabilities: [{}] }] },
        ],
      },
      {
        ...KNOWN,
        findings: 4,
        severities: countSeverities({ critical: 2, unknown: 2 }),
      },
    ],
    [
      'with the worse of what the database states and of the score of the group',
      {
        results: [
          {
            source,
            packages: [
              {
                groups: [
                  { ids: ['GHSA-1', 'PYSEC-1'], max_severity: '9.8' },
                  { ids: ['GHSA-2'], max_severity: '2.0' },
                  { ids: ['GHSA-3'], max_severity: '' },
                  { ids: ['GHSA-4'] },
                ],
                vulnerabilities: [
                  { id: 'PYSEC-1' },
                  { id: 'GHSA-1', database_specific: { severity: 'LOW' } },
                  { id: 'GHSA-2', database_specific: { severity: 'HIGH' } },
                  { id: 'GHSA-3', database_specific: { severity: 'MODERATE' } },
                  { id: 'GHSA-4' },
                  { id: 'GHSA-5' },
                ],
              },
            ],
          },
        ],
      },
      {
        ...KNOWN,
        findings: 6,
        severities: countSeverities({ critical: 2, high: 1, medium: 1, unknown: 2 }),
      },
    ],
  ])('is known %s', (...row) => expectKnown(row));

  test.each<Others[number]>([
    ['results alone', { results: [] }],
    ['results without packages', { results: [{ source }] }],
    ['packages without a source', { results: [{ packages: [] }] }],
  ])('is not seen in %s', (...row) => expectUnknown(row));
});

describe('npm audit', () => {
  const KNOWN = { format: 'npm-audit', syntax: 'json' } as const;

  test.each<Row>([
    [
      'without findings',
      { auditReportVersion: 2, vulnerabilities: {} },
      { ...KNOWN, specVersion: '2', ...NONE },
    ],
    [
      'of npm 7, whatever the packages are called',
      `{"auditReportVersion":2,"vulnerabilities":{"a":{"severity":"moderate","via":[{"severity":"critical"}]},
        "__proto__":{"severity":"low"},"constructor":{"severity":"high"},"*":{"severity":"info"},"[]":{},
        "${'n'.repeat(300)}":{"severity":"high"},"":{"severity":"critical"}},
        "metadata":{"vulnerabilities":{"info":1,"total":7}}}`,
      {
        ...KNOWN,
        specVersion: '2',
        findings: 7,
        severities: { critical: 1, high: 2, medium: 1, low: 1, none: 1, unknown: 1 },
      },
    ],
    [
      'of npm 6',
      {
        actions: [],
        advisories: {
          118: { id: 118, severity: 'high', findings: [{ severity: 'low' }] },
          119: { severity: 'low' },
        },
        muted: [],
        metadata: { vulnerabilities: { high: 1, low: 1 } },
      },
      { ...KNOWN, findings: 2, severities: countSeverities({ high: 1, low: 1 }) },
    ],
  ])('is known %s', (...row) => expectKnown(row));

  test.each<Others[number]>([
    ['a version alone', { auditReportVersion: 2 }],
    ['advisories alone', { advisories: {} }],
    [
      'an error',
      { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } },
    ],
  ])('is not seen in %s', (...row) => expectUnknown(row));
});

describe('Snyk', () => {
  const KNOWN = { format: 'snyk', syntax: 'json' } as const;
  test.each<Row>([
    [
      'without findings',
      { vulnerabilities: [], ok: true, packageManager: 'npm' },
      { ...KNOWN, ...NONE },
    ],
    [
      'of one project',
      {
        vulnerabilities: [writeSnyk('high'), writeSnyk('high'), writeSnyk('low')],
        ok: false,
        dependencyCount: 5,
      },
      { ...KNOWN, findings: 3, severities: countSeverities({ high: 2, low: 1 }) },
    ],
    [
      'of several projects',
      [
        { vulnerabilities: [writeSnyk('critical')], ok: false, packageManager: 'npm' },
        { vulnerabilities: [], ok: true, packageManager: 'pip' },
        { vulnerabilities: [writeSnyk('medium')] },
      ],
      { ...KNOWN, findings: 2, severities: countSeverities({ critical: 1, medium: 1 }) },
    ],
    [
      'of an image and its applications',
      {
        vulnerabilities: [writeSnyk('high')],
        ok: false,
        packageManager: 'deb',
        applications: [
          { vulnerabilities: [writeSnyk('critical'), writeSnyk('low')], ok: false },
          { vulnerabilities: [], ok: true },
        ],
      },
      { ...KNOWN, findings: 3, severities: countSeverities({ critical: 1, high: 1, low: 1 }) },
    ],
    [
      'of several images and their applications',
      [
        { vulnerabilities: [], ok: true, packageManager: 'apk', applications: [] },
        {
          vulnerabilities: [writeSnyk('medium')],
          applications: [{ vulnerabilities: [writeSnyk('low')] }],
        },
      ],
      { ...KNOWN, findings: 2, severities: countSeverities({ medium: 1, low: 1 }) },
    ],
    ...['SNYK-JS-A-1', 'npm:a:20160101', 'snyk:lic:npm:a:GPL-3.0'].map((id): Row => [
      `by the id ${id}`,
      { vulnerabilities: [{ id }] },
      { ...KNOWN, findings: 1, severities: countSeverities({ unknown: 1 }) },
    ]),
  ])('is known %s', (...row) => expectKnown(row));

  test.each<Others[number]>([
    ['vulnerabilities alone', { vulnerabilities: [] }],
    ['vulnerabilities of something else', { vulnerabilities: [{ id: 'CVE-2026-1' }] }],
    ['an id further inside', { vulnerabilities: [{ id: 'x-SNYK-JS-A-1' }] }],
    ['an error', { ok: false, error: 'Not authorised', path: '/src' }],
    ['a list in a list', [[{ vulnerabilities: [], ok: true, packageManager: 'npm' }]]],
  ])('is not seen in %s', (...row) => expectUnknown(row));
});

describe('Dependency-Check', () => {
  const root = `<analysis xmlns="${DEPENDENCY_CHECK_NAMESPACE}">`;
  const tool = 'OWASP Dependency-Check 12.1.0';

  test.each<Row>([
    [
      'in JSON, without what was suppressed',
      {
        reportSchema: '1.1',
        scanInfo: { engineVersion: '12.1.0', dataSource: [{ name: 'NVD' }] },
        dependencies: [
          {
            fileName: 'a.jar',
            vulnerabilities: [{ severity: 'HIGH' }, { severity: 'MODERATE' }],
            suppressedVulnerabilities: [{ severity: 'CRITICAL' }],
          },
          { fileName: 'b.jar' },
        ],
      },
      {
        format: 'dependency-check',
        syntax: 'json',
        specVersion: '1.1',
        tool,
        findings: 2,
        severities: countSeverities({ high: 1, medium: 1 }),
      },
    ],
    [
      'in XML, without what was suppressed',
      `${root}<scanInfo><engineVersion>12.1.0</engineVersion></scanInfo><dependencies>
        <dependency><fileName>a.jar</fileName><vulnerabilities>${writeVulnerability('CRITICAL')}${writeVulnerability('medium')}
        <suppressedVulnerability><severity>HIGH</severity></suppressedVulnerability></vulnerabilities></dependency>
        <dependency/></dependencies></analysis>`,
      {
        format: 'dependency-check',
        syntax: 'xml',
        specVersion: '4.1',
        tool,
        findings: 2,
        severities: countSeverities({ critical: 1, medium: 1 }),
      },
    ],
    [
      'in XML, with nothing in it',
      `${root}</analysis>`,
      { format: 'dependency-check', syntax: 'xml', specVersion: '4.1', ...NONE },
    ],
  ])('is known %s', (...row) => expectKnown(row));

  test.each<Others[number]>([
    ['a schema alone', { reportSchema: '1.1', dependencies: [] }],
    ['an engine alone', { scanInfo: { engineVersion: '1' } }],
    ['an analysis of something else', '<analysis xmlns="urn:a"><scanInfo/></analysis>'],
    [
      'a schema of somebody else',
      '<analysis xmlns="https://example.com/dependency-check.4.1.xsd"/>',
    ],
    ['another root element', `<report xmlns="${DEPENDENCY_CHECK_NAMESPACE}"/>`],
  ])('is not seen in %s', (...row) => expectUnknown(row));
});
