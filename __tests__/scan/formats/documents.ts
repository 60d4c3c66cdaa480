import type { Content } from '../../../src/scan/content/content.ts';
import { inspectJson } from '../../../src/scan/content/json.ts';
import { inspectXml } from '../../../src/scan/content/xml.ts';
import type { KnownName } from '../../../src/scan/formats/registry.ts';
import type { SeverityCounts } from '../../../src/scan/formats/severity.ts';
import { inspectInPieces, sampleWhole } from '../fixtures.ts';

/** A document and what is told of it, beside that it was read whole. */
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

/** What is told of a document: XML as a text, anything else as the JSON it is or stands for. */
export async function inspect(document: unknown): Promise<Content | undefined> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return inspectInPieces(
    (pieceBytes) => sampleWhole(text, pieceBytes),
    async (sample) => (await inspectJson(sample)) ?? (await inspectXml(sample)),
  );
}

/** Severities of which the others are none. */
export function countSeverities(counts: Partial<SeverityCounts>): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}
