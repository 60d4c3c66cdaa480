import { expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { conclude, describeContent, isBareSbom, isRecognised } from '../../src/formats/content.ts';
import { FORMATS } from '../../src/formats/registry.ts';
import { SMALLEST, inspect } from '../support/documents.ts';
import { readText } from '../support/repository.ts';

const [, LIST = ''] = readText('docs', 'inspection.md').split('<!-- formats:begin -->');
const LISTED = LIST.replaceAll(' (also XML)', '').split(/[,.]/);

test.each(FORMATS)('$label is listed, and recognised in each syntax', (format) => {
  const { name, label, xml, holds } = format;
  expect(LISTED.map((text) => text.trim())).toContain(label);
  const contents = (SMALLEST[name] ?? []).map(inspect);
  const syntaxes = new Set(contents.map(({ syntax }) => syntax));
  expect([...syntaxes]).toEqual(xml === undefined ? ['json'] : ['json', 'xml']);
  for (const content of contents) {
    const isCounted = content.syntax === 'json';
    expect(content).toMatchObject({ format: name, inspected: isCounted ? 'full' : 'partial' });
    expect(content.problem).toBeUndefined();
    expect(content.components !== undefined).toBe(isCounted && holds !== undefined);
  }
});

test.each([
  [{ format: 'cyclonedx', specVersion: '1.6' }, 'CycloneDX 1.6'],
  [{ format: 'spdx', specVersion: 'SPDX-2.3' }, 'SPDX-2.3'],
  [{ format: 'trivy', specVersion: '2' }, 'Trivy (schema 2)'],
  [{ format: 'json' }, 'JSON of no known format'],
  [{ format: 'json', syntax: 'ndjson' }, 'several JSON documents one after the other'],
  [{ format: 'grype', syntax: 'ndjson' }, 'Grype'],
  [{ format: 'xml' }, 'XML of no known format'],
  [{ format: 'empty', kind: 'empty' }, 'empty'],
  [{ format: 'unknown', kind: 'gzip' }, 'gzip-compressed data'],
  [{ format: 'json', kind: 'bare' }, 'JSON without content'],
] as const)('describeContent describes %j', (content, words) => {
  expect(describeContent({ ...content, inspected: 'full' })).toBe(words);
});

const FULL = { format: 'cyclonedx', inspected: 'full' } as const;

test.each<[Partial<Content>, boolean, Content['role'], boolean]>([
  [{ format: 'json' }, false, undefined, false],
  [{ format: 'json', role: 'SBOM' }, true, 'SBOM', false],
  [{ format: 'grype', findings: 0 }, true, 'report', false],
  [{ format: 'spdx', components: 1 }, true, 'SBOM', true],
  [{}, true, undefined, false],
  [{ role: 'SBOM' }, true, 'SBOM', true],
  [{ components: 0 }, true, undefined, false],
  [{ components: 1 }, true, 'SBOM', true],
  [{ components: 1, vulnerabilities: 0 }, true, 'SBOM', false],
  [{ components: 1, vulnerabilities: 1 }, true, 'both', false],
  [{ components: 0, vulnerabilities: 1 }, true, 'report', false],
])(
  '%j is recognised (%j), is a document of role %j, and a bare SBOM (%j)',
  (facts, ...expected) => {
    const content = conclude({ ...FULL, ...facts });
    expect([isRecognised(content), content.role, isBareSbom(content)]).toEqual(expected);
  },
);
