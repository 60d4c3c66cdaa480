import type { Layout } from './format.ts';

/** Where an SPDX 2 document begins: at its root, or in what GitHub exports. */
const DOCUMENTS = ['', 'sbom/'];
const CONTEXT = /spdx\.org\/rdf\/3/;
/** The types of SPDX 3 that are packages. */
const PACKAGE = /^(?:software_Package|ai_AIPackage|dataset_DatasetPackage)$/;

/** SPDX 2 in JSON, and SPDX 3 in JSON-LD, with all elements in one list. */
export const SPDX: Layout = {
  marks: [
    ...DOCUMENTS.map((at) => [`${at}spdxVersion`]),
    [{ at: '@context', is: CONTEXT }],
    [{ at: '@context/[]', is: CONTEXT }],
  ],
  specVersion: [...DOCUMENTS.map((at) => `${at}spdxVersion`), '@graph/[]/specVersion'],
  tools: DOCUMENTS.map((at) => ({
    each: `${at}creationInfo/creators/[]`,
    name: { at: '', is: /^Tool: (.+)$/ },
  })),
  components: [
    ...DOCUMENTS.map((at) => ({ each: `${at}packages/[]` })),
    { each: '@graph/[]', where: [{ at: 'type', is: PACKAGE }] },
  ],
};
