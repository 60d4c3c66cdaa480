import { describe, expect, test } from '@jest/globals';
import { CYCLONEDX_NAMESPACE, countSeverities, inspect } from '../support/documents.ts';
import type { Row } from '../support/documents.ts';

const NONE = { components: 0, vulnerabilities: 0, severities: countSeverities({}) };

/** An XML document of a version, with or without a prefix for its elements. */
function writeXml(version: string, content: string, prefix = ''): string {
  const [tag, colon] = prefix === '' ? ['xmlns', ''] : [`xmlns:${prefix}`, `${prefix}:`];
  const names = content.replace(/<(\/?)(?=\w)/g, `<$1${colon}`);
  const root = `${colon}bom`;
  return `<?xml version="1.0"?>\n<${root} ${tag}="${CYCLONEDX_NAMESPACE}/${version}" version="1">${names}</${root}>`;
}

/** A vulnerability with these severities. */
function rate(...severities: readonly string[]): object {
  return { id: 'CVE-2026-1', ratings: severities.map((severity) => ({ severity })) };
}

function rateXml(...severities: readonly string[]): string {
  const ratings = severities.map((word) => `<rating><severity>${word}</severity></rating>`);
  return `<vulnerability><id>CVE-2026-1</id><ratings>${ratings.join('')}</ratings></vulnerability>`;
}

describe('CycloneDX in JSON', () => {
  const BOM = { bomFormat: 'CycloneDX', specVersion: '1.5' };
  const KNOWN = { format: 'cyclonedx', syntax: 'json', specVersion: '1.5', ...NONE } as const;

  test.each<Row>([
    ['nothing in it', BOM, KNOWN],
    ['no version', { bomFormat: 'CycloneDX' }, { format: 'cyclonedx', syntax: 'json', ...NONE }],
    [
      'components within components',
      { ...BOM, components: [{ name: 'a', components: [{ name: 'b' }] }, { name: 'c' }] },
      { ...KNOWN, components: 2 },
    ],
    [
      'a component of its own in the metadata',
      { ...BOM, metadata: { component: { name: 'app', components: [{ name: 'part' }] } } },
      KNOWN,
    ],
    [
      'components that are no objects',
      { ...BOM, components: [1, 'a', null, []] },
      { ...KNOWN, components: 4 },
    ],
    [
      'tools as a list',
      {
        ...BOM,
        metadata: { tools: [{ vendor: 'v', name: 'syft', version: '1.38.0' }, { name: 'own' }] },
      },
      { ...KNOWN, tool: 'syft 1.38.0, own' },
    ],
    [
      'tools as components',
      {
        ...BOM,
        metadata: {
          tools: {
            components: [{ type: 'application', name: 'trivy', version: '0.65.0' }],
            services: [{ name: 'elsewhere', version: '1' }],
          },
        },
      },
      { ...KNOWN, tool: 'trivy 0.65.0' },
    ],
    [
      'more tools than are named, and the same twice',
      { ...BOM, metadata: { tools: ['a', 'a', 'b', 'c', 'd'].map((name) => ({ name })) } },
      { ...KNOWN, tool: 'a, b, c' },
    ],
    ['a tool without a name', { ...BOM, metadata: { tools: [{ version: '1' }] } }, KNOWN],
    [
      'vulnerabilities, the worst rating of each',
      {
        ...BOM,
        vulnerabilities: [rate('low', 'critical', 'none'), rate('medium'), rate(), { id: 'b' }],
      },
      {
        ...KNOWN,
        vulnerabilities: 4,
        severities: countSeverities({ critical: 1, medium: 1, unknown: 2 }),
      },
    ],
    [
      'members that are of another type',
      { ...BOM, components: { length: 7 }, vulnerabilities: 'abc', metadata: [{ tools: [] }] },
      KNOWN,
    ],
    [
      'a rating that is worse behind many that are equal',
      { ...BOM, vulnerabilities: [rate(...Array<string>(40).fill('low'), 'critical')] },
      { ...KNOWN, vulnerabilities: 1, severities: countSeverities({ critical: 1 }) },
    ],
    [
      'a version and a tool in several lines',
      {
        bomFormat: 'CycloneDX',
        specVersion: ' 1.5\n::error::x\r\n',
        metadata: {
          tools: [{ name: 'a\u2028b\u0085\t\rc', version: '1\n\n2' }, { name: '\nd' }],
        },
      },
      { ...KNOWN, specVersion: '1.5 ::error::x', tool: 'a b c 1 2, d' },
    ],
    [
      'texts that are null',
      {
        bomFormat: 'CycloneDX',
        specVersion: null,
        metadata: { tools: [{ name: 'a', version: null }] },
      },
      { format: 'cyclonedx', syntax: 'json', tool: 'a', ...NONE },
    ],
    ['its marks last', { components: [{}], ...BOM }, { ...KNOWN, components: 1 }],
    [
      'escapes in names and texts',
      String.raw`{"bomForma\u0074":"Cyclone\u0044X","specVersion":"1.5"}`,
      KNOWN,
    ],
  ])('is known with %s', (_, document, expected) => {
    expect(inspect(document)).toEqual({ ...expected, inspected: 'full' });
  });

  test.each<[string, unknown]>([
    ['a value of another format', { bomFormat: 'SPDX' }],
    ['a value in other letters', { bomFormat: 'cyclonedx' }],
    ['a value that only begins like it', { bomFormat: 'CycloneDX-2' }],
    ['a name in other letters', { bomformat: 'CycloneDX' }],
    ['a list', { bomFormat: ['CycloneDX'] }],
    ['the mark further down', { metadata: { bomFormat: 'CycloneDX' } }],
    ['the mark in a list', [{ bomFormat: 'CycloneDX' }]],
    ['the mark below __proto__', '{"__proto__":{"bomFormat":"CycloneDX"}}'],
    ['all but the mark', { specVersion: '1.5', components: [{}] }],
    ['a path for a name', { 'metadata/tools/[]': 1, 'bomFormat/': 'CycloneDX' }],
  ])('is not seen in %s', (_, document) => {
    expect(inspect(document)).toEqual({ format: 'json', syntax: 'json', inspected: 'full' });
  });
});

describe.each(['', 'c', 'c.1-x'])('CycloneDX in XML, with the prefix "%s"', (prefix) => {
  const KNOWN = { format: 'cyclonedx', syntax: 'xml', specVersion: '1.5', ...NONE } as const;

  test.each(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6'])(
    'is known in version %s',
    (version) => {
      const document = writeXml(version, '<components><component/></components>', prefix);
      expect(inspect(document)).toEqual({
        ...KNOWN,
        specVersion: version,
        components: 1,
        inspected: 'full',
      });
    },
  );

  test.each<Row>([
    [
      'components within components',
      '<components><component type="library"><name>a</name><components><component/></components></component><component/></components>',
      { ...KNOWN, components: 2 },
    ],
    [
      'a component of its own in the metadata',
      '<metadata><component><components><component/></components></component></metadata>',
      KNOWN,
    ],
    [
      'tools as a list',
      '<metadata><tools><tool><vendor>v</vendor><name> syft\n</name><version>1.38.0</version></tool></tools></metadata>',
      { ...KNOWN, tool: 'syft 1.38.0' },
    ],
    [
      'tools as components',
      '<metadata><tools><components><component><name>trivy</name><version>0.65.0</version></component></components></tools></metadata>',
      { ...KNOWN, tool: 'trivy 0.65.0' },
    ],
    [
      'vulnerabilities, the worst rating of each',
      `<vulnerabilities>${rateXml('low', 'High')}${rateXml()}</vulnerabilities>`,
      { ...KNOWN, vulnerabilities: 2, severities: countSeverities({ high: 1, unknown: 1 }) },
    ],
    [
      'texts in pieces',
      '<metadata><tools><tool><name>a<!-- b --><![CDATA[<]]>&amp;&#99;<?d?></name></tool></tools></metadata>',
      { ...KNOWN, tool: 'a<&c' },
    ],
    ['elements in other letters', '<Components><Component/></Components>', KNOWN],
  ])('is known with %s', (_, content, expected) => {
    expect(inspect(writeXml('1.5', String(content), prefix))).toEqual({
      ...expected,
      inspected: 'full',
    });
  });
});

describe('CycloneDX in XML, among other namespaces', () => {
  const KNOWN = { format: 'cyclonedx', syntax: 'xml', specVersion: '1.3', ...NONE } as const;

  test.each([
    ['with a prefix', '<v:components xmlns:v="urn:v"><component/></v:components>'],
    ['as a prefixed item', '<components xmlns:v="urn:v"><v:component/></components>'],
    ['as the default', '<components xmlns="urn:v"><component/></components>'],
    ['as the default of an item', '<components><component xmlns="urn:v"/></components>'],
    [
      'around elements of the root',
      `<v xmlns="urn:v"><components xmlns="${CYCLONEDX_NAMESPACE}/1.3"><component/></components></v>`,
    ],
  ])('does not count elements of another one, given %s', (_, content) => {
    expect(inspect(writeXml('1.3', content))).toEqual({ ...KNOWN, inspected: 'full' });
  });

  test('does not count what a prefix means something else for', () => {
    const root = `<c:bom xmlns:c="${CYCLONEDX_NAMESPACE}/1.3"`;
    const foreign = '<c:components xmlns:c="urn:v"><c:component/></c:components>';
    const bare = '<components><component/></components>';
    const own = '<c:components><c:component/></c:components>';
    expect(inspect(`${root}>${foreign}${bare}${own}</c:bom>`)).toEqual({
      ...KNOWN,
      components: 1,
      inspected: 'full',
    });
  });

  test('counts what follows a foreign element', () => {
    const content =
      '<x:a xmlns:x="urn:x"><x:b><x:c/></x:b></x:a><components><x:d xmlns:x="urn:x"/><component/></components>';
    expect(inspect(writeXml('1.3', content))).toMatchObject({ components: 1 });
  });

  test.each([
    '<bom></bom>',
    '<bom xmlns="urn:other"></bom>',
    `<other xmlns="${CYCLONEDX_NAMESPACE}/1.4"></other>`,
    `<BOM xmlns="${CYCLONEDX_NAMESPACE}/1.4"></BOM>`,
    `<bom xmlns:x="${CYCLONEDX_NAMESPACE}/1.4"></bom>`,
    `<x:bom xmlns="${CYCLONEDX_NAMESPACE}/1.4"></x:bom>`,
    `<bom version="xmlns=${CYCLONEDX_NAMESPACE}/1.4"></bom>`,
    `<bom xmlns="${CYCLONEDX_NAMESPACE}/"></bom>`,
    `<a><bom xmlns="${CYCLONEDX_NAMESPACE}/1.4"></bom></a>`,
    `<bom><xmlns>${CYCLONEDX_NAMESPACE}/1.4</xmlns></bom>`,
  ])('takes %s for no CycloneDX', (document) => {
    expect(inspect(document)).toEqual({ format: 'xml', syntax: 'xml', inspected: 'full' });
  });
});
