import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import {
  describeContent,
  describeCounts,
  findHolding,
  findRole,
  isUnscanned,
  labelFormat,
} from '../../src/formats/content.ts';
import { FORMATS } from '../../src/formats/registry.ts';
import { SMALLEST, inspect } from '../support/documents.ts';
import { readText } from '../support/workflows.ts';

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
  ['cyclonedx', '1.6', 'CycloneDX 1.6'],
  ['spdx', 'SPDX-2.3', 'SPDX-2.3'],
  ['spdx', '3.0.1', 'SPDX 3.0.1'],
  ['json', undefined, 'JSON'],
  ['trivy', '2', 'Trivy (schema 2)'],
  ['empty', undefined, 'empty'],
] as const)('labelFormat labels %s %s', (name, version, label) => {
  expect(labelFormat(name, version)).toBe(label);
});

test.each([
  [{ format: 'sarif', specVersion: '2.1.0' }, 'SARIF 2.1.0'],
  [{ format: 'json' }, 'JSON of no known format'],
  [{ format: 'json', syntax: 'ndjson' }, 'several JSON documents one after the other'],
  [{ format: 'grype', syntax: 'ndjson' }, 'Grype'],
  [{ format: 'xml' }, 'XML of no known format'],
  [{ format: 'unknown', kind: 'gzip' }, 'gzip-compressed data'],
  [{ format: 'json', kind: 'bare' }, 'JSON without content'],
] as const)('describeContent describes %j', (content, words) => {
  expect(describeContent({ ...content, inspected: 'full' })).toBe(words);
});

const FULL = { format: 'cyclonedx', inspected: 'full' } as const;

describe('describeCounts', () => {
  test.each<[Partial<Content>, string]>([
    [{}, 'no list of vulnerabilities'],
    [{ components: 62, vulnerabilities: 1 }, '62 components, 1 vulnerability'],
    [{ components: 1, vulnerabilities: 0 }, '1 component, 0 vulnerabilities'],
    [{ components: 0 }, '0 components, no list of vulnerabilities'],
    [{ format: 'grype', findings: 1 }, '1 finding'],
    [{ format: 'grype', findings: 1_234_567 }, '1,234,567 findings'],
    [{ format: 'grype' }, 'not counted'],
    [{ inspected: 'partial' }, 'not counted'],
    [{ format: 'json' }, ''],
    [{ format: 'json', inspected: 'partial' }, ''],
  ])('describes %j', (content, words) => {
    expect(describeCounts({ ...FULL, ...content })).toBe(words);
  });
});

test.each<[Partial<Content>, string | undefined, string | undefined, boolean]>([
  [{ format: 'json' }, undefined, undefined, false],
  [{ format: 'json', isSbom: true }, 'SBOM', 'SBOM', false],
  [{ format: 'grype', findings: 0 }, 'report', 'report', false],
  [{ format: 'spdx', components: 1 }, 'SBOM', 'SBOM', true],
  [{ format: 'cyclonedx' }, 'either', undefined, false],
  [{ format: 'cyclonedx', isSbom: true }, 'SBOM', 'SBOM', true],
  [{ format: 'cyclonedx', components: 0 }, 'either', undefined, false],
  [{ format: 'cyclonedx', components: 1 }, 'either', 'SBOM', true],
  [{ format: 'cyclonedx', components: 1, vulnerabilities: 0 }, 'either', 'SBOM', false],
  [{ format: 'cyclonedx', components: 1, vulnerabilities: 1 }, 'either', undefined, false],
  [{ format: 'cyclonedx', components: 0, vulnerabilities: 1 }, 'either', 'report', false],
])('%j holds %s, must be %s', (content, holding, role, isWithoutScan) => {
  const whole = { ...FULL, ...content };
  expect([findHolding(whole), findRole(whole), isUnscanned(whole)]).toEqual([
    holding,
    role,
    isWithoutScan,
  ]);
});
