import type { Content } from '../../../src/scan/content/content.ts';
import { inspectXml } from '../../../src/scan/content/xml.ts';
import { CYCLONEDX_NAMESPACE, countSeverities } from '../formats/documents.ts';
import { inspectInPieces, sampleEnds, sampleWhole } from '../fixtures.ts';

export const PLAIN: Content = { format: 'xml', syntax: 'xml', inspected: 'whole' };
export const ENDS: Content = { ...PLAIN, inspected: 'ends' };
export const WEB_PAGE: Content = {
  format: 'unknown',
  inspected: 'whole',
  kind: 'a web page (HTML)',
};
export const ROOT = `<bom xmlns="${CYCLONEDX_NAMESPACE}/1.4">`;
export const BOM = `${ROOT}<components><component/></components></bom>`;
export const CYCLONEDX: Content = {
  format: 'cyclonedx',
  syntax: 'xml',
  specVersion: '1.4',
  components: 1,
  vulnerabilities: 0,
  severities: countSeverities({}),
  inspected: 'whole',
};
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

export function describeCut(size: number): string {
  return `is cut off: its XML ends too early, at byte ${size}`;
}

/** What is told of a file that was read whole. */
export function inspect(content: string | Buffer): Promise<Content | undefined> {
  return inspectInPieces((pieceBytes) => sampleWhole(content, pieceBytes), inspectXml);
}

/** What is told of a file of which only both ends were read. */
export function inspectEnds(head: string | Buffer, tail: string): Promise<Content | undefined> {
  return inspectInPieces((pieceBytes) => sampleEnds(head, tail, pieceBytes), inspectXml);
}

export async function findFault(content: string | Buffer): Promise<string | undefined> {
  return (await inspect(content))?.fault;
}
