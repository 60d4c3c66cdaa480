import type { Layout } from './format.ts';

/** pip-audit: an object, or the list of dependencies of earlier versions. It states no severities. */
export const PIP_AUDIT: Layout = {
  marks: [
    ['dependencies/[]/name', 'dependencies/[]/vulns'],
    ['dependencies', 'fixes'],
    ['[]/name', '[]/version', '[]/vulns'],
  ],
  findings: [{ each: 'dependencies/[]/vulns/[]' }, { each: '[]/vulns/[]' }],
};
