import type { Content } from './content.ts';
import { findFormat } from './registry.ts';

/** What a document contains, or documents of its format; undefined if that is not known. */
export function findHolding({ format, isSbom }: Content): 'SBOM' | 'report' | 'either' | undefined {
  if (isSbom === true) return 'SBOM';
  const known = findFormat(format);
  return known && (known.holds ?? 'report');
}

/** What a document must be; undefined if it may be in either part. */
export function findRole(content: Content): 'SBOM' | 'report' | undefined {
  const { components, vulnerabilities = 0 } = content;
  const holds = findHolding(content);
  if (holds !== 'either') return holds;
  if (components === 0 && vulnerabilities > 0) return 'report';
  return (components ?? 0) > 0 && vulnerabilities === 0 ? 'SBOM' : undefined;
}

/** Whether a document of a known format is an SBOM without a list of vulnerabilities, even an empty one. */
export function isUnscanned({ format, isSbom, components = 0, vulnerabilities }: Content): boolean {
  if (findFormat(format)?.holds === undefined) return false;
  return isSbom === true || (components > 0 && vulnerabilities === undefined);
}
