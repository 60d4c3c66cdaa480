import { findWorst, parseSeverity } from './severity.ts';
import type { Severity } from './severity.ts';
import { MAX_SEARCHED, countItems, select, findText, selectItems, selectTexts } from './values.ts';
import type { Path, Place } from './values.ts';

/** The severity of each finding. */
export type Findings = readonly Severity[];

/** The places of a format's values in a document. */
export interface Layout {
  /** A document has this format if it has a value at all places of one of these lists. */
  readonly marks?: readonly (readonly Place[])[];
  /** The same for a document that is a list, from its items. */
  readonly listMarks?: readonly (readonly Place[])[];
  /** Whether a list of its documents is one too. */
  readonly isList?: true;
  /** The first that exists is the version of the format. */
  readonly specVersion?: readonly Place[];
  /** The tools that wrote a document: objects with names and versions or, at a place with a pattern, texts. */
  readonly tools?: readonly Place[];
  /** The version of the tool that the format is named after. */
  readonly toolVersion?: readonly Path[];
  readonly components?: (document: unknown) => readonly unknown[];
  /**
   * The list of findings of a format that also has components, which are called vulnerabilities. A document
   * without it, even an empty one, was not scanned: they are unknown rather than none.
   */
  readonly vulnerabilities?: Path;
  /** Undefined if they are unknown. */
  readonly findings?: (document: unknown) => Findings | undefined;
  /** Whether a document states that nothing was scanned. */
  readonly isBlank?: (document: unknown) => boolean;
  /** Whether a document states that its scan failed, though it may have findings. */
  readonly isFailed?: (document: unknown) => boolean;
}

/** A format of scan files, with the layout of its JSON. */
interface Format extends Layout {
  /** Its name in messages. */
  readonly label: string;
  /** What its documents contain, by default a report; `either` if one may be an SBOM, a report, or both. */
  readonly holds?: 'SBOM' | 'report' | 'either';
  /** Whether it is a standard with versions of its own, not the format of one tool. */
  readonly isStandard?: true;
  /** Whether one document may be a stream of JSON objects, which is read as a list of them. */
  readonly isStream?: true;
  /** Whether its tool states no severities, or only some users' does: then they are counted if one is known. */
  readonly isUnrated?: true;
  /** Its layout in XML, if it has one. */
  readonly xml?: Layout;
}

/** Reads the findings at these places. If one has several severities, the worst counts. */
function rate(severity: Path | undefined, ...places: readonly Path[]) {
  return (document: unknown): Findings =>
    places
      .flatMap((place) => selectItems(document, place))
      .map((finding) => findWorst(severity === undefined ? [] : selectTexts(finding, severity)));
}

const CYCLONEDX_NAMESPACE = [
  'bom/@namespace',
  /^http:\/\/cyclonedx\.org\/schema\/bom\/(.+)$/,
] as const;

/** The types of SPDX 3 that are packages. */
const SPDX_PACKAGE = /^(?:software_Package|ai_AIPackage|dataset_DatasetPackage)$/;

function listSpdxPackages(document: unknown): readonly unknown[] {
  const elements = selectItems(document, '@graph');
  return [
    ...['packages', 'sbom/packages'].flatMap((place) => selectItems(document, place)),
    ...elements.filter((element) => selectTexts(element, ['type', SPDX_PACKAGE]).length > 0),
  ];
}

/** SARIF 2.1.0: a run's results, without those that are no findings; undefined if there are none because a run failed. */
function readSarif(document: unknown): Findings | undefined {
  const runs = selectItems(document, 'runs');
  const findings = runs.flatMap((run) => {
    const findRule = readSarifRules(run);
    return selectItems(run, 'results')
      .filter(isSarifFinding)
      .map((result) => rateSarif(result, findRule(result)));
  });
  const isRun = runs.length > 0 && !hasFailedRun(document);
  return isRun || findings.length > 0 ? findings : undefined;
}

/** Whether a run states that it failed, or did not start, which is what no list of results means (3.14.23). */
function hasFailedRun(document: unknown): boolean {
  const runs = selectItems(document, 'runs');
  return (
    !runs.every((run) => select(run, 'results').some(Array.isArray)) ||
    select(runs, 'invocations/executionSuccessful', MAX_SEARCHED).includes(false)
  );
}

/** Results that passed, are absent or have suppressions that are all accepted (3.35.3) are not findings. */
function isSarifFinding(result: unknown): boolean {
  if (/^(?:pass|notApplicable)$/.test(findText(result, 'kind') ?? '')) return false;
  if (findText(result, 'baselineState') === 'absent') return false;
  return (
    selectItems(result, 'suppressions').length === 0 ||
    selectTexts(result, ['suppressions/status', /^(?:underReview|rejected)$/]).length > 0
  );
}

/** The score of its rule, which code scanning reads too, or the level of a result (3.27.10). */
function rateSarif(result: unknown, rule: unknown): Severity {
  const score = parseSeverity(findText(rule, 'properties/security-severity') ?? '');
  if (score !== 'unknown') return score;
  const isFailure = (findText(result, 'kind') ?? 'fail') === 'fail';
  const ruled = isFailure ? (findText(rule, 'defaultConfiguration/level') ?? 'warning') : 'none';
  return parseSeverity(findText(result, 'level') ?? ruled);
}

/**
 * Returns the rule of a result of this run (3.27.5 to 3.27.7): the one at its index, unless that has
 * another id; else the first with its id, or with the beginning of a hierarchical id.
 */
function readSarifRules(run: unknown): (result: unknown) => unknown {
  const driver = selectItems(run, 'tool/driver/rules');
  const extensions = selectItems(run, 'tool/extensions').map((each) => selectItems(each, 'rules'));
  const byId = new Map<string | undefined, unknown>();
  for (const rule of [...driver, ...extensions.flat()].toReversed()) {
    byId.set(findText(rule, 'id'), rule);
  }
  const findById = (id: string): unknown => {
    if (!byId.has(id)) {
      // Each of millions of ids may have hundreds of levels.
      countItems(1);
      const end = id.lastIndexOf('/');
      byId.set(id, end < 0 ? undefined : findById(id.slice(0, end)));
    }
    return byId.get(id);
  };
  return (result) => {
    const id = findText(result, 'ruleId', 'rule/id');
    const extension = findText(result, 'rule/toolComponent/index');
    const rules = extension === undefined ? driver : extensions[Number(extension)];
    const indexed = rules?.[Number(findText(result, 'ruleIndex', 'rule/index'))];
    const indexedId = findText(indexed, 'id') ?? '';
    if (id === undefined || id === indexedId || id.startsWith(`${indexedId}/`)) return indexed;
    return findById(id);
  };
}

const TRIVY_CLUSTER = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'];

/** A target is in a report, in the list of versions before 0.20, or in a report of a cluster. */
function readTrivy(document: unknown): Findings {
  const parents = ['', ...TRIVY_CLUSTER.map((each) => `${each}/`)];
  const targets = Array.isArray(document)
    ? document
    : parents.flatMap((parent) => selectItems(document, `${parent}Results`));
  // Checks that passed may be listed too.
  const failed = selectItems(targets, 'Misconfigurations').filter(
    (check) => !/^(?:PASS|EXCEPTION)$/.test(findText(check, 'Status') ?? ''),
  );
  return [
    ...rate('Severity', 'Vulnerabilities', 'Secrets', 'Licenses')(targets),
    ...rate('Severity', '')(failed),
  ];
}

/**
 * The severity is the one in the advisory's database, as in GitHub's, or the score of the group that the
 * vulnerability belongs to, whichever is worse.
 */
function readOsvScanner(document: unknown): Findings {
  return selectItems(document, 'results/packages').flatMap((each) => {
    const scores = new Map<string, readonly string[]>();
    for (const group of selectItems(each, 'groups')) {
      for (const id of selectTexts(group, 'ids'))
        scores.set(id, selectTexts(group, 'max_severity'));
    }
    return selectItems(each, 'vulnerabilities').map((row) =>
      findWorst([
        ...selectTexts(row, 'database_specific/severity'),
        ...(scores.get(findText(row, 'id') ?? '') ?? []),
      ]),
    );
  });
}

const DEPENDENCY_CHECK_NAMESPACE = [
  'analysis/@namespace',
  /\/DependencyCheck\/dependency-check\.(.+)\.xsd$/,
] as const;

/** The types of GitLab's scans whose reports have the same schema. */
const GITLAB_SCAN =
  /^(?:sast|(?:dependency|container|cluster_image)_scanning|secret_detection|dast|(?:api|coverage)_fuzzing)$/;

/** The severities of an alert's codes; its description is translated. */
const ZAP_SEVERITIES = ['info', 'low', 'medium', 'high'];

/** Reads the alerts at a place, each of which has any number of instances. */
function rateZap(place: Path) {
  return (document: unknown): Findings =>
    selectItems(document, place).map((alert) =>
      findWorst(
        selectTexts(alert, ['riskcode', /^\d$/]).map((code) => ZAP_SEVERITIES[Number(code)] ?? ''),
      ),
    );
}

/** A vulnerability has a finding for each module, package and symbol. */
function readGovulncheck(document: unknown): Findings {
  const ids = ['finding/osv', 'Vulns/OSV/id'].flatMap((place) => selectTexts(document, place));
  return Array.from(new Set(ids), () => 'unknown');
}

/** All formats that are recognised; a document has the first one whose marks it has. */
const KNOWN = {
  // 1.0 to 2.0; from 1.5 on tools may be components. Documents are counted at their top level.
  cyclonedx: {
    label: 'CycloneDX',
    holds: 'either',
    isStandard: true,
    marks: [[['bomFormat', /^CycloneDX$/]], [['specFormat', /^CycloneDX$/]]],
    specVersion: ['specVersion'],
    tools: ['metadata/tools', 'metadata/tools/components'],
    components: (document) => selectItems(document, 'components'),
    vulnerabilities: 'vulnerabilities',
    findings: rate('ratings/severity', 'vulnerabilities'),
    xml: {
      marks: [[CYCLONEDX_NAMESPACE]],
      specVersion: [CYCLONEDX_NAMESPACE],
      tools: ['bom/metadata/tools/tool', 'bom/metadata/tools/components/component'],
      components: (document) => selectItems(document, 'bom/components/component'),
      vulnerabilities: 'bom/vulnerabilities',
      findings: rate('ratings/rating/severity', 'bom/vulnerabilities/vulnerability'),
    },
  },
  // SPDX 2, also in what GitHub exports, and SPDX 3 in JSON-LD, with all elements in one list.
  spdx: {
    label: 'SPDX',
    holds: 'SBOM',
    isStandard: true,
    marks: [['spdxVersion'], ['sbom/spdxVersion'], [['@context', /spdx\.org\/rdf\/3/]]],
    specVersion: ['spdxVersion', 'sbom/spdxVersion', '@graph/specVersion'],
    tools: [
      ['creationInfo/creators', /^Tool: (.+)$/],
      ['sbom/creationInfo/creators', /^Tool: (.+)$/],
    ],
    components: listSpdxPackages,
  },
  syft: {
    label: 'Syft',
    holds: 'SBOM',
    marks: [
      ['artifacts', ['descriptor/name', /^syft$/]],
      ['artifacts/foundBy', 'artifacts/purl'],
    ],
    specVersion: ['schema/version'],
    tools: ['descriptor'],
    components: (document) => selectItems(document, 'artifacts'),
  },
  sarif: {
    label: 'SARIF',
    isStandard: true,
    marks: [
      ['runs/tool/driver/name'],
      ['runs', ['$schema', /sarif/i]],
      ['runs', ['version', /^2\.1\.0/]],
    ],
    specVersion: ['version'],
    tools: ['runs/tool/driver'],
    findings: readSarif,
    isBlank: (document) => selectItems(document, 'runs').length === 0,
    isFailed: hasFailedRun,
  },
  trivy: {
    label: 'Trivy',
    marks: [
      ['SchemaVersion', 'ArtifactName'],
      ['SchemaVersion', 'Results'],
      ...TRIVY_CLUSTER.map((each) => ['ClusterName', each]),
    ],
    listMarks: [
      ['Target', 'Vulnerabilities'],
      ['Target', 'Type'],
    ],
    specVersion: ['SchemaVersion'],
    toolVersion: ['Trivy/Version'],
    findings: readTrivy,
  },
  // The descriptor is at the end, so a large report is recognised by the members of a match.
  grype: {
    label: 'Grype',
    marks: [
      ['matches', ['descriptor/name', /^grype$/]],
      ['matches/vulnerability/id', 'matches/artifact'],
    ],
    tools: ['descriptor'],
    findings: rate('vulnerability/severity', 'matches'),
  },
  'osv-scanner': {
    label: 'OSV-Scanner',
    marks: [
      ['results/packages', 'results/source'],
      ['results', 'experimental_config'],
    ],
    findings: readOsvScanner,
  },
  // npm 7 and later, and the format of npm 6, which pnpm still writes.
  'npm-audit': {
    label: 'npm audit',
    marks: [
      ['auditReportVersion', 'vulnerabilities'],
      ['advisories', 'metadata/vulnerabilities'],
    ],
    specVersion: ['auditReportVersion'],
    findings: rate('severity', 'vulnerabilities/*', 'advisories/*'),
  },
  // An image also has `applications`. A vulnerability is listed once for each dependency path to it. Of a large
  // report only the vulnerabilities are at its beginning.
  snyk: {
    label: 'Snyk',
    isList: true,
    marks: [
      ['vulnerabilities', 'ok', 'packageManager'],
      ['vulnerabilities', 'ok', 'dependencyCount'],
      [['vulnerabilities/id', /^(?:SNYK-|npm:|snyk:)/]],
    ],
    // Snyk IaC has its findings elsewhere, beside an empty list of vulnerabilities.
    findings: (document) =>
      selectItems(document, 'infrastructureAsCodeIssues').length > 0
        ? undefined
        : rate('severity', 'vulnerabilities', 'applications/vulnerabilities')(document),
  },
  // Suppressed findings are in another place and are not counted.
  'dependency-check': {
    label: 'OWASP Dependency-Check',
    marks: [['reportSchema', 'scanInfo/engineVersion']],
    specVersion: ['reportSchema'],
    toolVersion: ['scanInfo/engineVersion'],
    findings: rate('severity', 'dependencies/vulnerabilities'),
    xml: {
      marks: [[DEPENDENCY_CHECK_NAMESPACE]],
      specVersion: [DEPENDENCY_CHECK_NAMESPACE],
      toolVersion: ['analysis/scanInfo/engineVersion'],
      findings: rate('severity', 'analysis/dependencies/dependency/vulnerabilities/vulnerability'),
    },
  },
  // Opengrep too. Ignored findings are not in the report.
  semgrep: {
    label: 'Semgrep',
    marks: [
      ['results/check_id', 'results/extra'],
      ['results', 'errors', 'paths/scanned'],
    ],
    toolVersion: ['version'],
    findings: rate('extra/severity', 'results'),
    isBlank: (document) =>
      selectItems(document, 'results').length + selectTexts(document, 'paths/scanned').length === 0,
    isFailed: (document) =>
      selectItems(document, 'errors').length > 0 &&
      selectTexts(document, 'paths/scanned').length === 0,
  },
  // A framework, or the summary that is all of a report without resources. Only its platform knows severities.
  checkov: {
    label: 'Checkov',
    isUnrated: true,
    isList: true,
    marks: [
      ['check_type', 'results/failed_checks'],
      ['checkov_version', 'passed', 'failed'],
    ],
    toolVersion: ['checkov_version', 'summary/checkov_version'],
    findings: rate('severity', 'results/failed_checks'),
  },
  // Version 8, and earlier ones.
  gitleaks: {
    label: 'Gitleaks',
    isUnrated: true,
    listMarks: [
      ['RuleID', 'Secret', 'StartLine'],
      ['offender', 'rule', 'commitMessage'],
    ],
    findings: rate(undefined, ''),
  },
  // Other tools have `results` too, but not its metrics.
  bandit: {
    label: 'Bandit',
    marks: [
      ['metrics/_totals', 'results'],
      ['results/issue_severity', 'results/test_id'],
    ],
    findings: rate('issue_severity', 'results'),
  },
  // As GitLab's own analysers and other tools write it; `scan` since version 3.
  gitlab: {
    label: 'GitLab security report',
    marks: [
      ['version', 'vulnerabilities', ['scan/type', GITLAB_SCAN]],
      ['version', 'vulnerabilities', 'remediations'],
      ['version', 'vulnerabilities/identifiers/type', 'vulnerabilities/location'],
    ],
    specVersion: ['version'],
    tools: ['scan/scanner'],
    findings: rate('severity', 'vulnerabilities'),
    isFailed: (document) => findText(document, 'scan/status') === 'failure',
  },
  // The traditional report, with or without requests and responses.
  zap: {
    label: 'OWASP ZAP',
    marks: [
      [['@programName', /ZAP/], 'site/alerts'],
      ['@version', '@generated', 'site/alerts'],
    ],
    toolVersion: ['@version'],
    findings: rateZap('site/alerts'),
    xml: {
      marks: [['OWASPZAPReport']],
      toolVersion: ['OWASPZAPReport/@version'],
      findings: rateZap('OWASPZAPReport/site/alerts/alertitem'),
    },
  },
  // An object, or the list of dependencies of earlier versions.
  'pip-audit': {
    label: 'pip-audit',
    isUnrated: true,
    marks: [
      ['dependencies/name', 'dependencies/vulns'],
      ['dependencies', 'fixes'],
    ],
    listMarks: [['name', 'version', 'vulns']],
    findings: rate(undefined, 'dependencies/vulns', 'vulns'),
  },
  // Warnings, such as of unmaintained crates, are not counted. It states vectors, not severities.
  'cargo-audit': {
    label: 'cargo-audit',
    isUnrated: true,
    marks: [['lockfile/dependency-count', 'vulnerabilities/list']],
    findings: rate(undefined, 'vulnerabilities/list'),
  },
  // A stream or list of messages, or the object of versions before 1.0.
  govulncheck: {
    label: 'govulncheck',
    isStream: true,
    isUnrated: true,
    marks: [['Calls', 'Imports', 'Requires', 'Vulns']],
    listMarks: [[['config/scanner_name', /govulncheck/]], ['finding/osv', 'finding/trace']],
    toolVersion: ['config/scanner_version'],
    findings: readGovulncheck,
  },
  // A line of the stream may be alone: an advisory or the summary of yarn 1, or an advisory of later ones, which
  // is listed for each path to its package.
  'yarn-audit': {
    label: 'yarn audit',
    isStream: true,
    isList: true,
    marks: [
      [['type', /^auditAdvisory$/], 'data/advisory'],
      [['type', /^auditSummary$/], 'data/vulnerabilities'],
      ['value', 'children/Severity', 'children/Issue'],
    ],
    findings: (document) => [
      ...rate('severity', 'data/advisory')(document),
      ...rate('Severity', 'children')(document),
    ],
  },
} as const satisfies Readonly<Record<string, Format>>;

/** The name of a format that is recognised, in the outputs. */
export type KnownName = keyof typeof KNOWN;

/** What a file is recognised as: a format, JSON or XML of no known format, empty, or unknown. */
export type FormatName = KnownName | 'json' | 'xml' | 'empty' | 'unknown';

interface KnownFormat extends Format {
  readonly name: KnownName;
}

const isKnown = (name: string): name is KnownName => Object.hasOwn(KNOWN, name);

export const FORMATS: readonly KnownFormat[] = Object.keys(KNOWN)
  .filter(isKnown)
  .map((name) => ({ holds: 'report', ...KNOWN[name], name }));

/** The format of this name; undefined for `json`, `xml`, `empty` and `unknown`. */
export function findFormat(name: FormatName): KnownFormat | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** The name of a format in messages, with its version: `CycloneDX 1.6`, `SPDX-2.3`, `Trivy (schema 2)`. */
export function labelFormat(name: FormatName, specVersion?: string): string {
  const format = findFormat(name);
  const label = format?.label ?? (name === 'json' || name === 'xml' ? name.toUpperCase() : name);
  if (specVersion === undefined) return label;
  if (specVersion.startsWith(label)) return specVersion;
  return format?.isStandard === true
    ? `${label} ${specVersion}`
    : `${label} (schema ${specVersion})`;
}
