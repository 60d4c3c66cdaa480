import type { Format } from './format.ts';

/** npm audit of npm 7 and later, and the format of npm 6, which pnpm still writes; or the error of a failed run. */
export const NPM_AUDIT = {
  name: 'npm-audit',
  label: 'npm audit',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'auditReportVersion' }, { at: 'vulnerabilities' }],
      [{ at: 'advisories' }, { at: 'metadata/vulnerabilities' }],
      [{ at: 'error/summary' }, { at: 'error/detail' }],
    ],
    failure: [{ at: 'error/summary' }, { at: 'message' }, { at: 'error/detail' }],
    specVersion: [{ at: 'auditReportVersion' }],
    findings: [
      { each: 'vulnerabilities/*', severity: 'severity' },
      { each: 'advisories/*', severity: 'severity' },
    ],
  },
} as const satisfies Format;
