import type { Format } from './format.ts';

/** pip-audit: an object, or the list of dependencies of earlier versions. It states no severities. */
export const PIP_AUDIT = {
  name: 'pip-audit',
  label: 'pip-audit',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'dependencies/[]/name' }, { at: 'dependencies/[]/vulns' }],
      [{ at: 'dependencies' }, { at: 'fixes' }],
      [{ at: '[]/name' }, { at: '[]/version' }, { at: '[]/vulns' }],
    ],
    findings: [{ each: 'dependencies/[]/vulns/[]' }, { each: '[]/vulns/[]' }],
  },
} as const satisfies Format;
