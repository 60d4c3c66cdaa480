import { KINDS } from './content.ts';
import type { Content } from './content.ts';
import { findFormat, labelFormat } from './registry.ts';

/** Describes what a file was recognised as: `CycloneDX 1.6`, `JSON of no known format`. */
export function describeContent(content: Content): string {
  const { format, specVersion, kind, syntax } = content;
  if (kind !== undefined) return KINDS[kind];
  if (syntax === 'ndjson' && format === 'json') return STREAM;
  const label = labelFormat(format, specVersion);
  return format === 'json' || format === 'xml' ? `${label} of no known format` : label;
}

/** What a stream of JSON documents is, whatever their format. */
export const STREAM = 'several JSON documents one after the other';

/** Describes the counts of a file: `62 components, 1 vulnerability`; empty if nothing is counted. */
export function describeCounts(content: Omit<Content, 'kind' | 'problem'>): string {
  const { format, inspected, components, vulnerabilities, findings, isBlank } = content;
  const { uncounted = 'not counted' } = content;
  if (inspected === 'partial') return findFormat(format) === undefined ? '' : uncounted;
  // A document of such a format may be an SBOM, a report, or both.
  const isUnscanned = components !== undefined && findFormat(format)?.holds === 'either';
  const counts = [
    nameCount(components, 'component', 'components'),
    isUnscanned && vulnerabilities === undefined
      ? 'no list of vulnerabilities'
      : nameCount(vulnerabilities, 'vulnerability', 'vulnerabilities'),
    nameCount(findings, 'finding', 'findings'),
    isBlank === true ? 'nothing was scanned' : '',
  ];
  return counts.filter((text) => text !== '').join(', ');
}

/** A number with separators: `1,204`. The first call of `toLocaleString` would take 20 ms. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function nameCount(count: number | undefined, one: string, many: string): string {
  if (count === undefined) return '';
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
