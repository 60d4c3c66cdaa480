import type { Format } from './format.ts';

/** Bandit. Other tools have `results` too, but not its metrics. */
export const BANDIT = {
  name: 'bandit',
  label: 'Bandit',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'metrics/_totals' }, { at: 'results' }],
      [{ at: 'results/[]/issue_severity' }, { at: 'results/[]/test_id' }],
    ],
    findings: [{ each: 'results/[]', severity: 'issue_severity' }],
  },
} as const satisfies Format;
