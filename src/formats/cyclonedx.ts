import type { Format } from './format.ts';

const NAMESPACE = /^http:\/\/cyclonedx\.org\/schema\/bom\/(.+)$/;

/** CycloneDX 1.0 to 1.7; from 1.5 on tools may be components. Documents are counted at their top level.
 * Without a list of vulnerabilities a document was not scanned, so they are unknown rather than none. */
export const CYCLONEDX = {
  name: 'cyclonedx',
  label: 'CycloneDX',
  holds: 'either',
  isStandard: true,
  json: {
    marks: [[{ at: 'bomFormat', is: /^CycloneDX$/ }]],
    specVersion: [{ at: 'specVersion' }],
    tools: [
      { each: 'metadata/tools/[]', name: { at: 'name' }, vendor: 'vendor', version: ['version'] },
      { each: 'metadata/tools/components/[]', name: { at: 'name' }, version: ['version'] },
    ],
    components: [{ each: 'components/[]' }],
    vulnerabilities: {
      list: 'vulnerabilities',
      each: 'vulnerabilities/[]',
      severity: 'ratings/[]/severity',
    },
  },
  xml: {
    marks: [[{ at: 'bom/@xmlns', is: NAMESPACE }]],
    specVersion: [{ at: 'bom/@xmlns', match: NAMESPACE }],
    tools: [
      {
        each: 'bom/metadata/tools/tool',
        name: { at: 'name' },
        vendor: 'vendor',
        version: ['version'],
      },
      {
        each: 'bom/metadata/tools/components/component',
        name: { at: 'name' },
        version: ['version'],
      },
    ],
    components: [{ each: 'bom/components/component' }],
    vulnerabilities: {
      list: 'bom/vulnerabilities',
      each: 'bom/vulnerabilities/vulnerability',
      severity: 'ratings/rating/severity',
    },
  },
} as const satisfies Format;
