import { expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Content } from '../../src/formats/content.ts';
import { inspect, inspectAlone, inspectEnds, latin1 } from '../support/documents.ts';

const LONG = '1'.repeat(60_000);
const BLANK: Content = {
  format: 'empty',
  inspected: 'full',
  kind: 'empty',
  problem: 'contains only white space',
};

test.each<[string, Content]>([
  ['', { ...BLANK, problem: 'is empty (0 bytes)' }],
  [' \r\n\t ', BLANK],
  ['\ufeff', BLANK],
  ['\ufeff {"a":1}', { format: 'json', syntax: 'json', inspected: 'full' }],
])('recognises %j', (text, content) => {
  expect(inspect(text)).toEqual(content);
});

test.each([
  ['"\xff"', 1],
  ['["\xc3\xa9\xc3"]', 4],
  ['["a\xed\xa0\x80"]', 3],
  ['{"a":1}\n{"b":"\xe9"}\n', 14],
  // As U+FFFD begins, which stands for what is not UTF-8 and may be in a file.
  ['{} \xef', 3],
  ['{}\xef\xbf', 2],
  ['["\xef\xbf\xbd\xef\xbf"]', 5],
  ['"\xc3\xa9\xef\xbf\xbd"', undefined],
  ['caf\xe9', undefined],
  // XML may have another encoding.
  ['<a>\xe9</a>', undefined],
])('the first byte of %j that is not UTF-8 is at %j', (text, place) => {
  expect(inspect(latin1(text)).invalidByte).toBe(place);
  expect(inspect(latin1(`\xef\xbb\xbf${text}`)).invalidByte).toBe(place && place + 3);
  expect(inspectEnds(latin1(text), '"]').invalidByte).toBeUndefined();
});

test.each<[Content['kind'], string, string | Buffer]>([
  ['gzip', 'an archive', gzipSync('{}')],
  ['zip', 'an archive of files', latin1('PK\x03\x04\0\0{}')],
  ['lfs', 'a pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n'],
  ['binary', 'an archive after its first bytes', latin1('BZh91AY\xff')],
  ['nul', 'a NUL in the first 1 KiB', `${'a'.repeat(1023)}\0`],
  ['text', 'a NUL after 1 KiB', `${'a'.repeat(1024)}\0`],
  ['html', 'a page after spaces', `${' '.repeat(5000)}<html>`],
  ['colored', 'colors', '\u001b[1;39m{\n  \u001b[0m"a": 1}'],
  ['mixed', 'lines before an object', '\nnpm warn old\nnpm warn x\n{\n  "a": 1}'],
  ['mixed', 'a line before a list', 'Found:\n[\n  {"a": 1}]'],
  ['text', 'JSON after comments, which is YAML', '# A licence\n\n[\n  {"a": 1}]\n'],
  [
    'text',
    'a coloured log',
    '\u001b[91m[2026-01-01] [ERROR] a - \u001b[39mfetch failed\n    at a.js:1\n',
  ],
  ['text', 'lists of numbers', '[1]\n[2]\n'],
  ['mixed', 'JSON after a coloured log', '\u001b[33mwarn\u001b[0m old\n{\n  "a": 1}'],
  ['script', 'JSON after a name', 'scoutsuite_results =\n{"a": 1}\n'],
  ['script', 'a list after a name', 'window.report =\n[{"a": 1}]'],
  ['mixed', 'JSON after a line', '=====\n{"a": 1}'],
  ['mixed', 'JSON after two lines', 'npm warn\nresults =\n{"a": 1}'],
  ['around', 'a block of Markdown', '# Found\n\n```\n{ "a": 1 }\n```\n'],
  ['text', 'lines in brackets', '[INFO] x\n[WARN] y\n'],
  ['utf-16', 'JSON', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['utf-16', 'XML, the other byte order', Buffer.from('\ufeff<a/>', 'utf16le').swap16()],
  ['text', 'no SPDX in a line', 'see SPDXVersion: SPDX-2.3'],
  ['text', 'no package in a word', 'npkg:npm/a'],
  ['text', 'no SPDX in a value', 'license: "SPDXVersion: x"'],
])('recognises %s: %s', (kind, _, content) => {
  expect(inspect(content)).toEqual({ format: 'unknown', inspected: 'full', kind });
});

test.each([
  '{"packages":["pkg:npm/a@1"]}',
  '<SoftwareIdentity name="a"/>',
  '<rdf:RDF xmlns:s="http://spdx.org/rdf/terms#"/>',
  '{"namespace":"https://spdx.org/spdxdocs/a"}',
  '# http://CycloneDX.org/schema/bom/1.4',
])('%j is an SBOM of no known format', (text) => {
  expect(inspect(text).role).toBe('SBOM');
});

test.each(
  '"severity": Vulnerabilities CVE-2026-1 CWE-79 GHSA-x "cvssV3" findings violations "matches"'.split(
    ' ',
  ),
)('a text with %s is no SBOM', (sign) => {
  expect(inspect(`pkg:npm/a ${sign}`).role).toBeUndefined();
});

test.each<[string, unknown, keyof Content]>([
  ['a tool', { spdxVersion: 'SPDX-2.3', creationInfo: { creators: [`Tool: ${LONG}`] } }, 'tool'],
  ['a name', { runs: [{ tool: { driver: { name: LONG } }, results: [] }] }, 'tool'],
  ['a version', { bomFormat: 'CycloneDX', specVersion: LONG }, 'specVersion'],
  [
    'a version in XML',
    `<bom xmlns="http://cyclonedx.org/schema/bom/${LONG}"></bom>`,
    'specVersion',
  ],
  ['an error', { error: LONG }, 'problem'],
])('cuts %s of a document to 512 characters', (_, document, member) => {
  expect(inspect(document)[member]).toMatch(/^\D{0,23}1{32,510}(?: …)?$/);
});

test('inspectBytes reads hostile texts in linear time', () => {
  const texts = [
    `'\\x1b]8;;https://a'.repeat(n)`,
    `'\\x1b[' + '1;'.repeat(n)`,
    `'\\x1b[1;'.repeat(n)`,
    `'a\\n'.repeat(n) + '{ ' + ' '.repeat(n)`,
    `'\\x1b[1m' + '{}'.repeat(n)`,
    `'{}x' + '\\n{ '.repeat(n) + '"}'`,
  ];
  expect(inspectAlone(texts, 300_000)).toBe(texts.length);
});
