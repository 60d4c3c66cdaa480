import type { Content } from '../../src/formats/content.ts';
import { CYCLONEDX_NAMESPACE } from '../support/documents.ts';

export const PLAIN: Content = { format: 'xml', syntax: 'xml', inspected: 'full' };
export const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
export const ROOT = `<bom xmlns="${CYCLONEDX_NAMESPACE}/1.4">`;
export const BOM = `${ROOT}<components><component/></components></bom>`;

/** The result of inspecting BOM in a file that is not read to its end. */
export const LARGE: Content = { ...PARTIAL, format: 'cyclonedx', specVersion: '1.4' };

/** The result of inspecting BOM. */
export const CYCLONEDX: Content = {
  ...LARGE,
  components: 1,
  inspected: 'full',
};

export function describeTruncated(size: number): string {
  return `is truncated: its XML ends too early, at byte ${size}`;
}
