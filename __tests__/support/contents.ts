import type { Content } from '../../src/formats/content.ts';

/** What a whole JSON file of no known format is taken for, unless the details say otherwise. */
export function makeContent(details: Partial<Content> = {}): Content {
  return { format: 'json', syntax: 'json', inspected: 'full', ...details };
}

/** What a CycloneDX document with so many components and vulnerabilities is taken for. */
export function makeBom(components?: number, vulnerabilities?: number): Content {
  return makeContent({
    format: 'cyclonedx',
    specVersion: '1.6',
    ...(components !== undefined && { components }),
    ...(vulnerabilities !== undefined && { vulnerabilities }),
  });
}
