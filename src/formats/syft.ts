import type { Format } from './format.ts';

/** Syft's own JSON. */
export const SYFT = {
  name: 'syft',
  label: 'Syft',
  holds: 'SBOM',
  json: {
    marks: [
      [{ at: 'artifacts' }, { at: 'descriptor/name', is: /^syft$/ }],
      [{ at: 'artifacts/[]/foundBy' }, { at: 'artifacts/[]/purl' }],
    ],
    specVersion: [{ at: 'schema/version' }],
    tools: [{ each: 'descriptor', name: { at: 'name' }, version: ['version'] }],
    components: [{ each: 'artifacts/[]' }],
  },
} as const satisfies Format;
