import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../src/formats/content.ts';
import type { Content } from '../../src/formats/content.ts';
import { inspect, inspectAlone, inspectEnds, LARGE_SIZE } from '../support/documents.ts';

const PLAIN: Content = { format: 'xml', syntax: 'xml', inspected: 'partial' };
const CYCLONEDX: Content = { ...PLAIN, format: 'cyclonedx', specVersion: '1.4' };
const TEXT: Content = { format: 'unknown', inspected: 'full', kind: 'text' };
const PAGE: Content = { ...TEXT, kind: 'html' };
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const ROOT = '<bom xmlns="http://cyclonedx.org/schema/bom/1.4">';
const CHECKED = 'https://dependency-check.github.io/DependencyCheck/dependency-check.4.1.xsd';

function truncated(size: number): Content {
  const problem = `is truncated: its XML ends too early, at byte ${size}`;
  return { ...PLAIN, kind: 'truncated', problem };
}

const TRAILING: Content = {
  ...PLAIN,
  kind: 'trailing',
  problem: 'has other text after its XML',
};

describe('inspectXml', () => {
  test.each<[string, Content]>([
    ['a <b></b>', TEXT],
    ['<!-- a -->b<html>', TEXT],
    ['<!-- made by a scanner -->\n# Findings\n\nNone.\n', TEXT],
    ['<stdin>:3: unused variable', TEXT],
    ['<HTML lang="en"><body>Sign in</body></HTML>', PAGE],
    [`${DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"></html>`, PAGE],
    ['<!-- page -->\n<!DOCTYPE html><html><br></html>', PAGE],
    [` \n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">\n<p>`, PAGE],
    ['\n<a b="c" ></a>', PLAIN],
    ['<!DOCTYPE html-report><html-report></html-report>', PLAIN],
    ['<!DOCTYPE a [\n<!ELEMENT a (b*)>\n]>\n<a></a>', PLAIN],
    ['<a/>', PLAIN],
    ['<a></a \n>', PLAIN],
    ['<x:\u00e9-1.b></x:\u00e9-1.b><!-- end --> <?end?>\n', PLAIN],
    ['<analysis xmlns="https://a.example/dependency-check.4.1.xsd"></analysis>', PLAIN],
    ['<Report><OWASPZAPReport/></Report>', PLAIN],
    [`\ufeff \r\n${DECLARATION}\n<!-- > -->\n<!DOCTYPE bom>\n${ROOT}</bom>`, CYCLONEDX],
    [`${DECLARATION}<?stamp a?><!-- b --><?stamp c?>\n${ROOT}</bom>`, CYCLONEDX],
    ['<?mso-application progid="A"?><a/>', PLAIN],
    ['<?stamp a?>b', TEXT],
    ["<c:bom a='' \n xmlns:c = 'http://cyclonedx.org/schema/bom/1.4'></c:bom>", CYCLONEDX],
    [`${ROOT}<components><component/></components></bom>`, { ...CYCLONEDX, role: 'SBOM' }],
    [
      `<c:bom xmlns:c="http://cyclonedx.org/schema/bom/1.4"><c:component a="b"></c:bom>`,
      { ...CYCLONEDX, role: 'SBOM' },
    ],
    [`${ROOT}<component/><vulnerabilities/></bom>`, CYCLONEDX],
    [
      `<analysis xmlns="${CHECKED}"></analysis>`,
      { ...PLAIN, format: 'dependency-check', specVersion: '4.1' },
    ],
    ['<OWASPZAPReport version="2.16"></OWASPZAPReport>', { ...PLAIN, format: 'zap' }],
    ['<a><b></b></a><!-- c', PLAIN],
    [`${DECLARATION}<a></a>Failed: 1 error\n`, TRAILING],
    ['<a><b></b></a>at <anonymous>', TRAILING],
    ['<a>b</a> is bold', TEXT],
    ['<testsu', truncated(7)],
    ['<a b="c', truncated(7)],
    ['<a><b></b>', truncated(10)],
    ['<?xml vers', truncated(10)],
    ['<!-- a', truncated(6)],
    [`${DECLARATION}<a>b`, truncated(42)],
  ])('recognises %j, and counts nothing', (text, content) => {
    expect(inspect(text)).toEqual(conclude(content));
  });

  test('reads hostile texts in linear time', () => {
    const texts = [
      `'<!---->'.repeat(n)`,
      `'<a ' + ' a= b'.repeat(n) + '></a>'`,
      `'<!DOCTYPE a [' + ' ] '.repeat(n)`,
      `'<a>' + '</a '.repeat(n)`,
      `'<a' + '\u00a0'.repeat(60_000) + '<'`,
      `'<a>' + '</a' + ' '.repeat(n)`,
    ];
    expect(inspectAlone(texts, 1_000_000)).toBe(texts.length);
  });
});

test.each<[string, string, Content]>([
  [`${DECLARATION}${ROOT}<components><compo`, 'nt/></components></bom>\n', CYCLONEDX],
  ['<a ', 'b="c"></a>', PLAIN],
  ['<a>', `</a>\n<!-- ${'end '.repeat(99)}--> <?end?>`, PLAIN],
  ['<a>', ' \n', truncated(LARGE_SIZE)],
  ['<a>', '</a', truncated(LARGE_SIZE)],
  ['<a>', '</a>text', TRAILING],
  ['<html><br></p>', '</html>', { format: 'unknown', kind: 'html', inspected: 'partial' }],
])(
  'inspectXml recognises a large file that begins with %j and ends with %j',
  (head, tail, content) => {
    expect(inspectEnds(head, tail)).toEqual(conclude(content));
  },
);
