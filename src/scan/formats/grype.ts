import type { Format } from './format.ts';

/** Grype; what tells it apart beyond the head of a large report is how a match looks. */
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
