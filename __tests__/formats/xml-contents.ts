import type { Content } from '../../src/formats/content.ts';
import { inspectBytes } from '../../src/formats/inspect.ts';
import { CYCLONEDX_NAMESPACE, countSeverities } from '../support/documents.ts';

export const PLAIN: Content = { format: 'xml', syntax: 'xml', inspected: 'full' };
export const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
export const WEB_PAGE: Content = {
  format: 'unknown',
  inspected: 'full',
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
  inspected: 'full',
};
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

export function describeTruncated(size: number): string {
  return `is truncated: its XML ends too early, at byte ${size}`;
}

/** What is said of a file that was read whole. */
export function inspect(content: string | Buffer): Content {
  return inspectBytes(Buffer.from(content));
}

export function findFault(content: string | Buffer): string | undefined {
  return inspect(content).fault;
}
