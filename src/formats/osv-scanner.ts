import type { Layout } from './format.ts';

/**
 * OSV-Scanner. The severity is the one in the advisory's database, as in GitHub's, or the score of the
 * group that the vulnerability belongs to, whichever is worse.
 */
export const OSV_SCANNER: Layout = {
  marks: [
    ['results/[]/packages', 'results/[]/source'],
    ['results', 'experimental_config'],
  ],
  findings: [
    {
      each: 'results/[]/packages/[]/vulnerabilities/[]',
      severity: 'database_specific/severity',
      rule: ['id'],
    },
  ],
  rules: [{ each: 'results/[]/packages/[]/groups/[]', id: 'ids/[]', severity: 'max_severity' }],
};
