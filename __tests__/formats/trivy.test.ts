import { describe, test } from '@jest/globals';
import { countFindings, expectRecognised, expectUnrecognised } from '../support/documents.ts';
import type { OtherRow, Row } from '../support/documents.ts';

const TARGET = { Target: 'app (alpine 3.22)', Class: 'os-pkgs', Type: 'alpine' };

function listOf(...severities: readonly string[]): readonly object[] {
  return severities.map((Severity) => ({ Severity, Title: 'found' }));
}

/** A cluster with the results of a pod in this member. */
function cluster(kind: string, results: object): object {
  return { ClusterName: 'kind', [kind]: [{ Kind: 'Pod', Results: [results] }] };
}

describe('Trivy', () => {
  test.each<Row>([
    [
      'a report with findings of all kinds',
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
        specVersion: '2',
        tool: 'Trivy 0.65.0',
        ...countFindings({ critical: 1, high: 1, medium: 1, low: 1, unknown: 1 }),
      },
    ],
    [
      'a report with checks, of which passed ones are not counted',
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
      { specVersion: '2', ...countFindings({ high: 1, low: 2 }) },
    ],
    [
      'a report without an artifact or findings',
      { SchemaVersion: 2, Results: [{ ...TARGET }] },
      { specVersion: '2', ...countFindings({}) },
    ],
    [
      'a bare list of targets',
      [
        { ...TARGET, Vulnerabilities: listOf('LOW', 'LOW') },
        { ...TARGET, Vulnerabilities: null },
      ],
      countFindings({ low: 2 }),
    ],
    [
      'a bare list without findings',
      [{ Target: 'package-lock.json', Type: 'npm' }],
      countFindings({}),
    ],
    ...['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'].flatMap((kind): Row[] => [
      [`a cluster without ${kind}`, { ClusterName: 'kind', [kind]: [] }, countFindings({})],
      [
        `a cluster with findings in its ${kind}`,
        cluster(kind, {
          Vulnerabilities: listOf('LOW', 'CRITICAL'),
          Misconfigurations: [
            { Status: 'PASS', Severity: 'HIGH' },
            { Status: 'FAIL', Severity: 'MEDIUM' },
          ],
          Secrets: listOf('HIGH'),
        }),
        countFindings({ critical: 1, high: 1, medium: 1, low: 1 }),
      ],
    ]),
  ])('is recognised from %s', (...row) =>
    expectRecognised({ format: 'trivy', syntax: 'json' }, row),
  );

  test.each<OtherRow>([
    ['results alone', { Results: [{ Vulnerabilities: [] }] }],
    ['a schema version alone', { SchemaVersion: 2 }],
    ['a cluster alone', { ClusterName: 'kind', Nodes: [] }],
    ['findings without a cluster', { Findings: [], Resources: [] }],
    ['names in another case', { schemaVersion: 2, artifactName: 'app' }],
    ['a report in a list', [{ SchemaVersion: 2, ArtifactName: 'app' }]],
    ['a target that is not a list', { Target: 'app', Type: 'npm', Vulnerabilities: [] }],
    ['targets alone', [{ Target: 'a' }, { Target: 'b' }]],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});
