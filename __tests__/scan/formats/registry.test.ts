import { describe, expect, test } from '@jest/globals';
import { describeContent, describeCounts } from '../../../src/scan/content/describe.ts';
import type { Layout, Rows } from '../../../src/scan/formats/format.ts';
import type { Place } from '../../../src/scan/document/place.ts';
import { plantPlaces } from '../../../src/scan/document/place-tree.ts';
import { FORMATS, findFormat, labelFormat } from '../../../src/scan/formats/registry.ts';
import type { FormatName } from '../../../src/scan/formats/registry.ts';
import { SMALLEST, inspect } from './documents.ts';

const SYNTAXES = ['json', 'xml'] as const;

function below(each: string, ...paths: readonly (string | undefined)[]): readonly string[] {
  return paths
    .filter((path) => path !== undefined)
    .map((path) => (path === '' ? each : `${each}/${path}`));
}

function listConditions(where: Rows['where'] = []): readonly string[] {
  return where.map(({ at }) => at);
}

/** Every path that a layout asks for, from the root. */
function listPaths(layout: Layout): readonly string[] {
  const { marks, specVersion = [], tools = [], components = [], rules = [] } = layout;
  const findings = [...(layout.vulnerabilities ?? []), ...(layout.findings ?? [])];
  return [
    ...[...marks.flat(), ...specVersion].map(({ at }) => at),
    ...tools.flatMap(({ each, name, version = [] }) => below(each, name?.at, ...version)),
    ...components.flatMap(({ each, where }) => below(each, '', ...listConditions(where))),
    ...findings.flatMap(({ each, where, severity, rule = [] }) =>
      below(each, '', ...listConditions(where), severity, ...rule),
    ),
    ...rules.flatMap(({ each, id, severity }) => below(each, id, severity)),
  ];
}

/** The places of the paths in a row, as they are reached while a document is read. */
function splitPath(path: string): readonly (readonly [parent: string, name: string])[] {
  const names = path.split('/');
  return names.map((name, index) => [names.slice(0, index).join('/'), name] as const);
}

describe('FORMATS', () => {
  test.each(FORMATS)('knows each format in each syntax: $name', async (format) => {
    const syntaxes = new Set<string | undefined>();
    for (const document of SMALLEST[format.name]) {
      const content = await inspect(document);
      expect(content).toMatchObject({ format: format.name, inspected: 'whole' });
      expect(content?.fault).toBeUndefined();
      syntaxes.add(content?.syntax);
    }
    expect(syntaxes).toEqual(new Set(SYNTAXES.filter((syntax) => syntax in format)));
  });

  test('have names and labels of their own', () => {
    const names = FORMATS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(FORMATS.map(({ label }) => label)).size).toBe(names.length);
    for (const name of names) {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(['json', 'xml', 'empty', 'unknown']).not.toContain(name);
    }
  });

  test('count what they hold, and only that', () => {
    for (const { holds, json, xml } of FORMATS) {
      for (const layout of [json, xml]) {
        if (layout === undefined) continue;
        expect(layout.components !== undefined).toBe(holds !== 'report');
        expect(layout.vulnerabilities !== undefined).toBe(holds === 'either');
        expect(layout.findings !== undefined).toBe(holds === 'report');
      }
    }
  });

  test.each(SYNTAXES)('ask in %s for no member both by its name and by any name', (syntax) => {
    const steps = FORMATS.flatMap((format) => format[syntax] ?? [])
      .flatMap(listPaths)
      .flatMap(splitPath);
    const wild = new Set(steps.filter(([, name]) => name === '*').map(([parent]) => parent));
    const shadowing = steps.filter(
      ([parent, name]) => wild.has(parent) && name !== '*' && name !== '[]',
    );
    expect(shadowing).toEqual([]);
  });

  test.each(SYNTAXES)('are found again in %s where they were planted', (syntax) => {
    const layouts = FORMATS.flatMap((format) => format[syntax] ?? []);
    const root = plantPlaces(layouts);
    for (const path of layouts.flatMap(listPaths)) {
      const place: Place = root.reach(path);
      expect([path, place.path]).toEqual([path, path]);
      expect([path, place.wantsText || place.rows.length > 0]).toEqual([path, true]);
    }
  });

  test('are found by their names', () => {
    for (const format of FORMATS) expect(findFormat(format.name)).toBe(format);
    for (const name of ['json', 'xml', 'empty', 'unknown'] as const) {
      expect(findFormat(name)).toBeUndefined();
    }
  });

  test.each([
    ['cyclonedx', '1.6', 'CycloneDX 1.6'],
    ['cyclonedx', undefined, 'CycloneDX'],
    ['spdx', 'SPDX-2.3', 'SPDX-2.3'],
    ['spdx', '3.0.1', 'SPDX 3.0.1'],
    ['json', undefined, 'JSON'],
    ['xml', undefined, 'XML'],
    ['empty', undefined, 'empty'],
  ] as const)('are called by name and version: %s %s', (name, version, label) => {
    expect(labelFormat(name, version)).toBe(label);
  });
});

describe('describeContent', () => {
  test.each([
    [{ format: 'grype' }, 'Grype'],
    [{ format: 'sarif', specVersion: '2.1.0' }, 'SARIF 2.1.0'],
    [{ format: 'json' }, 'JSON of no known format'],
    [{ format: 'xml' }, 'XML of no known format'],
    [{ format: 'unknown', kind: 'a ZIP archive' }, 'a ZIP archive'],
  ] as const)('says of %j: %s', (content, words) => {
    expect(describeContent({ ...content, inspected: 'whole' })).toBe(words);
  });

  test.each([
    [{}, ''],
    [{ components: 62, vulnerabilities: 1 }, '62 components, 1 vulnerability'],
    [{ components: 1, vulnerabilities: 0 }, '1 component, 0 vulnerabilities'],
    [{ findings: 1 }, '1 finding'],
    [{ findings: 0 }, '0 findings'],
  ])('counts in words: %j', (facts, words) => {
    expect(describeCounts({ format: 'cyclonedx', inspected: 'whole', ...facts })).toBe(words);
  });

  test.each<[FormatName, string]>([
    ['cyclonedx', 'not read to its end'],
    ['dependency-check', 'not read to its end'],
    ['json', ''],
    ['unknown', ''],
  ])('says of a file of the format %s that was not read whole: %j', (format, words) => {
    expect(describeCounts({ format, inspected: 'ends' })).toBe(words);
  });
});
