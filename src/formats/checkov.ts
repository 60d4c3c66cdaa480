import type { Layout } from './format.ts';

const REPORTS = ['', '[]/'];

/**
 * Checkov: one framework, or a list of them, or the summary that is all of a report without resources. Only
 * its platform knows severities.
 */
export const CHECKOV: Layout = {
  marks: REPORTS.flatMap((at) => [
    [`${at}check_type`, `${at}results/failed_checks`],
    [`${at}checkov_version`, `${at}passed`, `${at}failed`],
  ]),
  tools: ['', '[]'].map((each) => ({
    each,
    version: ['checkov_version', 'summary/checkov_version'],
  })),
  findings: REPORTS.map((at) => ({
    each: `${at}results/failed_checks/[]`,
    severity: 'severity',
    isSeverityOptional: true,
  })),
};
