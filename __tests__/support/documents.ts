import type { Content } from '../../src/formats/content.ts';
import { MAX_PARSED_BYTES, inspectBytes } from '../../src/formats/inspect.ts';
import type { KnownName } from '../../src/formats/registry.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';

/** A document and what is said of it, beside that it was read whole. */
export type Row = readonly [name: string, document: unknown, expected: Omit<Content, 'inspected'>];

export const CYCLONEDX_NAMESPACE = 'http://cyclonedx.org/schema/bom';
export const DEPENDENCY_CHECK_NAMESPACE =
  'https://jeremylong.github.io/DependencyCheck/dependency-check.4.1.xsd';

/** The least of each format, in each syntax that it has. */
export const SMALLEST: Readonly<Record<KnownName, readonly unknown[]>> = {
  cyclonedx: [
    { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    `<bom xmlns="${CYCLONEDX_NAMESPACE}/1.6" version="1"/>`,
  ],
  spdx: [
    { spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT' },
    { '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] },
  ],
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
};

/** The text of a document: XML as it is, anything else as the JSON it stands for. */
export function writeDocument(document: unknown): string {
  return typeof document === 'string' ? document : JSON.stringify(document);
}

/** What is said of a file with this document. */
export function inspect(document: unknown): Content {
  return inspectBytes(Buffer.from(writeDocument(document)));
}

/** The size of a file of which only both ends were read. */
export const LARGE_SIZE = 2 * MAX_PARSED_BYTES;

/** What is said of a file of LARGE_SIZE bytes of which only these were read. */
export function inspectEnds(head: string | Uint8Array, tail: string | Uint8Array): Content {
  return inspectBytes(Buffer.from(head), { tail: Buffer.from(tail), size: LARGE_SIZE });
}

/** Severities of which the others are none. */
export function countSeverities(counts: Partial<SeverityCounts>): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}
