import { describe, expect, test } from '@jest/globals';
import { inspect } from '../support/documents.ts';
import type { Row } from '../support/documents.ts';

const CONTEXT = 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld';

describe('SPDX', () => {
  const TWO = { format: 'spdx', syntax: 'json', specVersion: 'SPDX-2.3' } as const;
  const THREE = { format: 'spdx', syntax: 'json', specVersion: '3.0.1' } as const;
  const CREATION = { type: 'CreationInfo', '@id': '_:c', specVersion: '3.0.1' };

  test.each<Row>([
    ['2 with nothing in it', { spdxVersion: 'SPDX-2.3' }, { ...TWO, components: 0 }],
    [
      '2 with packages, and files beside them',
      { spdxVersion: 'SPDX-2.3', packages: [{ name: 'a' }, { name: 'b' }], files: [{}, {}, {}] },
      { ...TWO, components: 2 },
    ],
    [
      '2 with tools among who made it',
      {
        spdxVersion: 'SPDX-2.3',
        creationInfo: {
          creators: ['Organization: Example', 'Tool: syft-1.38.0', 'Person: A', 'Tool: merge'],
        },
      },
      { ...TWO, tool: 'syft-1.38.0, merge', components: 0 },
    ],
    [
      '2 with a version alone',
      { spdxVersion: 'SPDX-2.2', packages: 'none' },
      { ...TWO, specVersion: 'SPDX-2.2', components: 0 },
    ],
    [
      '2 as GitHub exports it',
      {
        sbom: {
          spdxVersion: 'SPDX-2.3',
          creationInfo: { creators: ['Tool: GitHub.com-Dependency-Graph', 'Person: A'] },
          packages: [{ name: 'a' }, { name: 'b' }],
          files: [{}],
        },
      },
      { ...TWO, tool: 'GitHub.com-Dependency-Graph', components: 2 },
    ],
    ...[[CONTEXT], [CONTEXT, 'urn:y'], [{ own: 'urn:x' }, CONTEXT], ['urn:y', CONTEXT]].map(
      (contexts): Row => [
        `3 with its context in the list ${JSON.stringify(contexts)}`,
        { '@context': contexts, '@graph': [{ type: 'software_Package' }] },
        { format: 'spdx', syntax: 'json', components: 1 },
      ],
    ),
    [
      '3 with packages of all kinds',
      {
        '@context': CONTEXT,
        '@graph': [
          CREATION,
          ...[
            'software_Package',
            'ai_AIPackage',
            'dataset_DatasetPackage',
            'ai_Other',
            'Package',
          ].map((type) => ({ type })),
        ],
      },
      { ...THREE, components: 3 },
    ],
    [
      '3 with nothing in it',
      { '@context': CONTEXT },
      { format: 'spdx', syntax: 'json', components: 0 },
    ],
    [
      '3 with packages among its elements',
      {
        '@context': CONTEXT,
        '@graph': [
          CREATION,
          { type: 'software_Package', name: 'a' },
          { type: 'software_File', name: 'b' },
          { type: 'software_Package', name: 'c' },
          { type: 'software_PackageX', name: 'd' },
          { name: 'e' },
        ],
      },
      { ...THREE, components: 2 },
    ],
  ])('is known: %s', (_, document, expected) => {
    expect(inspect(document)).toEqual({ ...expected, inspected: 'full' });
  });

  test.each<[string, unknown]>([
    ['a name in other letters', { SPDXVersion: 'SPDX-2.3' }],
    ['the version further down', { a: { spdxVersion: 'SPDX-2.3' } }],
    ['a list', [{ spdxVersion: 'SPDX-2.3' }]],
    ['a list of other contexts', { '@context': ['https://schema.org', { a: CONTEXT }] }],
    ['an inventory of something else', { sbom: { packages: [] } }],
    ['linked data of another kind', { '@context': 'https://schema.org', '@graph': [] }],
    ['an older context', { '@context': 'https://spdx.org/rdf/2.3/terms' }],
  ])('is not seen in %s', (_, document) => {
    expect(inspect(document)).toEqual({ format: 'json', syntax: 'json', inspected: 'full' });
  });
});
