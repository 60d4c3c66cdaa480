import type { Content } from '../../src/formats/content.ts';

/** Inspection result of a whole JSON file of no known format, unless `details` says otherwise. */
export function makeContent(details: Partial<Content> = {}): Content {
  return { format: 'json', syntax: 'json', inspected: 'full', ...details };
}

/** Inspection result of a CycloneDX document with these counts. */
export function makeBom(components?: number, vulnerabilities?: number): Content {
  return makeContent({
    format: 'cyclonedx',
    specVersion: '1.6',
    ...(components !== undefined && { components }),
    ...(vulnerabilities !== undefined && { vulnerabilities }),
  });
}
