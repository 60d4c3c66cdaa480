import type { Layout } from './format.ts';

/** npm audit of npm 7 and later, and the format of npm 6, which pnpm still writes; or the error of a failed run. */
export const NPM_AUDIT: Layout = {
  marks: [
    ['auditReportVersion', 'vulnerabilities'],
    ['advisories', 'metadata/vulnerabilities'],
    ['error/summary', 'error/detail'],
  ],
  failure: ['error/summary', 'message', 'error/detail'],
  specVersion: ['auditReportVersion'],
  findings: [
    { each: 'vulnerabilities/*', severity: 'severity' },
    { each: 'advisories/*', severity: 'severity' },
  ],
};
