import { describe, expect, test } from '@jest/globals';
import type { Facts } from '../../src/formats/content.ts';
import {
  DEPENDENCY_CHECK_NAMESPACE,
  countFindings,
  expectUnrecognised,
  inspect,
} from '../support/documents.ts';

/** The name of a format and what is special in a document, the document, and the facts that are read from it. */
type Report = readonly [string, unknown, Facts];

const NONE = countFindings({});

/** JSON objects one after the other, indented. */
function stream(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value, undefined, 2)}\n`).join('');
}

const semgrep = (severity: string): object => ({
  check_id: 'rules.a',
  path: 'a.py',
  extra: { message: 'm', severity },
});

const checkov = (...severities: readonly (string | null)[]): object => ({
  check_type: 'terraform',
  results: {
    passed_checks: [{ check_id: 'CKV_1' }],
    failed_checks: severities.map((severity) => ({ check_id: 'CKV_2', severity })),
  },
  summary: { passed: 1, failed: severities.length, checkov_version: '3.2.1' },
});
const CHECKOV = { tool: 'Checkov 3.2.1' };

const bandit = (severity: string): object => ({ test_id: 'B101', issue_severity: severity });
const METRICS = { _totals: { loc: 2, 'SEVERITY.HIGH': 1 } };

const ALERTS = ['3', '2', '1', '0', '3'].map((riskcode) => ({
  pluginid: '1',
  riskcode,
  riskdesc: 'Hoch (Mittel)',
  instances: [{ uri: 'a' }, { uri: 'b' }],
}));
const ALERT_COUNTS = countFindings({ high: 2, medium: 1, low: 1, none: 1 });
const ALERT_ITEMS = ALERTS.map(
  ({ riskcode }) =>
    `<alertitem><riskcode>${riskcode}</riskcode><instances><instance/></instances></alertitem>`,
).join('');

const gitlab = (severity: string): object => ({
  id: 'a',
  severity,
  location: { file: 'a' },
  identifiers: [{ type: 'cwe', name: 'CWE-1', value: '1' }],
});

const crate = { database: { 'advisory-count': 302 }, lockfile: { 'dependency-count': 4 } };

const CONFIG = { config: { scanner_name: 'govulncheck', scanner_version: 'v1.1.4' } };
const finding = (osv: string): object => ({ finding: { osv, trace: [{ module: 'm' }] } });
const GO = { tool: 'govulncheck v1.1.4' };
const MESSAGES = [
  CONFIG,
  { osv: { id: 'GO-3' } },
  finding('GO-1'),
  finding('GO-2'),
  finding('GO-1'),
];

const advisory = (severity: string): object => ({
  type: 'auditAdvisory',
  data: { resolution: { id: 1 }, advisory: { severity, findings: [{ severity: 'low' }] } },
});
const berry = (severity: string): object => ({
  value: 'lodash',
  children: { ID: 1, Issue: 'i', Severity: severity },
});
const INFO = { type: 'info', data: 'x' };
const SUMMARY = { type: 'auditSummary', data: { vulnerabilities: { high: 1 }, dependencies: 1 } };

const TARGET = { Target: 'app (alpine 3.22)', Class: 'os-pkgs', Type: 'alpine' };

function listOf(...severities: readonly string[]): readonly object[] {
  return severities.map((Severity) => ({ Severity, Title: 'found' }));
}

/** A cluster with the results of a pod in this member. */
function cluster(kind: string, results: object): object {
  return { ClusterName: 'kind', [kind]: [{ Kind: 'Pod', Results: [results] }] };
}

const writeMatch = (severity: string): object => ({
  vulnerability: { id: 'CVE-2026-1', severity },
  artifact: { name: 'a' },
});

const SOURCE = { path: '/src/package-lock.json', type: 'lockfile' };

const writeSnyk = (severity: string): object => ({ id: 'SNYK-JS-A-1', severity });

const ANALYSIS = `<analysis xmlns="${DEPENDENCY_CHECK_NAMESPACE}">`;

const writeVulnerability = (severity: string): string =>
  `<vulnerability source="NVD"><name>CVE</name><severity>${severity}</severity></vulnerability>`;

describe('reports', () => {
  test.each<Report>([
    [
      'trivy as a report with findings of all kinds',
      {
        SchemaVersion: 2,
        Trivy: { Version: '0.65.0' },
        ArtifactName: 'app:1',
        Results: [
          { ...TARGET, Vulnerabilities: listOf('CRITICAL', 'LOW') },
          { ...TARGET, Secrets: listOf('HIGH'), Licenses: listOf('UNKNOWN', 'MEDIUM') },
        ],
      },
      {
        specVersion: '2',
        tool: 'Trivy 0.65.0',
        ...countFindings({ critical: 1, high: 1, medium: 1, low: 1, unknown: 1 }),
      },
    ],
    [
      'trivy as a report with checks, of which passed ones are not counted',
      {
        SchemaVersion: 2,
        ArtifactName: '.',
        Results: [
          {
            Misconfigurations: [
              { Status: 'FAIL', Severity: 'HIGH' },
              { Severity: 'MEDIUM', Status: 'PASS' },
              { Status: 'EXCEPTION', Severity: 'CRITICAL' },
              { Severity: 'LOW' },
              { Status: 'PASSED', Severity: 'LOW' },
            ],
          },
        ],
      },
      { specVersion: '2', ...countFindings({ high: 1, low: 2 }) },
    ],
    [
      'trivy as a report without an artifact or findings',
      { SchemaVersion: 2, Results: [{ ...TARGET }] },
      { specVersion: '2', ...countFindings({}) },
    ],
    [
      'trivy as a report without targets',
      { SchemaVersion: 2, ArtifactName: 'a' },
      { specVersion: '2', ...countFindings({}) },
    ],
    [
      'trivy as a bare list of targets',
      [
        { ...TARGET, Vulnerabilities: listOf('LOW', 'LOW') },
        { ...TARGET, Vulnerabilities: null },
      ],
      countFindings({ low: 2 }),
    ],
    [
      'trivy as a bare list without findings',
      [{ Target: 'package-lock.json', Type: 'npm' }],
      countFindings({}),
    ],
    ...['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'].flatMap(
      (kind): Report[] => [
        [
          `trivy as a cluster without ${kind}`,
          { ClusterName: 'kind', [kind]: [] },
          countFindings({}),
        ],
        [
          `trivy as a cluster with findings in its ${kind}`,
          cluster(kind, {
            Vulnerabilities: listOf('LOW', 'CRITICAL'),
            Misconfigurations: [
              { Status: 'PASS', Severity: 'HIGH' },
              { Status: 'FAIL', Severity: 'MEDIUM' },
            ],
            Secrets: listOf('HIGH'),
          }),
          countFindings({ critical: 1, high: 1, medium: 1, low: 1 }),
        ],
      ],
    ),
    [
      'grype by its descriptor',
      { matches: [], source: {}, descriptor: { name: 'grype', version: '0.90.0' } },
      { tool: 'grype 0.90.0', ...NONE },
    ],
    [
      'grype by its matches',
      { matches: [writeMatch('Critical'), writeMatch('Negligible'), { artifact: {} }] },
      countFindings({ critical: 1, none: 1, unknown: 1 }),
    ],
    [
      'grype without counting ignored matches',
      {
        matches: [writeMatch('High')],
        ignoredMatches: [writeMatch('High')],
        descriptor: { name: 'grype' },
      },
      { tool: 'grype', ...countFindings({ high: 1 }) },
    ],
    ['osv-scanner without findings', { results: [], experimental_config: {} }, NONE],
    [
      'osv-scanner with the worse of database severity and group score',
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
    [
      'npm-audit without findings',
      { auditReportVersion: 2, vulnerabilities: {} },
      { specVersion: '2', ...NONE },
    ],
    [
      'npm-audit from npm 7, with any package names',
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
      'npm-audit from npm 6',
      {
        advisories: {
          118: { id: 118, severity: 'high', findings: [{ severity: 'low' }] },
          119: { severity: 'low' },
        },
        metadata: { vulnerabilities: { high: 1, low: 1 } },
      },
      countFindings({ high: 1, low: 1 }),
    ],
    ['snyk without findings', { vulnerabilities: [], ok: true, packageManager: 'npm' }, NONE],
    [
      'snyk for one project, without its package manager',
      {
        vulnerabilities: [writeSnyk('high'), writeSnyk('high'), writeSnyk('low')],
        ok: false,
        dependencyCount: 5,
      },
      countFindings({ high: 2, low: 1 }),
    ],
    [
      'snyk for an image with its applications',
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
      'snyk for multiple projects and images with their applications',
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
    ...['SNYK-JS-A-1', 'npm:a:20160101', 'snyk:lic:npm:a:GPL-3.0'].map((id): Report => [
      `snyk by the id ${id}`,
      { vulnerabilities: [{ id }] },
      countFindings({ unknown: 1 }),
    ]),
    [
      'dependency-check without counting suppressed vulnerabilities',
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
    [
      'dependency-check without counting suppressed vulnerabilities',
      `${ANALYSIS}<scanInfo><engineVersion>12.1.0</engineVersion></scanInfo><dependencies>
        <dependency><vulnerabilities>${writeVulnerability('CRITICAL')}${writeVulnerability('medium')}
        <suppressedVulnerability><severity>HIGH</severity></suppressedVulnerability></vulnerabilities></dependency>
        <dependency/></dependencies></analysis>`,
      {
        specVersion: '4.1',
        tool: 'OWASP Dependency-Check 12.1.0',
        ...countFindings({ critical: 1, medium: 1 }),
      },
    ],
    ['dependency-check without content', `${ANALYSIS}</analysis>`, { specVersion: '4.1', ...NONE }],
    [
      'semgrep with findings',
      { results: ['ERROR', 'WARNING', 'INFO', 'CRITICAL', 'EXPERIMENT'].map(semgrep), errors: [] },
      countFindings({ critical: 1, high: 1, medium: 1, none: 1, unknown: 1 }),
    ],
    [
      'semgrep without findings',
      { version: '1.2.3', results: [], errors: [], paths: { scanned: ['a.py'] } },
      { tool: 'Semgrep 1.2.3', ...NONE },
    ],
    [
      'semgrep that read no file',
      { results: [], errors: [{ code: 7, message: 'no rules' }], paths: { scanned: [] } },
      { ...NONE, isBlank: true, isFailed: true },
    ],
    [
      'semgrep of a pull request without code',
      { results: [], errors: [], paths: { scanned: [] } },
      { ...NONE, isBlank: true },
    ],
    [
      'semgrep with findings outside of code',
      { results: [semgrep('ERROR')], errors: [], paths: { scanned: [] } },
      countFindings({ high: 1 }),
    ],
    [
      'semgrep that read some files',
      { results: [], errors: [{ code: 3 }], paths: { scanned: ['a.py'] } },
      NONE,
    ],
    ['checkov without severities', checkov(null, null), { ...CHECKOV, findings: 2 }],
    [
      'checkov with severities of some findings',
      checkov('HIGH', null, 'LOW'),
      { ...CHECKOV, ...countFindings({ high: 1, low: 1, unknown: 1 }) },
    ],
    [
      'checkov of several frameworks',
      [checkov('HIGH'), { passed: 0, failed: 0, checkov_version: '3.2.1' }, checkov('MEDIUM')],
      { ...CHECKOV, ...countFindings({ high: 1, medium: 1 }) },
    ],
    [
      'checkov without resources',
      { passed: 0, failed: 0, skipped: 0, checkov_version: '3.2.1' },
      { ...CHECKOV, findings: 0 },
    ],
    [
      'gitleaks of version 8',
      [1, 2].map((StartLine) => ({ RuleID: 'key', Secret: 's', Match: 'm', StartLine, Tags: [] })),
      { findings: 2 },
    ],
    [
      'gitleaks of earlier versions',
      [{ line: 'l', offender: 'o', commit: 'c', rule: 'AWS', commitMessage: '' }],
      { findings: 1 },
    ],
    [
      'bandit with findings',
      { errors: [], metrics: METRICS, results: ['HIGH', 'LOW', 'UNDEFINED'].map(bandit) },
      countFindings({ high: 1, low: 1, unknown: 1 }),
    ],
    ['bandit without findings', { errors: [], metrics: METRICS, results: [] }, NONE],
    [
      'zap in JSON, with alerts of several sites',
      {
        '@programName': 'ZAP',
        '@version': '2.16.1',
        site: [{ '@name': 'a', alerts: ALERTS }, { alerts: [] }],
      },
      { tool: 'OWASP ZAP 2.16.1', ...ALERT_COUNTS },
    ],
    [
      'zap with codes of another kind',
      {
        '@programName': 'ZAP',
        site: ['constructor', '__proto__', ''].map((riskcode) => ({ alerts: [{ riskcode }] })),
      },
      countFindings({ unknown: 3 }),
    ],
    [
      'zap in JSON of earlier versions, with one site',
      { '@version': '2.7.0', '@generated': 'now', site: { alerts: ALERTS } },
      { tool: 'OWASP ZAP 2.7.0', ...ALERT_COUNTS },
    ],
    [
      'zap in indented XML',
      `<OWASPZAPReport><site><alerts>${ALERT_ITEMS.replace(/<riskcode>/g, '$&\n')}</alerts></site></OWASPZAPReport>`,
      ALERT_COUNTS,
    ],
    [
      'zap in XML',
      `<?xml version="1.0"?><OWASPZAPReport programName="ZAP" version="2.16.1"><site name="a"><alerts>${ALERT_ITEMS}</alerts></site><site/></OWASPZAPReport>`,
      { tool: 'OWASP ZAP 2.16.1', ...ALERT_COUNTS },
    ],
    [
      'gitlab with its scanner',
      {
        version: '15.0.7',
        vulnerabilities: ['Critical', 'Info', 'Unknown'].map(gitlab),
        scan: {
          analyzer: { name: 'Semgrep analyzer' },
          scanner: { name: 'Gemnasium', version: '2.24' },
          type: 'dependency_scanning',
        },
      },
      {
        specVersion: '15.0.7',
        tool: 'Gemnasium 2.24',
        ...countFindings({ critical: 1, none: 1, unknown: 1 }),
      },
    ],
    [
      'gitlab of a scan that failed',
      { version: '15', vulnerabilities: [], scan: { type: 'sast', status: 'failure' } },
      { specVersion: '15', ...NONE, isFailed: true },
    ],
    [
      'gitlab of a DAST scan, with the members that ZAP writes',
      {
        '@version': '2.8',
        '@generated': 'now',
        site: [{ alerts: ALERTS }],
        version: '3',
        vulnerabilities: [gitlab('Low')],
        scan: { type: 'dast' },
      },
      { specVersion: '3', ...countFindings({ low: 1 }) },
    ],
    [
      'gitlab before version 3',
      { version: '2.3', vulnerabilities: [gitlab('High')] },
      { specVersion: '2.3', ...countFindings({ high: 1 }) },
    ],
    [
      'gitlab before version 3, without findings',
      { version: '2.3', vulnerabilities: [], remediations: [] },
      { specVersion: '2.3', ...NONE },
    ],
    [
      'pip-audit as an object',
      {
        dependencies: [
          { name: 'a', version: '1', vulns: [{ id: 'P-1' }, { id: 'P-2' }] },
          { name: 'b', skip_reason: 'unknown' },
          { name: 'c', version: '1', vulns: [] },
        ],
      },
      { findings: 2 },
    ],
    [
      'pip-audit as a list',
      [
        { name: 'b', skip_reason: 'unknown' },
        { name: 'a', version: '1', vulns: [{ id: 'P-1', fix_versions: [] }] },
      ],
      { findings: 1 },
    ],
    [
      'cargo-audit without counting warnings',
      {
        ...crate,
        vulnerabilities: { found: true, count: 1, list: [{ advisory: { cvss: 'CVSS:3.1/AV:N' } }] },
        warnings: { unmaintained: [{ kind: 'unmaintained' }] },
      },
      { findings: 1 },
    ],
    ['govulncheck as a list', MESSAGES, { ...GO, findings: 2 }],
    ['govulncheck as a stream, which is not counted', stream(...MESSAGES), GO],
    ['govulncheck without findings', [CONFIG, { progress: {} }], { ...GO, findings: 0 }],
    [
      'govulncheck before version 1',
      {
        Calls: {},
        Imports: {},
        Requires: {},
        Vulns: ['GO-1', 'GO-1', 'GO-2'].map((id) => ({ OSV: { id }, Symbol: 's' })),
      },
      { findings: 2 },
    ],
    ['yarn-audit of yarn 1, which is not counted', stream(INFO, advisory('high'), SUMMARY), {}],
    [
      'yarn-audit of yarn 1, as a list',
      [INFO, advisory('high'), advisory('high'), advisory('moderate'), SUMMARY],
      countFindings({ high: 2, medium: 1 }),
    ],
    ['yarn-audit of yarn 1, without findings', SUMMARY, NONE],
    ['yarn-audit of later versions, which is not counted', stream(berry('low'), berry('low')), {}],
    [
      'yarn-audit of later versions, as a list',
      [berry('critical'), berry('low')],
      countFindings({ critical: 1, low: 1 }),
    ],
    ['yarn-audit of later versions, with one finding', berry('info'), countFindings({ none: 1 })],
  ])('are recognised: %s', (name, document, facts) => {
    const [format] = name.split(' ');
    const { syntax, ...content } = inspect(document);
    const inspected = syntax === 'ndjson' ? 'partial' : 'full';
    expect(content).toEqual({ format, inspected, ...facts });
  });

  test.each<readonly [string, unknown]>([
    ['results alone', { Results: [{ Vulnerabilities: [] }] }],
    ['a schema version alone', { SchemaVersion: 2 }],
    ['a cluster alone', { ClusterName: 'kind', Nodes: [] }],
    ['findings without a cluster', { Findings: [], Resources: [] }],
    ['names in another case', { schemaVersion: 2, artifactName: 'app' }],
    ['a report in a list', [{ SchemaVersion: 2, ArtifactName: 'app' }]],
    ['a target that is not a list', { Target: 'app', Type: 'npm', Vulnerabilities: [] }],
    ['targets alone', [{ Target: 'a' }, { Target: 'b' }]],
    ['matches alone', { matches: [] }],
    ['a descriptor of another tool', { matches: [], descriptor: { name: 'syft' } }],
    ['a descriptor with a longer name', { matches: [], descriptor: { name: 'grype-db' } }],
    ['matches without artifacts', { matches: [{ vulnerability: { id: 'a' } }] }],
    ['results alone', { results: [] }],
    ['results without packages', { results: [{ source: SOURCE }] }],
    ['packages without a source', { results: [{ packages: [] }] }],
    ['a version alone', { auditReportVersion: 2 }],
    ['advisories alone', { advisories: {} }],
    ['another error', { error: { code: 404, summary: 'Not found.' } }],
    ['vulnerabilities alone', { vulnerabilities: [] }],
    ['vulnerabilities with other ids', { vulnerabilities: [{ id: 'CVE-2026-1' }] }],
    ['an id with a prefix', { vulnerabilities: [{ id: 'x-SNYK-JS-A-1' }] }],
    ['an error', { ok: false, error: 'Not authorised', vulnerabilities: [] }],
    [
      'an XML document with members of Semgrep',
      '<results><check_id>x</check_id><extra>y</extra></results>',
    ],
    ['a list in a list', [[{ vulnerabilities: [], ok: true, packageManager: 'npm' }]]],
    ['a schema alone', { reportSchema: '1.1', dependencies: [] }],
    ['an engine alone', { scanInfo: { engineVersion: '1' } }],
    ['another namespace', '<analysis xmlns="urn:a"><scanInfo/></analysis>'],
    ['another vendor', '<analysis xmlns="https://example.com/dependency-check.4.1.xsd"/>'],
    ['another root element', `<report xmlns="${DEPENDENCY_CHECK_NAMESPACE}"/>`],
    ['results and errors', { results: [], errors: [] }],
    ['results of tfsec', { results: [{ rule_id: 'AVD', long_id: 'a', severity: 'HIGH' }] }],
    ['results of null', { results: null }],
    ['results with metrics of another tool', { results: [], metrics: { loc: 2 } }],
    ['check ids without details', { results: [{ check_id: 'a' }] }],
    ['failed checks alone', { results: { failed_checks: [] } }],
    ['passed and failed tests', { passed: 3, failed: 0 }],
    [
      'secrets of another tool',
      [
        { RuleID: 'a', StartLine: 1 },
        { rule: 'a', commit: 'c' },
      ],
    ],
    ['rules of commits', [{ rule: 'AWS', commitMessage: '' }]],
    ['a site alone', { site: [{ alerts: [] }] }],
    ['a summary of ZAP', { '@programName': 'ZAP', '@generated': '', site: 'a', summaryItems: [] }],
    ['ZAP in another place', { report: { '@programName': 'ZAP', site: [{ alerts: [] }] } }],
    ['another root element', '<Report><OWASPZAPReport/></Report>'],
    ['vulnerabilities with a version', { version: '1.0', vulnerabilities: [{ severity: 'High' }] }],
    ['a scan of another type', { version: '1', vulnerabilities: [], scan: { type: 'sast_2' } }],
    ['dependencies alone', { dependencies: [{ name: 'a', version: '1' }] }],
    ['vulnerabilities with a list', { vulnerabilities: { list: [] } }],
    ['a lockfile alone', { lockfile: { 'dependency-count': 3 } }],
    ['messages of another scanner', [{ config: { scanner_name: 'other' } }, { osv: {} }]],
    ['events of another kind', [{ type: 'auditor', data: { advisory: {} } }, { value: 'a' }]],
  ])('are not recognised from %s', (...row) => expectUnrecognised(row));

  test.each([
    [
      { error: { code: 'E', summary: 'This needs\na lockfile.', detail: '' } },
      'This needs a lockfile',
    ],
    [{ message: 'no network', error: { summary: '', detail: 'x' } }, 'no network'],
  ])('are recognised from a scan that failed: %j', (document, reason) => {
    expect(inspect(document)).toEqual({
      format: 'npm-audit',
      syntax: 'json',
      inspected: 'full',
      problem: `only states an error: ${reason}`,
    });
  });

  test('of no known tool are JSON in a stream', () => {
    const lines = stream({ type: 'info' }, { 'template-id': 'a', info: { severity: 'high' } });
    expect(inspect(lines)).toEqual({ format: 'json', syntax: 'ndjson', inspected: 'partial' });
  });
});
