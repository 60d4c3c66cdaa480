import { describe, expect, test } from '@jest/globals';
import type { Facts } from '../../src/formats/content.ts';
import type { KnownName } from '../../src/formats/registry.ts';
import { countFindings, expectUnrecognised, inspect, writeDocument } from '../support/documents.ts';
import type { OtherRow } from '../support/documents.ts';

/** JSON objects one after the other, indented. */
function stream(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value, undefined, 2)}\n`).join('');
}

const NONE = countFindings({});

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
const SUMMARY = { type: 'auditSummary', data: { vulnerabilities: { high: 1 }, dependencies: 1 } };

describe('reports of other scanners', () => {
  test.each<[KnownName, string, unknown, Facts]>([
    [
      'semgrep',
      'with findings',
      { results: ['ERROR', 'WARNING', 'INFO', 'CRITICAL', 'EXPERIMENT'].map(semgrep), errors: [] },
      countFindings({ critical: 1, high: 1, medium: 1, none: 1, unknown: 1 }),
    ],
    [
      'semgrep',
      'without findings',
      { version: '1.2.3', results: [], errors: [], paths: { scanned: ['a.py'] } },
      { tool: 'Semgrep 1.2.3', ...NONE },
    ],
    ['checkov', 'without severities', checkov(null, null), { ...CHECKOV, findings: 2 }],
    [
      'checkov',
      'with severities of some findings',
      checkov('HIGH', null, 'LOW'),
      { ...CHECKOV, ...countFindings({ high: 1, low: 1, unknown: 1 }) },
    ],
    [
      'checkov',
      'of several frameworks',
      [checkov('HIGH'), { passed: 0, failed: 0, checkov_version: '3.2.1' }, checkov('MEDIUM')],
      { ...CHECKOV, ...countFindings({ high: 1, medium: 1 }) },
    ],
    [
      'checkov',
      'without resources',
      { passed: 0, failed: 0, skipped: 0, checkov_version: '3.2.1' },
      { ...CHECKOV, findings: 0 },
    ],
    [
      'gitleaks',
      'of version 8',
      [1, 2].map((StartLine) => ({ RuleID: 'key', Secret: 's', Match: 'm', StartLine, Tags: [] })),
      { findings: 2 },
    ],
    [
      'gitleaks',
      'of earlier versions',
      [{ line: 'l', offender: 'o', commit: 'c', rule: 'AWS', commitMessage: '' }],
      { findings: 1 },
    ],
    [
      'bandit',
      'with findings',
      { errors: [], metrics: METRICS, results: ['HIGH', 'LOW', 'UNDEFINED'].map(bandit) },
      countFindings({ high: 1, low: 1, unknown: 1 }),
    ],
    ['bandit', 'without findings', { errors: [], metrics: METRICS, results: [] }, NONE],
    [
      'zap',
      'in JSON, with alerts of several sites',
      {
        '@programName': 'ZAP',
        '@version': '2.16.1',
        site: [{ '@name': 'a', alerts: ALERTS }, { alerts: [] }],
      },
      { tool: 'OWASP ZAP 2.16.1', ...ALERT_COUNTS },
    ],
    [
      'zap',
      'with codes of another kind',
      {
        '@programName': 'ZAP',
        site: ['constructor', '__proto__', ''].map((riskcode) => ({ alerts: [{ riskcode }] })),
      },
      countFindings({ unknown: 3 }),
    ],
    [
      'zap',
      'in JSON of earlier versions, with one site',
      { '@version': '2.7.0', '@generated': 'now', site: { alerts: ALERTS } },
      { tool: 'OWASP ZAP 2.7.0', ...ALERT_COUNTS },
    ],
    [
      'zap',
      'in XML',
      `<?xml version="1.0"?><OWASPZAPReport programName="ZAP" version="2.16.1"><site name="a"><alerts>${ALERT_ITEMS}</alerts></site><site/></OWASPZAPReport>`,
      { tool: 'OWASP ZAP 2.16.1', ...ALERT_COUNTS },
    ],
    [
      'gitlab',
      'with its scanner',
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
      'gitlab',
      'of a DAST scan, with the members that ZAP writes',
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
      'gitlab',
      'before version 3',
      { version: '2.3', vulnerabilities: [gitlab('High')] },
      { specVersion: '2.3', ...countFindings({ high: 1 }) },
    ],
    [
      'gitlab',
      'before version 3, without findings',
      { version: '2.3', vulnerabilities: [], remediations: [] },
      { specVersion: '2.3', ...NONE },
    ],
    [
      'pip-audit',
      'as an object',
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
      'pip-audit',
      'as a list',
      [
        { name: 'b', skip_reason: 'unknown' },
        { name: 'a', version: '1', vulns: [{ id: 'P-1', fix_versions: [] }] },
      ],
      { findings: 1 },
    ],
    [
      'cargo-audit',
      'without counting warnings',
      {
        ...crate,
        vulnerabilities: { found: true, count: 1, list: [{ advisory: { cvss: 'CVSS:3.1/AV:N' } }] },
        warnings: { unmaintained: [{ kind: 'unmaintained' }] },
      },
      { findings: 1 },
    ],
    ['govulncheck', 'as a list', MESSAGES, { ...GO, findings: 2 }],
    ['govulncheck', 'as a stream', stream(...MESSAGES), { ...GO, findings: 2 }],
    ['govulncheck', 'without findings', stream(CONFIG, { progress: {} }), { ...GO, findings: 0 }],
    [
      'govulncheck',
      'before version 1',
      {
        Calls: {},
        Imports: {},
        Requires: {},
        Vulns: ['GO-1', 'GO-1', 'GO-2'].map((id) => ({ OSV: { id }, Symbol: 's' })),
      },
      { findings: 2 },
    ],
    [
      'yarn-audit',
      'of yarn 1',
      stream(
        { type: 'info', data: 'x' },
        advisory('high'),
        advisory('high'),
        advisory('moderate'),
        SUMMARY,
      ),
      countFindings({ high: 2, medium: 1 }),
    ],
    ['yarn-audit', 'of yarn 1, without findings', SUMMARY, NONE],
    [
      'yarn-audit',
      'of later versions',
      stream(berry('critical'), berry('low')),
      countFindings({ critical: 1, low: 1 }),
    ],
    [
      'yarn-audit',
      'of later versions, with one finding',
      berry('info'),
      countFindings({ none: 1 }),
    ],
  ])('are recognised: %s %s', (format, _, document, facts) => {
    const { syntax, documents, ...content } = inspect(document);
    expect(content).toEqual({ format, inspected: 'full', ...facts });
    const written = writeDocument(document);
    expect(syntax).toBe(
      written.startsWith('<') ? 'xml' : documents === undefined ? 'json' : 'ndjson',
    );
  });

  test.each<OtherRow>([
    ['an empty list', []],
    ['an empty object', {}],
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
    ['a site alone', { site: [{ alerts: [] }] }],
    ['a summary of ZAP', { '@programName': 'ZAP', '@generated': '', site: 'a', summaryItems: [] }],
    ['ZAP in another place', { report: { '@programName': 'ZAP', site: [{ alerts: [] }] } }],
    ['another root element', '<Report><OWASPZAPReport/></Report>'],
    ['vulnerabilities with a version', { version: '1.0', vulnerabilities: [{ severity: 'High' }] }],
    ['a scan of another type', { version: '1', vulnerabilities: [], scan: { type: 'full' } }],
    ['dependencies alone', { dependencies: [{ name: 'a', version: '1' }] }],
    ['vulnerabilities with a list', { vulnerabilities: { list: [] } }],
    ['a lockfile alone', { lockfile: { 'dependency-count': 3 } }],
    ['messages of another scanner', [{ config: { scanner_name: 'other' } }, { osv: {} }]],
    ['events of another kind', [{ type: 'auditor', data: { advisory: {} } }, { value: 'a' }]],
  ])('are not recognised from %s', (...row) => expectUnrecognised(row));

  test('a stream of no known tool is JSON', () => {
    const lines = stream(
      { type: 'info', data: 'x' },
      { 'template-id': 'a', info: { severity: 'high' } },
    );
    expect(inspect(lines)).toEqual({
      format: 'json',
      syntax: 'ndjson',
      inspected: 'full',
      documents: 2,
    });
  });
});
