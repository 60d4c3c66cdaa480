import type { Format } from './format.ts';

/** Grype. The descriptor is at the end, so a large report is recognised by the members of a match. */
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
