import type { Layout } from './format.ts';

/** Semgrep and Opengrep. Ignored findings are not in the report. */
export const SEMGREP: Layout = {
  marks: [
    ['results/[]/check_id', 'results/[]/extra'],
    ['results', 'errors', 'paths/scanned'],
  ],
  tools: [{ each: '', version: ['version'] }],
  findings: [{ each: 'results/[]', severity: 'extra/severity' }],
};
