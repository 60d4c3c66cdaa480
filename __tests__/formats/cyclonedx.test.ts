import { describe, expect, test } from '@jest/globals';
import {
  CYCLONEDX_NAMESPACE,
  countSeverities,
  expectRecognised,
  expectUnrecognised,
  inspect,
} from '../support/documents.ts';
import type { OtherRow, Row } from '../support/documents.ts';

const KNOWN = { format: 'cyclonedx', specVersion: '1.5', components: 0 } as const;
const CLEAN = { vulnerabilities: 0, severities: countSeverities({}) };
const BOM = { bomFormat: 'CycloneDX', specVersion: '1.5' };

/** A document with these tools. */
const by = (tools: unknown): object => ({ ...BOM, metadata: { tools } });

/** A vulnerability with these severities. */
function rate(...severities: readonly string[]): object {
  return { id: 'CVE-2026-1', ratings: severities.map((severity) => ({ severity })) };
}

describe('CycloneDX in JSON', () => {
  test.each<Row>([
    ['without components', BOM, {}],
    ['without a version', { bomFormat: 'CycloneDX' }, { specVersion: undefined }],
    [
      'with nested components, which are not counted',
      { ...BOM, components: [{ name: 'a', components: [{ name: 'b' }] }, { name: 'c' }] },
      { components: 2 },
    ],
    [
      'with tools as a list',
      by([{ vendor: 'v', name: 'syft', version: '1.38.0' }, { name: 'own' }]),
      { tool: 'syft 1.38.0, own' },
    ],
    [
      'with tools as components',
      by({ components: [{ name: 'trivy', version: '0.65.0' }], services: [{ name: 'elsewhere' }] }),
      { tool: 'trivy 0.65.0' },
    ],
    [
      'with more than three tools, one of them twice',
      by(['a', 'a', 'b', 'c', 'd'].map((name) => ({ name }))),
      { tool: 'a, b, c' },
    ],
    ['with a tool without a name', by([{ version: '1' }]), {}],
    [
      'with the worst rating of each vulnerability',
      {
        ...BOM,
        vulnerabilities: [
          rate('low', 'critical', 'none'),
          rate(...Array<string>(40).fill('low'), 'medium'),
          rate(),
          { id: 'b' },
        ],
      },
      {
        vulnerabilities: 4,
        severities: countSeverities({ critical: 1, medium: 1, unknown: 2 }),
      },
    ],
    ['with an empty list of vulnerabilities', { ...BOM, vulnerabilities: [] }, CLEAN],
    ['with null in place of the vulnerabilities', { ...BOM, vulnerabilities: null }, {}],
    [
      'with the vendor of a tool whose name says nothing',
      by([{ vendor: 'npm', name: 'cli', version: '11' }, { name: 'cli' }]),
      { tool: 'npm cli 11, cli' },
    ],
    [
      'with members of another type',
      { ...BOM, components: 7, vulnerabilities: 'abc', metadata: [{ tools: [] }] },
      {},
    ],
    [
      'with a version in multiple lines',
      { ...BOM, specVersion: ' 1.5\n::error::x\r\n' },
      { specVersion: '1.5 ::error::x' },
    ],
    [
      'with tools in multiple lines',
      by([{ name: 'a\u2028b\u0085\t\rc', version: '1\n\n2' }, { name: '\nd' }]),
      { tool: 'a b c 1 2, d' },
    ],
    [
      'with null in place of its version',
      { ...BOM, specVersion: null },
      { specVersion: undefined },
    ],
    [
      'with null in place of the version of a tool',
      by([{ name: 'a', version: null }]),
      { tool: 'a' },
    ],
    ['with its format as the last member', { components: [{}], ...BOM }, { components: 1 }],
    [
      'with escapes in names and texts',
      String.raw`{"bomForma\u0074":"Cyclone\u0044X","specVersion":"1.5"}`,
      {},
    ],
  ])('is recognised %s', (...row) => expectRecognised({ ...KNOWN, syntax: 'json' }, row));

  test.each<OtherRow>([
    ['another format', { bomFormat: 'SPDX' }],
    ['a format in another case', { bomFormat: 'cyclonedx' }],
    ['a longer format', { bomFormat: 'CycloneDX-2' }],
    ['a name in another case', { bomformat: 'CycloneDX' }],
    ['the format in a nested object', { metadata: { bomFormat: 'CycloneDX' } }],
    ['the format in __proto__', '{"__proto__":{"bomFormat":"CycloneDX"}}'],
    ['names that look like paths', { 'metadata/tools/[]': 1, 'bomFormat/': 'CycloneDX' }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

function rateXml(...severities: readonly string[]): string {
  const ratings = severities.map((word) => `<rating><severity>${word}</severity></rating>`);
  return `<vulnerability><id>CVE-2026-1</id><ratings>${ratings.join('')}</ratings></vulnerability>`;
}

/** The elements of tools. */
const byXml = (tools: string): string => `<metadata><tools>${tools}</tools></metadata>`;

/** An XML document, with or without a prefix for its elements. */
function writeXml(content: string, prefix = '', version = '1.5'): string {
  const [attribute, colon] = prefix === '' ? ['xmlns', ''] : [`xmlns:${prefix}`, `${prefix}:`];
  const names = content.replace(/<(\/?)(?=\w)/g, `<$1${colon}`);
  const root = `${colon}bom`;
  return `<?xml version="1.0"?>\n<${root} ${attribute}="${CYCLONEDX_NAMESPACE}/${version}" version="1">${names}</${root}>`;
}

describe.each(['', 'c.1-x'])('CycloneDX in XML with the prefix "%s"', (prefix) => {
  test('is recognised in versions 1.0 to 1.6', () => {
    for (const specVersion of ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6']) {
      const document = writeXml('<components><component/></components>', prefix, specVersion);
      expect(inspect(document)).toMatchObject({ ...KNOWN, specVersion, components: 1 });
    }
  });

  test.each([
    [
      'nested components, which are not counted',
      '<components><component type="library"><name>a</name><components><component/></components></component><component/></components>',
      { components: 2 },
    ],
    [
      'a component in the metadata, which is not counted',
      '<metadata><component><components><component/></components></component></metadata>',
      {},
    ],
    [
      'tools as a list',
      byXml('<tool><vendor>v</vendor><name> syft\n</name><version>1.38.0</version></tool>'),
      { tool: 'syft 1.38.0' },
    ],
    [
      'tools as components',
      byXml('<components><component><name>trivy</name></component></components>'),
      { tool: 'trivy' },
    ],
    [
      'the worst rating of each vulnerability',
      `<vulnerabilities>${rateXml('low', 'High')}${rateXml()}</vulnerabilities>`,
      { vulnerabilities: 2, severities: countSeverities({ high: 1, unknown: 1 }) },
    ],
    ['an empty list of vulnerabilities', '<vulnerabilities/>', CLEAN],
    [
      'a text of several nodes',
      byXml('<tool><name>a<!-- b --><![CDATA[<]]>c&amp;<?d?></name></tool>'),
      { tool: 'a<c&amp;' },
    ],
    [
      'elements in another case, which are not counted',
      '<Components><Component/></Components>',
      {},
    ],
  ])('is recognised with %s', (_, content, facts) => {
    const expected = { ...KNOWN, syntax: 'xml', ...facts, inspected: 'full' };
    expect(inspect(writeXml(content, prefix))).toEqual(expected);
  });
});

const ROOT = `<c:bom xmlns:c="${CYCLONEDX_NAMESPACE}/1.5">`;

describe('CycloneDX in XML among other namespaces', () => {
  test.each([
    '<v:components xmlns:v="urn:v"><component/></v:components>',
    '<components xmlns:v="urn:v"><v:component/></components>',
    '<v:a xmlns:v="urn:v"><components><component/></components></v:a>',
  ])('counts no component with or inside of another prefix: %s', (content) => {
    expect(inspect(writeXml(content))).toMatchObject(KNOWN);
  });

  test.each<Row>([
    [
      'with a text beside an element of another namespace',
      writeXml(byXml('<tool><name>a<v:b xmlns:v="urn:v"/></name></tool>')),
      { tool: 'a' },
    ],
    [
      'with the prefix of the root, which others do not have',
      `${ROOT}<components><component/></components><c:components><c:component/></c:components></c:bom>`,
      { components: 1 },
    ],
    [
      'with elements of other namespaces before its own',
      writeXml(
        '<x:a xmlns:x="urn:x"><x:b><x:c/></x:b></x:a><components><x:d xmlns:x="urn:x"/><component/></components>',
      ),
      { components: 1 },
    ],
  ])('is recognised %s', (...row) => expectRecognised({ ...KNOWN, syntax: 'xml' }, row));

  test.each<OtherRow>([
    ['no namespace', '<bom></bom>'],
    ['another root', `<other xmlns="${CYCLONEDX_NAMESPACE}/1.4"></other>`],
    ['a root in another case', `<BOM xmlns="${CYCLONEDX_NAMESPACE}/1.4"></BOM>`],
    [
      'the namespace of a prefix that the root does not have',
      `<bom xmlns:x="${CYCLONEDX_NAMESPACE}/1.4"></bom>`,
    ],
    ['a root with another prefix', `<x:bom xmlns="${CYCLONEDX_NAMESPACE}/1.4"></x:bom>`],
    ['another attribute', `<bom version="xmlns=${CYCLONEDX_NAMESPACE}/1.4"></bom>`],
    ['no version', `<bom xmlns="${CYCLONEDX_NAMESPACE}/"></bom>`],
    [
      'an element in place of the attribute',
      `<bom><xmlns>${CYCLONEDX_NAMESPACE}/1.4</xmlns></bom>`,
    ],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});
