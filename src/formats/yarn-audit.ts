import type { Layout } from './format.ts';

const LINES = ['', '[]/'];

/**
 * yarn audit: a stream, of which a line may be alone: an advisory or the summary of yarn 1, or an advisory
 * of later versions. An advisory is listed for each path to its package.
 */
export const YARN_AUDIT: Layout = {
  marks: LINES.flatMap((at) => [
    [{ at: `${at}type`, is: /^auditAdvisory$/ }, `${at}data/advisory`],
    [{ at: `${at}type`, is: /^auditSummary$/ }, `${at}data/vulnerabilities`],
    [`${at}value`, `${at}children/Severity`, `${at}children/Issue`],
  ]),
  findings: LINES.flatMap((at) => [
    { each: `${at}data/advisory`, severity: 'severity' },
    { each: `${at}children`, severity: 'Severity' },
  ]),
};
