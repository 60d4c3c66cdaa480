import type { Layout } from './format.ts';

/** Grype. The descriptor is at the end, so a large report is recognised by the members of a match. */
export const GRYPE: Layout = {
  marks: [
    ['matches', { at: 'descriptor/name', is: /^grype$/ }],
    ['matches/[]/vulnerability/id', 'matches/[]/artifact'],
  ],
  tools: [{ each: 'descriptor', name: 'name', version: ['version'] }],
  findings: [{ each: 'matches/[]', severity: 'vulnerability/severity' }],
};
