import {
  TRIVY_CLUSTER_SIGNS,
  TRIVY_ERRORS,
  TRIVY_LISTS,
  readCheckov,
  readOsvScanner,
  readTrivy,
  readZap,
} from './format.ts';
import type { Format } from './format.ts';
import { PACKAGE_AUDITS } from './package-audits.ts';
import { STANDARDS } from './standards.ts';

/** What a dependency has in a report of OWASP Dependency-Check. */
const DEPENDENCY_LISTS =
  'packages includedBy projectReferences relatedDependencies vulnerabilityIds suppressedVulnerabilities suppressedVulnerabilityIds'.split(
    ' ',
  );
/** What Checkov says of how much it read, in a report or in the summary that is all if there was nothing. */
const CHECKOV_COUNTS = ['passed', 'failed', 'skipped', 'resource_count'].flatMap((name) => [
  name,
  `summary/${name}`,
]);

/** All formats that are recognised; a document has the first one whose signs it has. */
const KNOWN = {
  ...STANDARDS,
  trivy: {
    label: 'Trivy',
    signs: ['SchemaVersion ArtifactName', 'SchemaVersion Results', ...TRIVY_CLUSTER_SIGNS],
    listSigns: ['Target Type'],
    specVersion: ['SchemaVersion'],
    toolVersion: ['Trivy/Version'],
    findings: readTrivy,
    lists: TRIVY_LISTS,
    otherLists: ['Packages', 'CustomResources', 'ModifiedFindings', 'ExperimentalModifiedFindings'],
    errors: [TRIVY_ERRORS],
    subject: ['ArtifactName', 'ClusterName'],
  },
  grype: {
    label: 'Grype',
    signs: ['matches descriptor/name=grype', 'matches/vulnerability/id matches/artifact'],
    tools: ['descriptor'],
    lists: ['matches'],
    otherLists: ['ignoredMatches'],
    severity: 'vulnerability/severity',
    errors: [{ at: ['descriptor/db/error', 'descriptor/db/status/error'], isFatal: true }],
    subject: ['source/target/userInput', 'source/target'],
  },
  'osv-scanner': {
    label: 'OSV-Scanner',
    signs: ['results/packages results/source', 'results experimental_config'],
    findings: readOsvScanner,
    lists: ['results/packages/vulnerabilities', 'results/packages/license_violations'],
    otherLists: ['groups', 'licenses', 'dependency_groups', 'license_summary'],
  },
  // npm 7 and later, and the format of npm 6, which pnpm still writes.
  'npm-audit': {
    label: 'npm audit',
    signs: ['auditReportVersion vulnerabilities', 'advisories metadata/vulnerabilities'],
    specVersion: ['auditReportVersion'],
    lists: ['vulnerabilities/*', 'advisories/*'],
    otherLists: ['actions', 'muted'],
    severity: 'severity',
    read: ['metadata/dependencies/total'],
  },
  // Of a project, of an image with its applications, or of infrastructure. A vulnerability is listed once for each
  // dependency path to it.
  snyk: {
    label: 'Snyk',
    isList: true,
    signs: ['vulnerabilities ok dependencyCount', 'vulnerabilities/id*=SNYK-'],
    lists: ['vulnerabilities', 'applications/vulnerabilities', 'infrastructureAsCodeIssues'],
    otherLists: ['infrastructureAsCodeSuccesses'],
    severity: 'severity',
    otherSigns: ['ok=false'],
    errors: [{ at: [''], words: 'error', about: 'path' }],
    // Infrastructure has a type, and no dependencies.
    read: ['dependencyCount', 'applications/dependencyCount', 'projectType'],
    subject: ['projectName'],
  },
  // Suppressed findings are in another place and are not counted.
  'dependency-check': {
    label: 'OWASP Dependency-Check',
    signs: ['reportSchema scanInfo/engineVersion'],
    xml: '/DependencyCheck/dependency-check.',
    specVersion: ['reportSchema'],
    toolVersion: ['scanInfo/engineVersion'],
    lists: ['dependencies/vulnerabilities'],
    otherLists: DEPENDENCY_LISTS,
    severity: 'severity',
    errors: [{ at: ['scanInfo/analysisExceptions'], isFatal: true }],
    read: ['dependencies'],
    subject: ['projectInfo/name'],
  },
  // Opengrep too. Ignored findings are not in the report.
  semgrep: {
    label: 'Semgrep',
    signs: ['results/check_id results/extra', 'results errors paths/scanned'],
    toolVersion: ['version'],
    lists: ['results'],
    otherLists: ['skipped_rules', 'interfile_languages_used', 'explanations'],
    severity: 'extra/severity',
    errors: [
      {
        at: ['errors'],
        level: 'level',
        all: ['paths/scanned'],
        about: 'path',
        isPart: ['type=PartialParsing', 'type=SemgrepWarning'],
        isOfRules: ['spans/file'],
      },
    ],
    read: ['paths/scanned'],
  },
  // Only its platform knows severities.
  checkov: {
    label: 'Checkov',
    isUnrated: true,
    isList: true,
    signs: ['check_type results/failed_checks', 'checkov_version passed failed'],
    toolVersion: ['checkov_version', 'summary/checkov_version'],
    findings: readCheckov,
    lists: ['results/failed_checks'],
    otherLists: ['passed_checks', 'skipped_checks'],
    // Resources that were read, but checked by no rule, are no scan beside errors.
    errors: [
      {
        at: ['results/parsing_errors', 'summary/parsing_errors', 'parsing_errors'],
        read: ['summary/passed', 'summary/failed', 'passed', 'failed'],
      },
    ],
    read: CHECKOV_COUNTS,
  },
  // Version 8, and earlier ones.
  gitleaks: {
    label: 'Gitleaks',
    isUnrated: true,
    listSigns: ['RuleID Secret StartLine', 'offender rule commitMessage'],
    lists: [''],
  },
  // Other tools have `results` too, but not its metrics.
  bandit: {
    label: 'Bandit',
    signs: ['metrics/_totals results'],
    lists: ['results'],
    severity: 'issue_severity',
    errors: [{ at: ['errors'], about: 'filename', all: ['metrics/#'] }],
    read: ['metrics/_totals/loc'],
  },
  // As GitLab's own analysers and other tools write it; `scan` since version 3.
  gitlab: {
    label: 'GitLab security report',
    signs: [
      'version vulnerabilities scan/type scan/scanner',
      'version vulnerabilities remediations',
    ],
    specVersion: ['version'],
    tools: ['scan/scanner'],
    lists: ['vulnerabilities'],
    otherLists: ['remediations', 'dependency_files', 'site', 'spider'],
    severity: 'severity',
    errors: [{ at: ['scan/messages'], level: 'level' }],
    failedSigns: ['scan/status=failure'],
    read: ['scan/scanned_resources'],
  },
  // The traditional report, with or without requests and responses. An alert has any number of instances.
  zap: {
    label: 'OWASP ZAP',
    signs: [
      '@programName*=ZAP site/alerts',
      '@version @generated site/alerts',
      '@version @generated site site!alerts',
    ],
    xml: '<OWASPZAPReport',
    toolVersion: ['@version'],
    findings: readZap,
    lists: ['site/alerts'],
    otherLists: ['insights'],
    read: ['site'],
    subject: ['site/@name'],
  },
  ...PACKAGE_AUDITS,
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
