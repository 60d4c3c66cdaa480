import type { Format } from './format.ts';

/** Semgrep and Opengrep. Ignored findings are not in the report. */
export const SEMGREP = {
  name: 'semgrep',
  label: 'Semgrep',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'results/[]/check_id' }, { at: 'results/[]/extra' }],
      [{ at: 'results' }, { at: 'errors' }, { at: 'paths/scanned' }],
    ],
    tools: [{ each: '', version: ['version'] }],
    findings: [{ each: 'results/[]', severity: 'extra/severity' }],
  },
} as const satisfies Format;
