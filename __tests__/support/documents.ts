import { evaluate } from './evaluate.ts';
import type { Content, Facts } from '../../src/formats/content.ts';
import { inspectBytes } from '../../src/formats/inspect.ts';
import type { KnownName } from '../../src/formats/registry.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';

export const CYCLONEDX_NAMESPACE = 'http://cyclonedx.org/schema/bom';
export const DEPENDENCY_CHECK_NAMESPACE =
  'https://jeremylong.github.io/DependencyCheck/dependency-check.4.1.xsd';

/** The smallest document of each format, in each of its syntaxes. */
export const SMALLEST: Readonly<Record<KnownName, readonly unknown[]>> = {
  cyclonedx: [
    { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    `<bom xmlns="${CYCLONEDX_NAMESPACE}/1.6" version="1"/>`,
  ],
  spdx: [
    { spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT' },
    { '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] },
  ],
  syft: [{ artifacts: [], descriptor: { name: 'syft', version: '1.38.0' } }],
  sarif: [{ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [] }] }],
  trivy: [{ SchemaVersion: 2, ArtifactName: 'app:1', ArtifactType: 'container_image' }],
  grype: [{ matches: [], descriptor: { name: 'grype', version: '0.90.0' } }],
  'osv-scanner': [{ results: [], experimental_config: { licenses: {} } }],
  'npm-audit': [{ auditReportVersion: 2, vulnerabilities: {}, metadata: {} }],
  snyk: [{ vulnerabilities: [], ok: true, dependencyCount: 3 }],
  'dependency-check': [
    { reportSchema: '1.1', scanInfo: { engineVersion: '12.0.0' }, dependencies: [] },
    `<analysis xmlns="${DEPENDENCY_CHECK_NAMESPACE}"><dependencies/></analysis>`,
  ],
  semgrep: [{ version: '1.150.0', results: [], errors: [], paths: { scanned: [] } }],
  checkov: [{ passed: 0, failed: 0, checkov_version: '3.2.1' }],
  gitleaks: [[{ RuleID: 'key', Secret: 'REDACTED', StartLine: 1 }]],
  bandit: [{ errors: [], metrics: { _totals: { loc: 2 } }, results: [] }],
  gitlab: [{ version: '15.2.1', vulnerabilities: [], scan: { type: 'sast' } }],
  zap: [
    { '@programName': 'ZAP', '@version': '2.16.1', site: [{ alerts: [] }] },
    '<OWASPZAPReport version="2.16.1"/>',
  ],
  'pip-audit': [{ dependencies: [], fixes: [] }],
  'cargo-audit': [{ lockfile: { 'dependency-count': 1 }, vulnerabilities: { list: [] } }],
  govulncheck: [[{ config: { scanner_name: 'govulncheck' } }]],
  'yarn-audit': [{ type: 'auditSummary', data: { vulnerabilities: {} } }],
};

/** The text of a document: a string as it is, anything else as JSON. */
export function writeDocument(document: unknown): string {
  return typeof document === 'string' ? document : JSON.stringify(document);
}

/** Inspects a file with this document. */
export function inspect(document: unknown): Content {
  return inspectBytes(Buffer.isBuffer(document) ? document : Buffer.from(writeDocument(document)));
}

/** The problem of a file with this document; undefined if there is none. */
export function findProblem(document: unknown): string | undefined {
  return inspect(document).problem;
}

/** The size in bytes of a file of which only both ends are read. */
export const LARGE_SIZE = 64 * 1024 * 1024;

/** Inspects a file of LARGE_SIZE bytes of which only these are read. */
export function inspectEnds(head: string | Uint8Array, tail: string | Uint8Array): Content {
  return inspectBytes(Buffer.from(head), { tail: Buffer.from(tail), size: LARGE_SIZE });
}

/** A text after a byte order mark. */
export function mark(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`);
}

/** Counts by severity; those that are not given are 0. */
export function countSeverities(counts: Partial<SeverityCounts>): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

/** The facts of a report with these findings. */
export function countFindings(counts: Partial<SeverityCounts>): Facts {
  const findings = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { findings, severities: countSeverities(counts) };
}

/** How many of these texts, written as code, are inspected in a process that is killed after 15 s. */
export function inspectAlone(texts: readonly string[]): number {
  const made = texts.map((text) => `() => ${text}`).join();
  const format = '(make) => m.inspectBytes(Buffer.from(make())).format';
  return evaluate('formats/inspect.ts', `[${made}].map(${format}).join()`).split(',').length;
}
