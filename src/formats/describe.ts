import { KINDS, isUncounted } from './content.ts';
import type { Content } from './content.ts';
import { findFormat } from './registry.ts';
import type { FormatName } from './registry.ts';

/** What a stream of JSON documents is, whatever their format. */
export const STREAM = 'several JSON documents one after the other';

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

/** Describes what a file was recognised as: `CycloneDX 1.6`, `JSON of no known format`. */
export function describeContent({ format, specVersion, kind, syntax }: Content): string {
  if (kind !== undefined) return KINDS[kind];
  if (syntax === 'ndjson' && format === 'json') return STREAM;
  const label = labelFormat(format, specVersion);
  return format === 'json' || format === 'xml' ? `${label} of no known format` : label;
}

/** Describes the counts of a file: `62 components, 1 vulnerability`; empty if its format has none. */
export function describeCounts(content: Content): string {
  const { format, components, vulnerabilities, findings } = content;
  if (isUncounted(content)) return 'not counted';
  const counts = [
    nameCount(components, 'component', 'components'),
    // A document of such a format may be an SBOM, a report, or both.
    findFormat(format)?.holds === 'either' && vulnerabilities === undefined
      ? 'no list of vulnerabilities'
      : nameCount(vulnerabilities, 'vulnerability', 'vulnerabilities'),
    nameCount(findings, 'finding', 'findings'),
  ];
  return counts.filter((text) => text !== '').join(', ');
}

/** A number with separators: `1,204`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

function nameCount(count: number | undefined, one: string, many: string): string {
  if (count === undefined) return '';
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
