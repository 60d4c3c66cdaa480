import type { Content } from '../formats/content.ts';
import { findFormat } from '../formats/registry.ts';
import type { PlannedPart } from './plan.ts';

/** Whether an SBOM and a report are in the part of the other one. */
export function isSwapped(parts: readonly PlannedPart[]): boolean {
  const sbom = parts.find(({ part }) => part.expects === 'SBOM')?.file.content;
  const vulnerabilities = parts.find(({ part }) => part.expects === 'report')?.file.content;
  if (sbom === undefined || vulnerabilities === undefined) return false;
  if (findRole(sbom) === 'report') return findRole(vulnerabilities) === 'SBOM';
  return !isSbom(sbom) && isUnscanned(vulnerabilities);
}

/** What a document must be; undefined if it may be in either part. */
export function findRole(content: Content): 'SBOM' | 'report' | undefined {
  const { components, vulnerabilities = 0 } = content;
  const holds = findHolding(content);
  if (holds !== 'either') return holds;
  if (components === 0 && vulnerabilities > 0) return 'report';
  return (components ?? 0) > 0 && vulnerabilities === 0 ? 'SBOM' : undefined;
}

/** What documents of its format contain; undefined if that is not known. */
export function findHolding({ format }: Content): 'SBOM' | 'report' | 'either' | undefined {
  return findFormat(format)?.holds;
}

function isSbom(content: Content): boolean {
  return ![undefined, 'report'].includes(findHolding(content));
}

/** Whether a document is an SBOM without a list of vulnerabilities, even an empty one. */
export function isUnscanned(content: Content): boolean {
  const { inspected, components = 0, vulnerabilities } = content;
  return isSbom(content) && inspected === 'full' && components > 0 && vulnerabilities === undefined;
}
