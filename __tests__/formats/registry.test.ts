import { describe, expect, test } from '@jest/globals';
import { describeContent, describeCounts } from '../../src/formats/describe.ts';
import { FORMATS, labelFormat } from '../../src/formats/registry.ts';
import type { FormatName } from '../../src/formats/registry.ts';
import { SMALLEST, inspect } from '../support/documents.ts';

describe('FORMATS', () => {
  test.each(FORMATS)('recognises a document of each format in each syntax: $name', (format) => {
    const syntaxes = new Set<string | undefined>();
    for (const document of SMALLEST[format.name] ?? []) {
      const content = inspect(document);
      expect(content).toMatchObject({ format: format.name, inspected: 'full' });
      expect(content.problem).toBeUndefined();
      syntaxes.add(content.syntax);
    }
    expect([...syntaxes]).toEqual('xml' in format ? ['json', 'xml'] : ['json']);
  });

  test('has names that are one word, other than those of no format', () => {
    for (const { name } of FORMATS) {
      expect(name).toMatch(/^(?!(?:json|xml|empty|unknown)$)[a-z]+(?:-[a-z]+)*$/);
    }
  });

  test('counts for each format only what it holds', () => {
    for (const { holds, xml, ...json } of FORMATS) {
      for (const layout of xml === undefined ? [json] : [json, xml]) {
        expect(layout.components !== undefined).toBe(holds !== 'report');
        expect(layout.vulnerabilities !== undefined).toBe(holds === 'either');
        expect(layout.findings !== undefined).toBe(holds !== 'SBOM');
      }
    }
  });
});

describe('labelFormat', () => {
  test.each([
    ['cyclonedx', '1.6', 'CycloneDX 1.6'],
    ['spdx', 'SPDX-2.3', 'SPDX-2.3'],
    ['spdx', '3.0.1', 'SPDX 3.0.1'],
    ['json', undefined, 'JSON'],
    ['trivy', '2', 'Trivy (schema 2)'],
    ['empty', undefined, 'empty'],
  ] as const)('labels %s %s', (name, version, label) => {
    expect(labelFormat(name, version)).toBe(label);
  });
});

describe('describeContent', () => {
  test.each([
    [{ format: 'sarif', specVersion: '2.1.0' }, 'SARIF 2.1.0'],
    [{ format: 'json' }, 'JSON of no known format'],
    [{ format: 'json', syntax: 'ndjson' }, 'several JSON documents one after the other'],
    [{ format: 'grype', syntax: 'ndjson' }, 'Grype'],
    [{ format: 'xml' }, 'XML of no known format'],
    [{ format: 'unknown', kind: 'gzip' }, 'gzip-compressed data'],
    [{ format: 'unknown', kind: 'zip' }, 'a ZIP archive'],
    [{ format: 'unknown', kind: 'html' }, 'a web page (HTML)'],
    [{ format: 'unknown', kind: 'utf-16' }, 'UTF-16 text'],
    [{ format: 'unknown', kind: 'lfs' }, 'a Git LFS pointer'],
    [{ format: 'unknown', kind: 'text' }, 'text'],
    [{ format: 'unknown', kind: 'binary' }, 'binary data'],
    [{ format: 'json', kind: 'scalar' }, 'only a JSON string, number or boolean'],
    [{ format: 'json', kind: 'bare' }, 'JSON without content'],
  ] as const)('describes %j', (content, words) => {
    expect(describeContent({ ...content, inspected: 'full' })).toBe(words);
  });

  test.each([
    [{}, ''],
    [{ components: 62, vulnerabilities: 1 }, '62 components, 1 vulnerability'],
    [{ components: 1, vulnerabilities: 0 }, '1 component, 0 vulnerabilities'],
    [{ components: 0 }, '0 components, no list of vulnerabilities'],
    [{ findings: 1 }, '1 finding'],
    [{ findings: 1_234_567 }, '1,234,567 findings'],
    [{ isBlank: true as const }, 'nothing was scanned'],
  ])('describes the counts of %j', (facts, words) => {
    expect(describeCounts({ format: 'cyclonedx', inspected: 'full', ...facts })).toBe(words);
  });

  test.each<[FormatName, string]>([
    ['cyclonedx', 'not counted'],
    ['dependency-check', 'not counted'],
    ['json', ''],
  ])('describes a file of the format %s that was not read to its end', (format, words) => {
    expect(describeCounts({ format, inspected: 'partial' })).toBe(words);
  });
});
