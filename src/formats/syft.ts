import type { Layout } from './format.ts';

/** Syft's own JSON. */
export const SYFT: Layout = {
  marks: [
    ['artifacts', { at: 'descriptor/name', is: /^syft$/ }],
    ['artifacts/[]/foundBy', 'artifacts/[]/purl'],
  ],
  specVersion: ['schema/version'],
  tools: [{ each: 'descriptor', name: 'name', version: ['version'] }],
  components: [{ each: 'artifacts/[]' }],
};
