import type { FindingRows, Format } from './format.ts';

/** The findings of one target; checks that passed may be listed too and are not counted. */
function listFindings(target: string): readonly FindingRows[] {
  return [
    { each: `${target}/Vulnerabilities/[]`, severity: 'Severity' },
    {
      each: `${target}/Misconfigurations/[]`,
      severity: 'Severity',
      where: [{ at: 'Status', is: /^(?!PASS$|EXCEPTION$)/ }],
    },
    { each: `${target}/Secrets/[]`, severity: 'Severity' },
    { each: `${target}/Licenses/[]`, severity: 'Severity' },
  ];
}

/** Trivy: a report, a report of a cluster, and the list of targets that versions before 0.20 wrote. */
export const TRIVY = {
  name: 'trivy',
  label: 'Trivy',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'SchemaVersion' }, { at: 'ArtifactName' }],
      [{ at: 'SchemaVersion' }, { at: 'Results' }],
      ...['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'].map((kind) => [
        { at: 'ClusterName' },
        { at: kind },
      ]),
      [{ at: '[]/Target' }, { at: '[]/Vulnerabilities' }],
      [{ at: '[]/Target' }, { at: '[]/Type' }],
    ],
    specVersion: [{ at: 'SchemaVersion' }],
    tools: [{ each: 'Trivy', version: ['Version'] }],
    findings: [
      ...listFindings('Results/[]'),
      ...listFindings('[]'),
      ...listFindings('Vulnerabilities/[]/Results/[]'),
      ...listFindings('Misconfigurations/[]/Results/[]'),
      ...listFindings('Resources/[]/Results/[]'),
      ...listFindings('Findings/[]/Results/[]'),
    ],
  },
} as const satisfies Format;
