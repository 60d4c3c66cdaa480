import { describe, expect, test } from '@jest/globals';
import { expectRecognised, expectUnrecognised, inspect } from '../support/documents.ts';
import type { OtherRow, Row } from '../support/documents.ts';

const CONTEXT = 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld';

describe('SPDX 2', () => {
  test.each<Row>([
    ['without packages', { spdxVersion: 'SPDX-2.3' }, { components: 0 }],
    [
      'with packages and files, of which only packages are counted',
      { spdxVersion: 'SPDX-2.3', packages: [{ name: 'a' }, { name: 'b' }], files: [{}, {}, {}] },
      { components: 2 },
    ],
    [
      'with tools among its creators',
      {
        spdxVersion: 'SPDX-2.3',
        creationInfo: {
          creators: ['Organization: Example', 'Tool: syft-1.38.0', 'Person: A', 'Tool: merge'],
        },
      },
      { tool: 'syft-1.38.0, merge', components: 0 },
    ],
    [
      'by its version alone',
      { spdxVersion: 'SPDX-2.2', packages: 'none' },
      { specVersion: 'SPDX-2.2', components: 0 },
    ],
    [
      'as GitHub exports it',
      {
        sbom: {
          spdxVersion: 'SPDX-2.3',
          creationInfo: { creators: ['Tool: GitHub.com-Dependency-Graph', 'Person: A'] },
          packages: [{ name: 'a' }, { name: 'b' }],
          files: [{}],
        },
      },
      { tool: 'GitHub.com-Dependency-Graph', components: 2 },
    ],
  ])('is recognised %s', (...row) =>
    expectRecognised({ format: 'spdx', syntax: 'json', specVersion: 'SPDX-2.3' }, row),
  );

  test.each<OtherRow>([
    ['a name in another case', { SPDXVersion: 'SPDX-2.3' }],
    ['the version in a nested object', { a: { spdxVersion: 'SPDX-2.3' } }],
    ['a list', [{ spdxVersion: 'SPDX-2.3' }]],
    ['an SBOM of another format', { sbom: { packages: [] } }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

describe('SPDX 3', () => {
  test.each<Row>([
    ...[CONTEXT, [CONTEXT], [{ own: 'urn:x' }, CONTEXT], ['urn:y', CONTEXT]].map((context): Row => [
      `by the context ${JSON.stringify(context)}`,
      { '@context': context, '@graph': [{ type: 'software_Package' }] },
      { components: 1 },
    ]),
    ['without packages', { '@context': CONTEXT }, { components: 0 }],
    [
      'with packages of all kinds among its elements',
      {
        '@context': CONTEXT,
        '@graph': [
          { type: 'CreationInfo', '@id': '_:c', specVersion: '3.0.1' },
          { type: 'software_Package', name: 'a' },
          { type: 'ai_AIPackage' },
          { type: 'dataset_DatasetPackage' },
          { type: 'software_File', name: 'b' },
          { type: 'software_PackageX' },
          { type: 'Package' },
          { name: 'c' },
        ],
      },
      { specVersion: '3.0.1', components: 3 },
    ],
  ])('is recognised %s', (...row) => expectRecognised({ format: 'spdx', syntax: 'json' }, row));

  test.each<OtherRow>([
    ['a list of other contexts', { '@context': ['https://schema.org', { a: CONTEXT }] }],
    ['another context', { '@context': 'https://schema.org', '@graph': [] }],
    ['an older context', { '@context': 'https://spdx.org/rdf/2.3/terms' }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

describe('SPDX in a syntax that is not parsed', () => {
  test.each([
    ['tags with values', 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\n'],
    ['tags after a comment', '# made by a tool\r\nSPDXVersion: SPDX-2.3\r\n'],
    ['YAML', 'SPDXID: "SPDXRef-DOCUMENT"\nspdxVersion: "SPDX-2.3"\n'],
  ])('is recognised from %s', (_, text) => {
    const known = { format: 'spdx', specVersion: 'SPDX-2.3', inspected: 'partial' };
    expect(inspect(text)).toEqual(known);
  });

  test.each(['see SPDXVersion: SPDX-2.3', 'SPDX-2.3', 'license: "SPDXVersion: x"'])(
    'is not recognised from %j',
    (text) => {
      expect(inspect(text)).toMatchObject({ format: 'unknown', kind: 'text' });
    },
  );
});

describe('Syft', () => {
  test('is recognised by its descriptor or by its artifacts', () => {
    const artifacts = [{ id: 'a', foundBy: 'c', purl: 'p' }, { id: 'b' }];
    const descriptor = { name: 'syft', version: '1.38.0' };
    const known = { format: 'syft', syntax: 'json', components: 2, inspected: 'full' };
    expect(inspect({ artifacts, descriptor, schema: { version: '16.1.0' } })).toEqual({
      ...known,
      specVersion: '16.1.0',
      tool: 'syft 1.38.0',
    });
    expect(inspect({ artifacts })).toEqual(known);
    for (const other of [{ id: 'a' }, { foundBy: 'c' }, { purl: 'p' }]) {
      expect(inspect({ artifacts: [other] }).format).toBe('json');
    }
  });
});
