import {
  TRIVY_CLUSTER,
  isEmpty,
  listComponents,
  listSpdxPackages,
  readCheckov,
  readGovulncheck,
  readOsvScanner,
  readTrivy,
  readYarn,
  readZap,
} from './format.ts';
import type { Format } from './format.ts';
import { isSarifFailed, readSarif } from './sarif.ts';
import { hasMark } from './values.ts';

const YARN_MARKS = [
  'type=auditAdvisory data/advisory',
  'type=auditSummary data/vulnerabilities',
  'value children/Severity children/Issue',
];

/** All formats that are recognised; a document has the first one whose marks it has. */
const KNOWN = {
  // 1.0 to 2.0; from 1.5 on tools may be components. Documents are counted at their top level.
  cyclonedx: {
    label: 'CycloneDX',
    holds: 'either',
    isStandard: true,
    marks: ['bomFormat=CycloneDX', 'specFormat=CycloneDX'],
    xml: 'http://cyclonedx.org/schema/bom/',
    specVersion: ['specVersion'],
    tools: ['metadata/tools', 'metadata/tools/components'],
    components: listComponents('components'),
    lists: ['vulnerabilities'],
    severity: 'ratings/severity',
    // Trivy writes an empty list in an SBOM, for which it looks for no vulnerabilities by default.
    otherMarks: ['metadata/tools/name=trivy', 'metadata/tools/components/name=trivy'],
  },
  // SPDX 2, also in what GitHub exports, and SPDX 3 in JSON-LD, with all elements in one list.
  spdx: {
    label: 'SPDX',
    holds: 'SBOM',
    isStandard: true,
    marks: ['spdxVersion', 'sbom/spdxVersion', '@context*=spdx.org/rdf/3'],
    specVersion: ['spdxVersion', 'sbom/spdxVersion', '@graph/specVersion'],
    tools: ['creationInfo/creators', 'sbom/creationInfo/creators'],
    components: listSpdxPackages,
  },
  syft: {
    label: 'Syft',
    holds: 'SBOM',
    marks: ['artifacts descriptor/name=syft'],
    specVersion: ['schema/version'],
    tools: ['descriptor'],
    components: listComponents('artifacts'),
  },
  sarif: {
    label: 'SARIF',
    isStandard: true,
    marks: ['runs/tool/driver/name', 'runs $schema*=sarif', 'runs version*=2.1.0'],
    specVersion: ['version'],
    tools: ['runs/tool/driver'],
    read: readSarif,
    isFailed: isSarifFailed,
  },
  trivy: {
    label: 'Trivy',
    marks: [
      'SchemaVersion ArtifactName',
      'SchemaVersion Results',
      ...TRIVY_CLUSTER.map((each) => `ClusterName ${each}`),
    ],
    listMarks: ['Target Type'],
    specVersion: ['SchemaVersion'],
    toolVersion: ['Trivy/Version'],
    read: readTrivy,
  },
  grype: {
    label: 'Grype',
    marks: ['matches descriptor/name=grype', 'matches/vulnerability/id matches/artifact'],
    tools: ['descriptor'],
    lists: ['matches'],
    severity: 'vulnerability/severity',
  },
  'osv-scanner': {
    label: 'OSV-Scanner',
    marks: ['results/packages results/source', 'results experimental_config'],
    read: readOsvScanner,
  },
  // npm 7 and later, and the format of npm 6, which pnpm still writes.
  'npm-audit': {
    label: 'npm audit',
    marks: ['auditReportVersion vulnerabilities', 'advisories metadata/vulnerabilities'],
    specVersion: ['auditReportVersion'],
    lists: ['vulnerabilities/*', 'advisories/*'],
    severity: 'severity',
  },
  // Of a project, of an image with its applications, or of infrastructure. A vulnerability is listed once for each
  // dependency path to it.
  snyk: {
    label: 'Snyk',
    isList: true,
    marks: ['vulnerabilities ok dependencyCount', 'vulnerabilities/id*=SNYK-'],
    lists: ['vulnerabilities', 'applications/vulnerabilities', 'infrastructureAsCodeIssues'],
    severity: 'severity',
    otherMarks: ['ok=false'],
  },
  // Suppressed findings are in another place and are not counted.
  'dependency-check': {
    label: 'OWASP Dependency-Check',
    marks: ['reportSchema scanInfo/engineVersion'],
    xml: '/DependencyCheck/dependency-check.',
    specVersion: ['reportSchema'],
    toolVersion: ['scanInfo/engineVersion'],
    lists: ['dependencies/vulnerabilities'],
    severity: 'severity',
    isFailed: (document) => !isEmpty(document, 'scanInfo/analysisExceptions'),
  },
  // Opengrep too. Ignored findings are not in the report.
  semgrep: {
    label: 'Semgrep',
    marks: ['results/check_id results/extra', 'results errors paths/scanned'],
    toolVersion: ['version'],
    lists: ['results'],
    severity: 'extra/severity',
    isFailed: (document) => !isEmpty(document, 'errors') && isEmpty(document, 'paths/scanned'),
  },
  // Only its platform knows severities.
  checkov: {
    label: 'Checkov',
    isUnrated: true,
    isList: true,
    marks: ['check_type results/failed_checks', 'checkov_version passed failed'],
    toolVersion: ['checkov_version', 'summary/checkov_version'],
    read: readCheckov,
  },
  // Version 8, and earlier ones.
  gitleaks: {
    label: 'Gitleaks',
    isUnrated: true,
    listMarks: ['RuleID Secret StartLine', 'offender rule commitMessage'],
    lists: [''],
  },
  // Other tools have `results` too, but not its metrics.
  bandit: {
    label: 'Bandit',
    marks: ['metrics/_totals results'],
    lists: ['results'],
    severity: 'issue_severity',
    // Such as a path that does not exist. A file that it cannot parse among others is an error too.
    isFailed: (document) =>
      !isEmpty(document, 'errors') && hasMark(document, 'metrics/_totals/loc=0'),
  },
  // As GitLab's own analysers and other tools write it; `scan` since version 3.
  gitlab: {
    label: 'GitLab security report',
    marks: [
      'version vulnerabilities scan/type scan/scanner',
      'version vulnerabilities remediations',
    ],
    specVersion: ['version'],
    tools: ['scan/scanner'],
    lists: ['vulnerabilities'],
    severity: 'severity',
    isFailed: (document) => hasMark(document, 'scan/status=failure'),
  },
  // The traditional report, with or without requests and responses. An alert has any number of instances.
  zap: {
    label: 'OWASP ZAP',
    marks: ['@programName*=ZAP site/alerts', '@version @generated site/alerts'],
    xml: '<OWASPZAPReport',
    toolVersion: ['@version'],
    read: readZap,
  },
  // An object, or the list of dependencies of earlier versions.
  'pip-audit': {
    label: 'pip-audit',
    isUnrated: true,
    marks: ['dependencies/name dependencies/vulns', 'dependencies fixes'],
    listMarks: ['name version vulns'],
    lists: ['dependencies/vulns', 'vulns'],
    isFailed: (document) =>
      hasMark(document, 'dependencies/skip_reason') && !hasMark(document, 'dependencies/vulns'),
  },
  // Warnings, such as of unmaintained crates, are not counted. It states vectors, not severities.
  'cargo-audit': {
    label: 'cargo-audit',
    isUnrated: true,
    marks: ['lockfile/dependency-count vulnerabilities/list'],
    lists: ['vulnerabilities/list'],
  },
  // A stream or list of messages, or the object of versions before 1.0.
  govulncheck: {
    label: 'govulncheck',
    isUnrated: true,
    isStream: true,
    marks: ['Calls Imports Requires Vulns'],
    listMarks: ['config/scanner_name*=govulncheck'],
    toolVersion: ['config/scanner_version'],
    read: readGovulncheck,
  },
  // A line of the stream may be alone: an advisory or the summary of yarn 1, or an advisory of later ones, which
  // is listed for each path to its package.
  'yarn-audit': {
    label: 'yarn audit',
    isStream: true,
    marks: YARN_MARKS,
    listMarks: YARN_MARKS,
    read: readYarn,
  },
} as const satisfies Readonly<Record<string, Format>>;

/** The name of a format that is recognised, in the outputs. */
export type KnownName = keyof typeof KNOWN;

/** What a file is recognised as: a format, JSON or XML of no known format, empty, or unknown. */
export type FormatName = KnownName | 'json' | 'xml' | 'empty' | 'unknown';

export interface KnownFormat extends Format {
  readonly name: KnownName;
}

const isKnown = (name: string): name is KnownName => Object.hasOwn(KNOWN, name);

export const FORMATS: readonly KnownFormat[] = Object.keys(KNOWN)
  .filter(isKnown)
  .map((name) => ({ ...KNOWN[name], name }));

/** The format of this name; undefined for `json`, `xml`, `empty` and `unknown`. */
export function findFormat(name: FormatName): KnownFormat | undefined {
  return FORMATS.find((format) => format.name === name);
}
