import type { Layout } from './format.ts';

/** Bandit. Other tools have `results` too, but not its metrics. */
export const BANDIT: Layout = {
  marks: [
    ['metrics/_totals', 'results'],
    ['results/[]/issue_severity', 'results/[]/test_id'],
  ],
  findings: [{ each: 'results/[]', severity: 'issue_severity' }],
};
