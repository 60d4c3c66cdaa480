import type { Format } from './format.ts';

const NAMESPACE = /\/DependencyCheck\/dependency-check\.(.+)\.xsd$/;

/** OWASP Dependency-Check. Suppressed findings are in another place and are not counted. */
export const DEPENDENCY_CHECK = {
  name: 'dependency-check',
  label: 'OWASP Dependency-Check',
  holds: 'report',
  json: {
    marks: [[{ at: 'reportSchema' }, { at: 'scanInfo/engineVersion' }]],
    specVersion: [{ at: 'reportSchema' }],
    tools: [{ each: 'scanInfo', version: ['engineVersion'] }],
    findings: [{ each: 'dependencies/[]/vulnerabilities/[]', severity: 'severity' }],
  },
  xml: {
    marks: [[{ at: 'analysis/@xmlns', is: NAMESPACE }]],
    specVersion: [{ at: 'analysis/@xmlns', match: NAMESPACE }],
    tools: [{ each: 'analysis/scanInfo', version: ['engineVersion'] }],
    findings: [
      {
        each: 'analysis/dependencies/dependency/vulnerabilities/vulnerability',
        severity: 'severity',
      },
    ],
  },
} as const satisfies Format;
