import { isSarifFailed, readSarif } from './sarif.ts';
import { findWorst } from './severity.ts';
import type { Findings } from './severity.ts';
import { findText, hasPlace, select, selectItems, selectListed, selectTexts } from './values.ts';
import type { Path } from './values.ts';

/** A format of scan files, and where its values are in a document. */
interface Format {
  /** Its name in messages. */
  readonly label: string;
  /** What its documents contain: a report by default, `either` if one may be an SBOM, a report, or both. */
  readonly holds?: 'SBOM' | 'either';
  /** Whether it is a standard with versions of its own, not the format of one tool. */
  readonly isStandard?: true;
  /** Whether a stream of JSON objects, or a list of documents, is a document too. */
  readonly isStream?: true;
  readonly isList?: true;
  /** Whether its tool states no severities, or only some users' does: then they are counted if one is known. */
  readonly isUnrated?: true;
  /** A document has this format if it has a value at all places of one of these texts; a list, if its items have. */
  readonly marks?: readonly string[];
  readonly listMarks?: readonly string[];
  /** By what it is known in XML: what the start tag of the root has before the version. */
  readonly xml?: string;
  /** The version of the format, or of the tool that it is named after: the first that exists. */
  readonly specVersion?: readonly Path[];
  readonly toolVersion?: readonly Path[];
  /** The tools that wrote a document: objects with names and versions, or texts. */
  readonly tools?: readonly Path[];
  readonly components?: (document: unknown) => readonly unknown[] | undefined;
  /** The lists of findings, of which a document has at least one, and of each its severities: the worst counts. */
  readonly lists?: readonly Path[];
  readonly severity?: Path;
  /** Reads the findings of a document in place of `lists`; undefined if it does not state them. */
  readonly read?: (document: unknown) => Findings | undefined;
  /** Whether a document states that it has other findings, or that its scan failed or did not run. */
  readonly hasOther?: (document: unknown) => boolean;
  readonly isFailed?: (document: unknown) => boolean;
}

/** Reads the components of an SBOM, which may leave out their list if there are none. */
function listComponents(...paths: readonly Path[]) {
  return (document: unknown): readonly unknown[] | undefined => {
    const lists = paths.flatMap((path) => select(document, path)).filter((list) => list !== null);
    return lists.every(Array.isArray) ? lists.flat() : undefined;
  };
}

/** The packages of SPDX 2, and those among all elements of SPDX 3. */
function listSpdxPackages(document: unknown): readonly unknown[] | undefined {
  const elements = listComponents('packages', 'sbom/packages', '@graph')(document);
  return elements?.filter((element) => {
    const type = findText(element, 'type') ?? 'Package';
    return /^(?:software_|ai_AI|dataset_Dataset)?Package$/.test(type);
  });
}

function isEmpty(document: unknown, path: Path): boolean {
  return selectItems(document, path).length + selectTexts(document, path).length === 0;
}

const TRIVY_CLUSTER = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'];

/** A target is in a report, in the list of versions before 0.20, or in a report of a cluster. */
function readTrivy(document: unknown): Findings | undefined {
  const paths = ['Results', ...TRIVY_CLUSTER.map((each) => `${each}/Results`)];
  const targets = Array.isArray(document) ? document : selectListed(document, ...paths);
  return selectListed(targets, 'Vulnerabilities', 'Secrets', 'Licenses', 'Misconfigurations')
    ?.filter((finding) => !/^(?:PASS|EXCEPTION)$/.test(findText(finding, 'Status') ?? ''))
    .map((finding) => findWorst(selectTexts(finding, 'Severity')));
}

/** The severity is that of the advisory's database, or the score of the vulnerability's group, whichever is worse. */
function readOsvScanner(document: unknown): Findings | undefined {
  return selectListed(document, 'results/packages')?.flatMap((each) => {
    const scores = new Map<string, string>();
    for (const group of selectItems(each, 'groups')) {
      const worst = findWorst(selectTexts(group, 'max_severity'));
      for (const id of selectTexts(group, 'ids')) scores.set(id, worst);
    }
    return selectItems(each, 'vulnerabilities').map((row) => {
      const score = scores.get(findText(row, 'id') ?? '') ?? '';
      return findWorst([...selectTexts(row, 'database_specific/severity'), score]);
    });
  });
}

/** The failed checks of a framework, or none by the summary that is all of a report without resources. */
function readCheckov(document: unknown): Findings | undefined {
  if (hasPlace(document, 'failed=0')) return [];
  return selectListed(document, 'results/failed_checks')?.map((check) =>
    findWorst(selectTexts(check, 'severity')),
  );
}

/** The severities of an alert's codes; its description is translated. */
const ZAP_SEVERITIES = ['info', 'low', 'medium', 'high'];

function readZap(document: unknown): Findings | undefined {
  return selectListed(document, 'site/alerts')?.map((alert) =>
    findWorst(selectTexts(alert, 'riskcode').map((code) => ZAP_SEVERITIES[Number(code)] ?? '')),
  );
}

/**
 * A vulnerability has a finding for each module, package and symbol. Messages without any may be those of a scan that
 * ended early; the object is written at the end.
 */
function readGovulncheck(document: unknown): Findings | undefined {
  const ids = [...selectTexts(document, 'finding/osv'), ...selectTexts(document, 'Vulns/OSV/id')];
  if (ids.length === 0 && Array.isArray(document)) return undefined;
  return Array.from(new Set(ids), () => 'unknown');
}

/** The advisories of a list, or of one line of a stream. Only the summary says that there are none. */
function readYarn(document: unknown): Findings | undefined {
  const advisories = ['data/advisory', 'children'].flatMap((path) => selectItems(document, path));
  const counts = selectTexts(document, 'data/vulnerabilities/*');
  const isClean = counts.length > 0 && counts.every((count) => count === '0');
  if (advisories.length === 0 && !isClean) return undefined;
  return advisories.map((each) =>
    findWorst([...selectTexts(each, 'severity'), ...selectTexts(each, 'Severity')]),
  );
}

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
    hasOther: (document) =>
      ['metadata/tools/name=trivy', 'metadata/tools/components/name=trivy'].some((place) =>
        hasPlace(document, place),
      ),
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
    marks: ['artifacts descriptor/name=syft', 'artifacts/foundBy artifacts/purl'],
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
    listMarks: ['Target Vulnerabilities', 'Target Type'],
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
    marks: [
      'vulnerabilities ok packageManager',
      'vulnerabilities ok dependencyCount',
      ...['SNYK-', 'npm:', 'snyk:'].map((start) => `vulnerabilities/id*=${start}`),
    ],
    lists: ['vulnerabilities', 'applications/vulnerabilities', 'infrastructureAsCodeIssues'],
    severity: 'severity',
    hasOther: (document) => hasPlace(document, 'ok=false'),
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
    marks: ['metrics/_totals results', 'results/issue_severity results/test_id'],
    lists: ['results'],
    severity: 'issue_severity',
    // Such as a path that does not exist. A file that it cannot parse among others is an error too.
    isFailed: (document) =>
      !isEmpty(document, 'errors') && hasPlace(document, 'metrics/_totals/loc=0'),
  },
  // As GitLab's own analysers and other tools write it; `scan` since version 3.
  gitlab: {
    label: 'GitLab security report',
    marks: [
      'version vulnerabilities scan/type scan/scanner',
      'version vulnerabilities remediations',
      'version vulnerabilities/identifiers/type vulnerabilities/location',
    ],
    specVersion: ['version'],
    tools: ['scan/scanner'],
    lists: ['vulnerabilities'],
    severity: 'severity',
    isFailed: (document) => hasPlace(document, 'scan/status=failure'),
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
      hasPlace(document, 'dependencies/skip_reason') && !hasPlace(document, 'dependencies/vulns'),
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
    listMarks: ['config/scanner_name*=govulncheck', 'finding/osv finding/trace'],
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
