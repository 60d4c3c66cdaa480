import type { Format } from './format.ts';

/** cargo-audit. Warnings, such as of unmaintained crates, are not counted. It states vectors, not severities. */
export const CARGO_AUDIT = {
  name: 'cargo-audit',
  label: 'cargo-audit',
  holds: 'report',
  json: {
    marks: [[{ at: 'lockfile/dependency-count' }, { at: 'vulnerabilities/list' }]],
    findings: [{ each: 'vulnerabilities/list/[]' }],
  },
} as const satisfies Format;
