import { describe, expect, test } from '@jest/globals';
import {
  DEPENDENCY_CHECK_NAMESPACE,
  countFindings,
  expectRecognised,
  expectUnrecognised,
  inspect,
} from '../support/documents.ts';
import type { OtherRow, Row } from '../support/documents.ts';

const NONE = countFindings({});

const writeMatch = (severity: string): object => ({
  vulnerability: { id: 'CVE-2026-1', severity },
  artifact: { name: 'a' },
});

describe('Grype', () => {
  test.each<Row>([
    [
      'by its descriptor',
      { matches: [], source: {}, descriptor: { name: 'grype', version: '0.90.0' } },
      { tool: 'grype 0.90.0', ...NONE },
    ],
    [
      'by its matches',
      { matches: [writeMatch('Critical'), writeMatch('Negligible'), { artifact: {} }] },
      countFindings({ critical: 1, none: 1, unknown: 1 }),
    ],
    [
      'without counting ignored matches',
      {
        matches: [writeMatch('High')],
        ignoredMatches: [writeMatch('High')],
        descriptor: { name: 'grype' },
      },
      { tool: 'grype', ...countFindings({ high: 1 }) },
    ],
  ])('is recognised %s', (...row) => expectRecognised({ format: 'grype', syntax: 'json' }, row));

  test.each<OtherRow>([
    ['matches alone', { matches: [] }],
    ['a descriptor of another tool', { matches: [], descriptor: { name: 'syft' } }],
    ['a descriptor with a longer name', { matches: [], descriptor: { name: 'grype-db' } }],
    ['matches without artifacts', { matches: [{ vulnerability: { id: 'a' } }] }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

const SOURCE = { path: '/src/package-lock.json', type: 'lockfile' };

describe('OSV-Scanner', () => {
  test.each<Row>([
    ['without findings', { results: [], experimental_config: {} }, NONE],
    [
      'with the worse of database severity and group score',
      {
        results: [
          {
            source: SOURCE,
            packages: [
              {
                groups: [
                  { ids: ['GHSA-1', 'PYSEC-1'], max_severity: '9.8' },
                  { ids: ['GHSA-2'], max_severity: '2.0' },
                  { ids: ['GHSA-3'], max_severity: '' },
                  { ids: ['GHSA-4'] },
                ],
                vulnerabilities: [
                  { id: 'PYSEC-1', severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }] },
                  { id: 'GHSA-1', database_specific: { severity: 'LOW' } },
                  { id: 'GHSA-2', database_specific: { severity: 'HIGH' } },
                  { id: 'GHSA-3', database_specific: { severity: 'MODERATE' } },
                  { id: 'GHSA-4' },
                  { id: 'GHSA-5' },
                ],
              },
              { vulnerabilities: [{ database_specific: { severity: 'CRITICAL' } }] },
            ],
          },
          { source: SOURCE, packages: [{ vulnerabilities: [{}] }] },
        ],
      },
      countFindings({ critical: 3, high: 1, medium: 1, unknown: 3 }),
    ],
  ])('is recognised %s', (...row) =>
    expectRecognised({ format: 'osv-scanner', syntax: 'json' }, row),
  );

  test.each<OtherRow>([
    ['results alone', { results: [] }],
    ['results without packages', { results: [{ source: SOURCE }] }],
    ['packages without a source', { results: [{ packages: [] }] }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

describe('npm audit', () => {
  test.each<Row>([
    [
      'without findings',
      { auditReportVersion: 2, vulnerabilities: {} },
      { specVersion: '2', ...NONE },
    ],
    [
      'from npm 7, with any package names',
      `{"auditReportVersion":2,"vulnerabilities":{"a":{"severity":"moderate","via":[{"severity":"critical"}]},
        "__proto__":{"severity":"low"},"constructor":{"severity":"high"},"*":{"severity":"info"},"[]":{},
        "${'n'.repeat(300)}":{"severity":"high"},"":{"severity":"critical"}},
        "metadata":{"vulnerabilities":{"info":1,"total":7}}}`,
      {
        specVersion: '2',
        ...countFindings({ critical: 1, high: 2, medium: 1, low: 1, none: 1, unknown: 1 }),
      },
    ],
    [
      'from npm 6',
      {
        advisories: {
          118: { id: 118, severity: 'high', findings: [{ severity: 'low' }] },
          119: { severity: 'low' },
        },
        metadata: { vulnerabilities: { high: 1, low: 1 } },
      },
      countFindings({ high: 1, low: 1 }),
    ],
  ])('is recognised %s', (...row) =>
    expectRecognised({ format: 'npm-audit', syntax: 'json' }, row),
  );

  test.each([
    [
      { error: { code: 'E', summary: 'This needs\na lockfile.', detail: '' } },
      'This needs a lockfile',
    ],
    [{ message: 'no network', error: { summary: '', detail: 'x' } }, 'no network'],
  ])('is recognised from a scan that failed: %j', (document, reason) => {
    expect(inspect(document)).toEqual({
      format: 'npm-audit',
      syntax: 'json',
      inspected: 'full',
      problem: `says that npm audit failed: ${reason}`,
    });
  });

  test.each<OtherRow>([
    ['a version alone', { auditReportVersion: 2 }],
    ['advisories alone', { advisories: {} }],
    ['another error', { error: { code: 404, summary: 'Not found.' } }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

const writeSnyk = (severity: string): object => ({ id: 'SNYK-JS-A-1', severity });

describe('Snyk', () => {
  test.each<Row>([
    ['without findings', { vulnerabilities: [], ok: true, packageManager: 'npm' }, NONE],
    [
      'for one project, without its package manager',
      {
        vulnerabilities: [writeSnyk('high'), writeSnyk('high'), writeSnyk('low')],
        ok: false,
        dependencyCount: 5,
      },
      countFindings({ high: 2, low: 1 }),
    ],
    [
      'for an image with its applications',
      {
        vulnerabilities: [writeSnyk('high')],
        ok: false,
        packageManager: 'deb',
        applications: [
          { vulnerabilities: [writeSnyk('critical'), writeSnyk('low')], ok: false },
          { vulnerabilities: [], ok: true },
        ],
      },
      countFindings({ critical: 1, high: 1, low: 1 }),
    ],
    [
      'for multiple projects and images with their applications',
      [
        { vulnerabilities: [], ok: true, packageManager: 'apk', applications: [] },
        { vulnerabilities: [writeSnyk('critical')], ok: false },
        {
          vulnerabilities: [writeSnyk('medium')],
          applications: [{ vulnerabilities: [writeSnyk('low')] }],
        },
      ],
      countFindings({ critical: 1, medium: 1, low: 1 }),
    ],
    ...['SNYK-JS-A-1', 'npm:a:20160101', 'snyk:lic:npm:a:GPL-3.0'].map((id): Row => [
      `by the id ${id}`,
      { vulnerabilities: [{ id }] },
      countFindings({ unknown: 1 }),
    ]),
  ])('is recognised %s', (...row) => expectRecognised({ format: 'snyk', syntax: 'json' }, row));

  test.each<OtherRow>([
    ['vulnerabilities alone', { vulnerabilities: [] }],
    ['vulnerabilities with other ids', { vulnerabilities: [{ id: 'CVE-2026-1' }] }],
    ['an id with a prefix', { vulnerabilities: [{ id: 'x-SNYK-JS-A-1' }] }],
    ['an error', { ok: false, error: 'Not authorised', path: '/src' }],
    ['a list in a list', [[{ vulnerabilities: [], ok: true, packageManager: 'npm' }]]],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

const ROOT = `<analysis xmlns="${DEPENDENCY_CHECK_NAMESPACE}">`;

const writeVulnerability = (severity: string): string =>
  `<vulnerability source="NVD"><name>CVE</name><severity>${severity}</severity></vulnerability>`;

describe('Dependency-Check in JSON', () => {
  test.each<Row>([
    [
      'without counting suppressed vulnerabilities',
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
        specVersion: '1.1',
        tool: 'OWASP Dependency-Check 12.1.0',
        ...countFindings({ high: 1, medium: 1 }),
      },
    ],
  ])('is recognised %s', (...row) =>
    expectRecognised({ format: 'dependency-check', syntax: 'json' }, row),
  );

  test.each<OtherRow>([
    ['a schema alone', { reportSchema: '1.1', dependencies: [] }],
    ['an engine alone', { scanInfo: { engineVersion: '1' } }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

describe('Dependency-Check in XML', () => {
  test.each<Row>([
    [
      'without counting suppressed vulnerabilities',
      `${ROOT}<scanInfo><engineVersion>12.1.0</engineVersion></scanInfo><dependencies>
        <dependency><vulnerabilities>${writeVulnerability('CRITICAL')}${writeVulnerability('medium')}
        <suppressedVulnerability><severity>HIGH</severity></suppressedVulnerability></vulnerabilities></dependency>
        <dependency/></dependencies></analysis>`,
      { tool: 'OWASP Dependency-Check 12.1.0', ...countFindings({ critical: 1, medium: 1 }) },
    ],
    ['without content', `${ROOT}</analysis>`, NONE],
  ])('is recognised %s', (...row) =>
    expectRecognised({ format: 'dependency-check', syntax: 'xml', specVersion: '4.1' }, row),
  );

  test.each<OtherRow>([
    ['another namespace', '<analysis xmlns="urn:a"><scanInfo/></analysis>'],
    ['another vendor', '<analysis xmlns="https://example.com/dependency-check.4.1.xsd"/>'],
    ['another root element', `<report xmlns="${DEPENDENCY_CHECK_NAMESPACE}"/>`],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});
