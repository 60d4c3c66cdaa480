import { describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { findKind, looksLikeSbom } from '../../src/formats/bytes.ts';
import type { Kind } from '../../src/formats/content.ts';
import { inspect, inspectEnds, latin1, mark } from '../support/documents.ts';

describe('the first byte that is not UTF-8', () => {
  test.each([
    ['"\xff"', 1],
    ['["\xc3\xa9\xc3"]', 4],
    ['["a\xed\xa0\x80"]', 3],
    ['["a\xf0\x9f\x98"]', 3],
    ['{"a":1}\n{"b":"\xe9"}\n', 14],
  ])('of %j is at %i', (text, place) => {
    expect(inspect(latin1(text)).invalidByte).toBe(place);
    expect(inspect(latin1(`\xef\xbb\xbf${text}`)).invalidByte).toBe(place + 3);
  });

  test.each(['"é"', '"\ufffd"', '"😀"', 'caf\xe9'])('is not in %j', (text) => {
    expect(inspect(mark(text)).invalidByte).toBeUndefined();
  });

  test('changes nothing else, and is not looked for in a large file', () => {
    const bom = latin1('{"bomFormat":"CycloneDX","components":[{"name":"\xe9"}]}');
    expect(inspect(bom)).toMatchObject({ format: 'cyclonedx', components: 1, inspected: 'full' });
    expect(inspect(bom).problem).toBeUndefined();
    expect(inspectEnds(latin1('["caf\xe9","'), '"]')).not.toHaveProperty('invalidByte');
  });
});

test.each<[Kind, string | Buffer]>([
  ['gzip', gzipSync('{}')],
  ['zip', latin1('PK\x03\x04\0\0{}')],
  ['lfs', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n'],
  ['binary', latin1('BZh91AY\xff')],
  ['binary', latin1('caf\xe9 au lait')],
  ['binary', `${'a'.repeat(1023)}\0`],
  ['text', `${'a'.repeat(1024)}\0`],
  ['html', `${' '.repeat(5000)}<html>`],
  ['text', '<!-- a -->b<html>'],
  ['text', '日本語 😀'],
  ['colored', '\u001b[1;39m{\n  \u001b[0m"a": 1}'],
  ['mixed', '\nnpm warn old\nnpm warn x\n{\n  "a": 1}'],
  ['mixed', 'Found:\n[\n  {"a": 1}]'],
  ['text', '[INFO] x\n[WARN] y\n'],
  ['text', 'a\n[1] b'],
])('findKind recognises %s (row %#)', (kind, content) => {
  const bytes = Buffer.from(content);
  expect(findKind(bytes, bytes.toString())).toBe(kind);
});

test.each([
  ['{"packages":["pkg:npm/a@1"]}', true],
  ['<SoftwareIdentity name="a"/>', true],
  ['<rdf:RDF xmlns:s="http://spdx.org/rdf/terms#"/>', true],
  ['{"namespace":"https://spdx.org/spdxdocs/a"}', true],
  ['# http://cyclonedx.org/schema/bom/1.4', true],
  ['npkg:npm/a', false],
  ['{"name":"a"}', false],
  ['{"purl":"pkg:npm/a","severity":null}', false],
  ['pkg:npm/a CVE-2026-1', false],
  ['pkg:npm/a CWE-79', false],
  ['pkg:npm/a GHSA-x', false],
  ['pkg:npm/a "cvssV3"', false],
  ['pkg:npm/a Vulnerabilities: 0', false],
  ['pkg:npm/a findings', false],
  ['pkg:npm/a violations', false],
  ['{"purl":"pkg:npm/a","matches":[]}', false],
])('looksLikeSbom(%j) is %j', (text, isSbom) => {
  expect(looksLikeSbom(text)).toBe(isSbom);
});
