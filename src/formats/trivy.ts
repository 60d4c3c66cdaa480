import type { Layout } from './format.ts';

/** Where a target is: in a report, in the list of versions before 0.20, or in a report of a cluster. */
const TARGETS = [
  'Results/[]',
  '[]',
  'Vulnerabilities/[]/Results/[]',
  'Misconfigurations/[]/Results/[]',
  'Resources/[]/Results/[]',
  'Findings/[]/Results/[]',
];
/** Checks that passed may be listed too. */
const FAILED = { at: 'Status', is: /^(?!PASS$|EXCEPTION$)/ };

export const TRIVY: Layout = {
  marks: [
    ['SchemaVersion', 'ArtifactName'],
    ['SchemaVersion', 'Results'],
    ['ClusterName', 'Resources'],
    ['ClusterName', 'Findings'],
    ['ClusterName', 'Vulnerabilities'],
    ['ClusterName', 'Misconfigurations'],
    ['[]/Target', '[]/Vulnerabilities'],
    ['[]/Target', '[]/Type'],
  ],
  specVersion: ['SchemaVersion'],
  tools: [{ each: 'Trivy', version: ['Version'] }],
  findings: TARGETS.flatMap((at) => [
    { each: `${at}/Vulnerabilities/[]`, severity: 'Severity' },
    { each: `${at}/Misconfigurations/[]`, severity: 'Severity', where: [FAILED] },
    { each: `${at}/Secrets/[]`, severity: 'Severity' },
    { each: `${at}/Licenses/[]`, severity: 'Severity' },
  ]),
};
