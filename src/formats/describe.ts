import type { Content } from './content.ts';
import { findFormat, labelFormat } from './registry.ts';

/** What a file was taken for, in words: `CycloneDX 1.6`, `JSON of no known format`. */
export function describeContent({ format, specVersion, kind }: Content): string {
  if (kind !== undefined) return kind;
  const label = labelFormat(format, specVersion);
  return format === 'json' || format === 'xml' ? `${label} of no known format` : label;
}

/** What is in a file, in words: `62 components, 1 vulnerability`; empty where there is nothing to count. */
export function describeCounts(content: Omit<Content, 'kind' | 'fault'>): string {
  const { format, inspected, components, vulnerabilities, findings } = content;
  if (inspected === 'partial') {
    return findFormat(format) === undefined ? '' : 'not read to its end';
  }
  const counts = [
    nameCount(components, 'component', 'components'),
    nameCount(vulnerabilities, 'vulnerability', 'vulnerabilities'),
    nameCount(findings, 'finding', 'findings'),
  ];
  return counts.filter((text) => text !== '').join(', ');
}

/** A number of things for people: `1,204`. `toLocaleString` takes 20 ms to do this for the first time. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** What is wrong with a document of `size` bytes that ends too early. */
export function describeTruncated(language: 'JSON' | 'XML', size: number): string {
  return `is truncated: its ${language} ends too early, at byte ${size}`;
}

/** What is wrong with bytes that are not UTF-8, `offset` bytes into the file. */
export function describeInvalid(offset: number): string {
  return `is not valid UTF-8 (at byte ${offset})`;
}

function nameCount(count: number | undefined, one: string, many: string): string {
  if (count === undefined) return '';
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
