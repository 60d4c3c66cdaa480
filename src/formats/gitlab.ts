import type { Format } from './format.ts';

/** The types of scans whose reports have the same schema. */
const SCAN =
  /^(?:sast|dependency_scanning|container_scanning|cluster_image_scanning|secret_detection|dast|api_fuzzing|coverage_fuzzing)$/;

/** GitLab's security reports, as its own analysers and other tools write them; `scan` since version 3. */
export const GITLAB = {
  name: 'gitlab',
  label: 'GitLab security report',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'version' }, { at: 'vulnerabilities' }, { at: 'scan/type', is: SCAN }],
      [{ at: 'version' }, { at: 'vulnerabilities' }, { at: 'remediations' }],
      [
        { at: 'version' },
        { at: 'vulnerabilities/[]/identifiers/[]/type' },
        { at: 'vulnerabilities/[]/location' },
      ],
    ],
    specVersion: [{ at: 'version' }],
    tools: [{ each: 'scan/scanner', name: { at: 'name' }, version: ['version'] }],
    findings: [{ each: 'vulnerabilities/[]', severity: 'severity' }],
  },
} as const satisfies Format;
