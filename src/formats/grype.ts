import type { Format } from './format.ts';

/** Grype. The descriptor stands at the end: a large report is recognised by how a match looks. */
export const GRYPE = {
  name: 'grype',
  label: 'Grype',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'matches' }, { at: 'descriptor/name', is: /^grype$/ }],
      [{ at: 'matches/[]/vulnerability/id' }, { at: 'matches/[]/artifact' }],
    ],
    tools: [{ each: 'descriptor', name: { at: 'name' }, version: ['version'] }],
    findings: [{ each: 'matches/[]', severity: 'vulnerability/severity' }],
  },
} as const satisfies Format;
