import { describe, expect, test } from '@jest/globals';
import { countSeverities, inspect } from '../support/documents.ts';
import type { Row } from '../support/documents.ts';

const KNOWN = { format: 'trivy', syntax: 'json' } as const;
const TARGET = { Target: 'app (alpine 3.22)', Class: 'os-pkgs', Type: 'alpine' };

function listOf(...severities: readonly string[]): readonly object[] {
  return severities.map((Severity) => ({ Severity, Title: 'found' }));
}

describe('Trivy', () => {
  test.each<Row>([
    [
      'a report of all that it finds',
      {
        SchemaVersion: 2,
        Trivy: { Version: '0.65.0' },
        ArtifactName: 'app:1',
        Results: [
          { ...TARGET, Vulnerabilities: listOf('CRITICAL', 'LOW') },
          { ...TARGET, Secrets: listOf('HIGH'), Licenses: listOf('UNKNOWN', 'MEDIUM') },
        ],
      },
      {
        ...KNOWN,
        specVersion: '2',
        tool: 'Trivy 0.65.0',
        findings: 5,
        severities: countSeverities({ critical: 1, high: 1, medium: 1, low: 1, unknown: 1 }),
      },
    ],
    [
      'checks, of which those that were passed do not count',
      {
        SchemaVersion: 2,
        ArtifactName: '.',
        Results: [
          {
            Misconfigurations: [
              { Status: 'FAIL', Severity: 'HIGH' },
              { Severity: 'MEDIUM', Status: 'PASS' },
              { Status: 'EXCEPTION', Severity: 'CRITICAL' },
              { Severity: 'LOW' },
              { Status: 'PASSED', Severity: 'LOW' },
            ],
          },
        ],
      },
      { ...KNOWN, specVersion: '2', findings: 3, severities: countSeverities({ high: 1, low: 2 }) },
    ],
    [
      'a report without an artifact, and nothing found',
      { SchemaVersion: 2, Results: [{ ...TARGET }] },
      { ...KNOWN, specVersion: '2', findings: 0, severities: countSeverities({}) },
    ],
    [
      'the bare list of targets of old',
      [
        { ...TARGET, Vulnerabilities: listOf('LOW', 'LOW') },
        { ...TARGET, Vulnerabilities: null },
      ],
      { ...KNOWN, findings: 2, severities: countSeverities({ low: 2 }) },
    ],
    [
      'a bare list in which nothing was found',
      [{ Target: 'package-lock.json', Type: 'npm' }],
      { ...KNOWN, findings: 0, severities: countSeverities({}) },
    ],
    [
      'a cluster as it was written at first',
      {
        ClusterName: 'kind',
        Vulnerabilities: [
          { Kind: 'Pod', Results: [{ ...TARGET, Vulnerabilities: listOf('HIGH') }] },
        ],
        Misconfigurations: [
          {
            Kind: 'Pod',
            Results: [
              { Misconfigurations: [{ Status: 'FAIL', Severity: 'LOW' }, { Status: 'PASS' }] },
            ],
          },
        ],
      },
      { ...KNOWN, findings: 2, severities: countSeverities({ high: 1, low: 1 }) },
    ],
    [
      'a cluster by its findings',
      {
        ClusterName: 'kind',
        Findings: [
          {
            Kind: 'Pod',
            Results: [
              {
                Vulnerabilities: listOf('LOW', 'CRITICAL'),
                Misconfigurations: [
                  { Status: 'PASS', Severity: 'HIGH' },
                  { Status: 'FAIL', Severity: 'MEDIUM' },
                ],
              },
            ],
          },
        ],
      },
      {
        ...KNOWN,
        findings: 3,
        severities: countSeverities({ critical: 1, medium: 1, low: 1 }),
      },
    ],
    ...['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'].map((kind): Row => [
      `a cluster with nothing in its ${kind}`,
      { ClusterName: 'kind', [kind]: [] },
      { ...KNOWN, findings: 0, severities: countSeverities({}) },
    ]),
    [
      'a cluster by its resources',
      {
        ClusterName: 'kind',
        Resources: [
          {
            Kind: 'Pod',
            Results: [{ Vulnerabilities: listOf('MEDIUM'), Secrets: listOf('HIGH') }],
          },
        ],
      },
      { ...KNOWN, findings: 2, severities: countSeverities({ high: 1, medium: 1 }) },
    ],
  ])('is known: %s', (_, document, expected) => {
    expect(inspect(document)).toEqual({ ...expected, inspected: 'full' });
  });

  test.each<[string, unknown]>([
    ['results alone', { Results: [{ Vulnerabilities: [] }] }],
    ['a schema version alone', { SchemaVersion: 2 }],
    ['a cluster alone', { ClusterName: 'kind', Nodes: [] }],
    ['findings without a cluster', { Findings: [], Resources: [] }],
    ['names in other letters', { schemaVersion: 2, artifactName: 'app' }],
    ['a report in a list', [{ SchemaVersion: 2, ArtifactName: 'app' }]],
    ['a target that is no list', { Target: 'app', Type: 'npm', Vulnerabilities: [] }],
    ['targets alone', [{ Target: 'a' }, { Target: 'b' }]],
  ])('is not seen in %s', (_, document) => {
    expect(inspect(document)).toEqual({ format: 'json', syntax: 'json', inspected: 'full' });
  });
});
