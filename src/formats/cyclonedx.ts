import type { Layout } from './format.ts';

const NAMESPACE = { at: 'bom/@xmlns', is: /^http:\/\/cyclonedx\.org\/schema\/bom\/(.+)$/ };
const TOOL = { name: 'name', version: ['version'] };

/**
 * CycloneDX 1.0 to 1.7; from 1.5 on tools may be components. Documents are counted at their top level.
 * Without a list of vulnerabilities a document was not scanned, so they are unknown rather than none.
 */
export const CYCLONEDX_JSON: Layout = {
  marks: [[{ at: 'bomFormat', is: /^CycloneDX$/ }]],
  specVersion: ['specVersion'],
  tools: [
    { each: 'metadata/tools/[]', ...TOOL, vendor: 'vendor' },
    { each: 'metadata/tools/components/[]', ...TOOL },
  ],
  components: [{ each: 'components/[]' }],
  vulnerabilities: { each: 'vulnerabilities/[]', severity: 'ratings/[]/severity' },
};

export const CYCLONEDX_XML: Layout = {
  marks: [[NAMESPACE]],
  specVersion: [NAMESPACE],
  tools: [
    { each: 'bom/metadata/tools/tool', ...TOOL, vendor: 'vendor' },
    { each: 'bom/metadata/tools/components/component', ...TOOL },
  ],
  components: [{ each: 'bom/components/component' }],
  vulnerabilities: {
    each: 'bom/vulnerabilities/vulnerability',
    severity: 'ratings/rating/severity',
  },
};
