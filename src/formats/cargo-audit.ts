import type { Layout } from './format.ts';

/** cargo-audit. Warnings, such as of unmaintained crates, are not counted. It states vectors, not severities. */
export const CARGO_AUDIT: Layout = {
  marks: [['lockfile/dependency-count', 'vulnerabilities/list']],
  findings: [{ each: 'vulnerabilities/list/[]' }],
};
