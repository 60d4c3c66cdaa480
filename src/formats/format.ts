import { findWorst } from './severity.ts';
import type { Findings } from './severity.ts';
import { findText, hasSign, select, selectItems, selectListed, selectTexts } from './values.ts';
import type { Path, Sign } from './values.ts';

/** A format of scan files, and where its values are in a document. */
export interface Format {
  /** Its name in messages. */
  readonly label: string;
  /** What its documents contain: a report by default, `either` if one may be an SBOM, a report, or both. */
  readonly holds?: 'SBOM' | 'either';
  /** Whether it is a standard with versions of its own, not the format of one tool. */
  readonly isStandard?: true;
  /** Whether a stream of JSON objects, or a list of documents, is a document too. */
  readonly isStream?: true;
  readonly isList?: true;
  /** Whether its tool states severities never, or not for all users: they are counted only if a document has some. */
  readonly isUnrated?: true;
  /** Each text has the signs by which a document is known, separated by spaces; `listSigns` those of a list's items. */
  readonly signs?: readonly string[];
  readonly listSigns?: readonly string[];
  /** What the start tag of its root has before the version in XML, by which it is known. */
  readonly xml?: string;
  /** The version of the format, or of the tool that it is named after: the first that exists. */
  readonly specVersion?: readonly Path[];
  readonly toolVersion?: readonly Path[];
  /** The tools that wrote a document: objects with names and versions, or texts. */
  readonly tools?: readonly Path[];
  readonly components?: (document: unknown) => readonly unknown[] | undefined;
  /** The lists of findings, of which a document has at least one. */
  readonly lists?: readonly Path[];
  /** Names of lists beside them that are not counted. With any other list, a document without findings is not counted. */
  readonly otherLists?: readonly string[];
  /** The severities of a finding, of which the worst counts. */
  readonly severity?: Path;
  /** Where a document states scores, if those of its findings that have none are levels of the tool's own. */
  readonly scores?: readonly Path[];
  /** Reads the findings of a document where `lists` and `severity` cannot; undefined if it does not state them. */
  readonly findings?: (document: unknown) => Findings | undefined;
  /** A document without findings in its lists may have others if it has one of these signs. */
  readonly otherSigns?: readonly Sign[];
  /** The signs of one without a list of findings, which its tools may leave out if they find none: it may have others too. */
  readonly noListSigns?: readonly Sign[];
  /** What a document says of its own scan: what was not read, or did not run. */
  readonly errors?: readonly ErrorColumn[];
  /** The signs of a document whose scan failed. */
  readonly failedSigns?: readonly Sign[];
  /** Reads errors that are among its findings. */
  readonly readErrors?: (document: unknown) => readonly StatedErrors[];
  /** How much was read, in numbers or lists: with errors, the scan failed if each is 0 or empty. */
  readonly read?: readonly Path[];
  /** What was scanned: the first text that exists. */
  readonly subject?: readonly Path[];
}

/** Where a document states errors of its own scan. */
export interface ErrorColumn {
  /** Objects, texts, or numbers of errors: of the first that a document has. */
  readonly at: readonly Path[];
  /** The member of an object that has its words, without which it is no error. */
  readonly words?: string;
  /** The member that has its level: with `error` the scan failed, with `note` it is no error. */
  readonly level?: string;
  /** Further levels of what is no error. */
  readonly harmless?: readonly string[];
  /** Whether each is the error of a scan that failed. */
  readonly isFatal?: true;
  /** What an object is about, such as a file: then it is of a part, whatever its level is, if `all` has that file. */
  readonly about?: Path;
  /** The names of all that was to be read: the scan failed if errors are about each of them. Absent if they are not listed. */
  readonly all?: readonly Path[];
  /** What says how much was read beside these errors, if not all of `read` of the format. */
  readonly read?: readonly Path[];
  /** The signs of errors about what was read all the same, and of those about rules. */
  readonly isPart?: readonly Sign[];
  readonly isOfRules?: readonly Sign[];
}

/** The errors that a document states in one place. */
export interface StatedErrors {
  readonly count: number;
  /** Whether the scan failed; otherwise a part of it. */
  readonly isFatal: boolean;
  /** The first of the worst errors. */
  readonly words: string;
}

// What these members cannot say of some formats.

/** Reads the components of an SBOM, which may leave out their list if there are none. */
export function listComponents(...paths: readonly Path[]) {
  return (document: unknown): readonly unknown[] | undefined => {
    const lists = paths.flatMap((path) => select(document, path)).filter((list) => list !== null);
    return lists.every(Array.isArray) ? lists.flat() : undefined;
  };
}

const PACKAGES = ['Package', 'software_Package', 'ai_AIPackage', 'dataset_DatasetPackage'];

/** The packages of SPDX 2, and those among all elements of SPDX 3. */
export function listSpdxPackages(document: unknown): readonly unknown[] | undefined {
  const elements = listComponents('packages', 'sbom/packages', '@graph')(document);
  return elements?.filter((element) => PACKAGES.includes(findText(element, 'type') ?? 'Package'));
}

const TRIVY_CLUSTER = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'];
export const TRIVY_CLUSTER_SIGNS = TRIVY_CLUSTER.map((each) => `ClusterName ${each}`);
const TRIVY_TARGETS = ['Results', ...TRIVY_CLUSTER.map((each) => `${each}/Results`)];
const TRIVY_FINDINGS = ['Vulnerabilities', 'Secrets', 'Licenses', 'Misconfigurations'];
export const TRIVY_LISTS = ['', ...TRIVY_TARGETS.map((each) => `${each}/`)].flatMap((targets) =>
  TRIVY_FINDINGS.map((list) => `${targets}${list}`),
);

/** A scan of a cluster has an error for each resource that it could not read. */
export const TRIVY_ERRORS = {
  at: TRIVY_CLUSTER,
  words: 'Error',
  about: 'Name',
  all: TRIVY_CLUSTER.map((each) => `${each}/Name`),
};

/** A target is in a report, in the list of versions before 0.20, or in a report of a cluster. */
export function readTrivy(document: unknown): Findings | undefined {
  const targets = Array.isArray(document) ? document : selectListed(document, ...TRIVY_TARGETS);
  return selectListed(targets, ...TRIVY_FINDINGS)
    ?.filter((finding) => !['PASS', 'EXCEPTION'].includes(findText(finding, 'Status') ?? ''))
    .map((finding) => findWorst(selectTexts(finding, 'Severity')));
}

/**
 * The severity is that of the advisory's database, or the score of the vulnerability's group, whichever is worse.
 * Violations of licences have none.
 */
export function readOsvScanner(document: unknown): Findings | undefined {
  return selectListed(document, 'results/packages')?.flatMap((each) => {
    const scores = new Map<string, string>();
    for (const group of selectItems(each, 'groups')) {
      const worst = findWorst(selectTexts(group, 'max_severity'));
      for (const id of selectTexts(group, 'ids')) scores.set(id, worst);
    }
    const rated = selectItems(each, 'vulnerabilities').map((row) => {
      const score = scores.get(findText(row, 'id') ?? '') ?? '';
      return findWorst([...selectTexts(row, 'database_specific/severity'), score]);
    });
    return [...rated, ...selectItems(each, 'license_violations').map(() => 'unknown' as const)];
  });
}

/** The failed checks of a framework, or none by the summary that is all of a report without resources. */
export function readCheckov(document: unknown): Findings | undefined {
  if (hasSign(document, 'failed=0')) return [];
  return selectListed(document, 'results/failed_checks')?.map((check) =>
    findWorst(selectTexts(check, 'severity')),
  );
}

/** The severities of an alert's codes; its description is translated. */
const ZAP_SEVERITIES = ['info', 'low', 'medium', 'high'];

export function readZap(document: unknown): Findings | undefined {
  return selectListed(document, 'site/alerts')?.map((alert) =>
    findWorst(selectTexts(alert, 'riskcode').map((code) => ZAP_SEVERITIES[Number(code)] ?? '')),
  );
}

/**
 * A vulnerability has a finding for each module, package and symbol. Messages without any may be those of a scan that
 * ended early; the object is written at the end.
 */
export function readGovulncheck(document: unknown): Findings | undefined {
  const ids = [...selectTexts(document, 'finding/osv'), ...selectTexts(document, 'Vulns/OSV/id')];
  if (ids.length === 0 && Array.isArray(document)) return undefined;
  return Array.from(new Set(ids), () => 'unknown');
}

/** The advisories of a list, or of one line of a stream. Only the summary says that there are none. */
export function readYarn(document: unknown): Findings | undefined {
  const advisories = ['data/advisory', 'children'].flatMap((path) => selectItems(document, path));
  const counts = selectTexts(document, 'data/vulnerabilities/*');
  const isClean = counts.length > 0 && counts.every((count) => count === '0');
  if (advisories.length === 0 && !isClean) return undefined;
  return advisories.map((each) =>
    findWorst([...selectTexts(each, 'severity'), ...selectTexts(each, 'Severity')]),
  );
}
