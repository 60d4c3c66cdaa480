import type { Layout } from './format.ts';

const NAMESPACE = {
  at: 'analysis/@xmlns',
  is: /\/DependencyCheck\/dependency-check\.(.+)\.xsd$/,
};
const VULNERABILITIES = 'analysis/dependencies/dependency/vulnerabilities/vulnerability';

/** OWASP Dependency-Check. Suppressed findings are in another place and are not counted. */
export const DEPENDENCY_CHECK_JSON: Layout = {
  marks: [['reportSchema', 'scanInfo/engineVersion']],
  specVersion: ['reportSchema'],
  tools: [{ each: 'scanInfo', version: ['engineVersion'] }],
  findings: [{ each: 'dependencies/[]/vulnerabilities/[]', severity: 'severity' }],
};

export const DEPENDENCY_CHECK_XML: Layout = {
  marks: [[NAMESPACE]],
  specVersion: [NAMESPACE],
  tools: [{ each: 'analysis/scanInfo', version: ['engineVersion'] }],
  findings: [{ each: VULNERABILITIES, severity: 'severity' }],
};
