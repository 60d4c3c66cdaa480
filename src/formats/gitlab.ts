import type { Layout } from './format.ts';

/** The types of scans whose reports have the same schema. */
const SCAN =
  /^(?:sast|dependency_scanning|container_scanning|cluster_image_scanning|secret_detection|dast|api_fuzzing|coverage_fuzzing)$/;

/** GitLab's security reports, as its own analysers and other tools write them; `scan` since version 3. */
export const GITLAB: Layout = {
  marks: [
    ['version', 'vulnerabilities', { at: 'scan/type', is: SCAN }],
    ['version', 'vulnerabilities', 'remediations'],
    ['version', 'vulnerabilities/[]/identifiers/[]/type', 'vulnerabilities/[]/location'],
  ],
  specVersion: ['version'],
  tools: [{ each: 'scan/scanner', name: 'name', version: ['version'] }],
  findings: [{ each: 'vulnerabilities/[]', severity: 'severity' }],
};
