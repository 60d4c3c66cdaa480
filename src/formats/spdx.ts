import type { Format } from './format.ts';

/** The types of SPDX 3 that are packages. */
const PACKAGE = /^(?:software_Package|ai_AIPackage|dataset_DatasetPackage)$/;
const CONTEXT = /spdx\.org\/rdf\/3/;
const TOOL = { at: '', match: /^Tool: (.+)$/ };

/** SPDX 2 in JSON, also as GitHub exports it (`sbom`), and SPDX 3 in JSON-LD, with all elements in one list. */
export const SPDX = {
  name: 'spdx',
  label: 'SPDX',
  holds: 'SBOM',
  isStandard: true,
  json: {
    marks: [
      [{ at: 'spdxVersion' }],
      [{ at: 'sbom/spdxVersion' }],
      [{ at: '@context', is: CONTEXT }],
      [{ at: '@context/[]', is: CONTEXT }],
    ],
    specVersion: [
      { at: 'spdxVersion' },
      { at: 'sbom/spdxVersion' },
      { at: '@graph/[]/specVersion' },
    ],
    tools: [
      { each: 'creationInfo/creators/[]', name: TOOL },
      { each: 'sbom/creationInfo/creators/[]', name: TOOL },
    ],
    components: [
      { each: 'packages/[]' },
      { each: 'sbom/packages/[]' },
      { each: '@graph/[]', where: [{ at: 'type', is: PACKAGE }] },
    ],
  },
} as const satisfies Format;
