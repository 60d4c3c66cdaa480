import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../src/formats/content.ts';
import type { Content } from '../../src/formats/content.ts';
import { LARGE_SIZE, inspect, inspectAlone, inspectEnds } from '../support/documents.ts';

const PLAIN: Content = { format: 'json', syntax: 'json', inspected: 'full' };
const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
/** A stream is recognised by its first documents. */
const STREAM: Content = { ...PARTIAL, syntax: 'ndjson' };
const TEXT: Content = { format: 'unknown', kind: 'text', inspected: 'full' };
const CYCLONEDX: Content = { ...PARTIAL, format: 'cyclonedx', specVersion: '1.5' };
const SARIF: Content = { ...PARTIAL, format: 'sarif', specVersion: '2.1.0' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';
const YARN = '{"type":"auditSummary","data":{"vulnerabilities":{}}}\n';
/** As dense as a text of its length can be. */
const DENSE = '[],'.repeat(1_000_000);

const TRIVY: Content = { ...PARTIAL, format: 'trivy', specVersion: '2' };
const SPDX: Content = { ...PARTIAL, format: 'spdx' };

function truncated(size: number): Pick<Content, 'kind' | 'problem'> {
  return { kind: 'truncated', problem: `is truncated: its JSON ends too early, at byte ${size}` };
}
function malformed(what: string): Pick<Content, 'kind' | 'problem'> {
  return { kind: 'malformed', problem: `is not well-formed JSON (${what})` };
}
function trailing(place: string): Pick<Content, 'kind' | 'problem'> {
  return { kind: 'trailing', problem: `has other text after its JSON (${place})` };
}
function colored(place: string): Pick<Content, 'kind' | 'problem'> {
  const problem = `has terminal colours (escape sequences) in its JSON (${place})`;
  return { kind: 'colored-inside', problem };
}
const TRUNCATED = truncated(LARGE_SIZE);

describe('inspectJson of a whole file', () => {
  test.each(['42 findings', '"text', '[1] a'])('takes no text for JSON: %j', (text) => {
    expect(inspect(text).syntax ?? inspectEnds(text, 'end').syntax).toBeUndefined();
  });

  test.each<[string, Partial<Content>]>([
    ['"text"', { kind: 'scalar' }],
    [' -42.5\n', { kind: 'scalar' }],
    ['true', { kind: 'scalar' }],
    ['null', { kind: 'null' }],
    ['{}', { kind: 'bare' }],
    [' [ ]\n', { kind: 'bare' }],
    ['[1, 2]', {}],
    ['{"a":1}\n{"b":2}\n', STREAM],
    [`${BOM},"components":[{}]}\n${YARN}`, { ...CYCLONEDX, syntax: 'ndjson' }],
    [`${'{}\n'.repeat(9)}${YARN}`, { ...STREAM, format: 'yarn-audit' }],
    [`${'{}\n'.repeat(10)}${YARN}`, STREAM],
    // The contents of a malformed document are not counted.
    [`${BOM},"components":[{}]} 1`, { ...CYCLONEDX, ...trailing('line 1, column 65') }],
    [`${BOM},"components":[{},`, { ...CYCLONEDX, ...truncated(62) }],
    ['{"a":1,}', { ...PARTIAL, ...malformed('line 1, column 8: a comma before }') }],
    ['{}\n{},\nx', { ...STREAM, ...trailing('line 2, column 3') }],
    // What is left of another document.
    ['{"a":1}\nrity": "low"}\n', { ...PARTIAL, ...trailing('line 2, column 1'), kind: 'appended' }],
    [
      '{"version":"2.1.0","runs":[{}]}, {}]}\n',
      { ...SARIF, ...trailing('line 1, column 32'), kind: 'appended-sarif' },
    ],
    ['{}\n{},\n]', { ...STREAM, ...trailing('line 2, column 3'), kind: 'appended' }],
    [
      '{"version":"2.1.0","runs":[{}]}\n{"ruleId":"A"},\n{"ruleId":"B"}]}]}\n',
      { ...SARIF, ...trailing('line 2, column 15'), syntax: 'ndjson', kind: 'appended-sarif' },
    ],
    // Other text in a stream, whatever is at its end.
    ['{}\nnpm warn [1]\n{"a":1}\n', { ...PARTIAL, ...trailing('line 2, column 1') }],
    ['{}\nnpm notice [11.0]\n', { ...PARTIAL, ...trailing('line 2, column 1') }],
    ['{}\n{}\nDone [2/2]', { ...STREAM, ...trailing('line 3, column 1') }],
    ['{}\0\0', { ...PARTIAL, kind: 'malformed', problem: 'has a NUL byte (line 1, column 3)' }],
    ['{"a":"\0', { ...PARTIAL, kind: 'malformed', problem: 'has a NUL byte (line 1, column 7)' }],
    // Attestations, and terminal colours.
    ['{"payloadType":"a","payload":"e30=","signatures":[]}', { kind: 'dsse' }],
    ['{"dsseEnvelope":{"payload":"e30="}}', { kind: 'bundle' }],
    ['{"dsseEnvelope":{"payload":"e30="}}\n{}\n', { ...STREAM, kind: 'bundle' }],
    ['{"payload":"e30=","signatures":[]}', {}],
    ['{"\u001b[31ma":1}', { ...PARTIAL, ...colored('line 1, column 3') }],
    ['{"a":1}\u001b[0m\n', { ...PARTIAL, ...colored('line 1, column 8') }],
  ])('recognises %j', (text, content) => {
    expect(inspect(text)).toEqual(conclude({ ...PLAIN, ...content }));
  });

  test.each([
    ['[{} , ]', '1, column 7: a comma before ]'],
    ['[{},NaN]', "1, column 5: 'NaN'"],
    ['{"a":None}', "1, column 6: 'None'"],
    ['["\\X"]', "1, column 3: '\\X'"],
    ['{"a":\n[1}', "2, column 3: '}'"],
    ['["\t"]', '1, column 3'],
    ['{"a":\u200b1}', '1, column 6'],
    ['{"a":Secret}', '1, column 6'],
  ])('says what is wrong without foreign words: %j', (text, what) => {
    expect(inspect(text)).toMatchObject(malformed(`line ${what}`));
  });

  test.each<[string, string, Partial<Content>]>([
    ['as many brackets as are parsed', `{"a":[${DENSE.slice(6)}0,0]}`, PLAIN],
    ['one bracket more', `{"a":[${DENSE.slice(6)}0,0,0]}`, PARTIAL],
    ['brackets in a text', JSON.stringify({ a: `"${DENSE}` }), PLAIN],
    ['only brackets', '['.repeat(2_000_000), truncated(2_000_000)],
    ['a report with too many', `${BOM},"a":[${DENSE}0]}`, CYCLONEDX],
    ['a stream with too many', '{}\n'.repeat(2_000_000), STREAM],
    ['a truncated report with too many', `${BOM},"a":[${DENSE}0`, truncated(3_000_051)],
    ['another text with too many', `a${DENSE}`, TEXT],
  ])('reads %s', (_, text, content) => {
    expect(inspect(text)).toMatchObject(content);
  });
});

test.each<[string, string, Content]>([
  ['[{"a":1},', '{"b":2}]\n', PARTIAL],
  ['[1,1,', '1]', { ...TEXT, inspected: 'partial' }],
  ['\ufeff{"results":["', '"]}', PARTIAL],
  [` ${BOM},"components":[{"name":"caf`, '\\"}]} \n', CYCLONEDX],
  [`${BOM},"components":[`, '],"bomFormat":"Other","specVersion":"2.0"}', CYCLONEDX],
  ['{"specFormat": "CycloneDX", "specVersion": "1.5", "components":[', ']}', CYCLONEDX],
  ['{"runs" : [{', '}],"version":"2.1.0","$schema":"https://x/sarif-2.1.0.json"}', SARIF],
  ['{"SchemaVersion":2,"ArtifactName":"a"', '}', TRIVY],
  ['{"spdxVersion":"SPDX-2.3","packages":[', ']}', { ...SPDX, specVersion: 'SPDX-2.3' }],
  ['{"@context":"https://spdx.org/rdf/3.0.1/terms","@graph":[', ']}', SPDX],
  ['{"auditReportVersion":2,"vulnerabilities":[', ']}', PARTIAL],
  [String.raw`{"a":"{\"bomFormat\":\"CycloneDX\",`, '"}', PARTIAL],
  ['{"a":[', '1]', { ...PARTIAL, ...TRUNCATED }],
  [`${BOM},"components":[`, '{"name":"a', { ...CYCLONEDX, ...TRUNCATED }],
  ['{"a":1}\n[2]\n{"a"', '{"z":1}', STREAM],
  ['{"a":1}\n[2]\n{"a"', '3]', STREAM],
  ['{"a":1}\n[2]\n{"a"', '"z', { ...STREAM, ...TRUNCATED }],
  ['{"a":1}\n', ' \n', { ...STREAM, ...TRUNCATED }],
])(
  'inspectJson recognises a large file that begins with %j and ends with %j',
  (start, end, content) => {
    expect(inspectEnds(start, end)).toEqual(conclude(content));
  },
);

test('inspectJson reads hostile texts in linear time', () => {
  const texts = [
    `'['.repeat(n) + ']'.repeat(n)`,
    `'['.repeat(n)`,
    `'['.repeat(n) + '}'`,
    `'[' + '[],'.repeat(n) + ']'`,
    `'[' + ' '.repeat(n) + 'x'`,
    `'["' + '\\\\'.repeat(n)`,
    `'{}{}' + ' '.repeat(n) + 'x'`,
    `'{"a"'.repeat(n)`,
    `'[],'.repeat(n)`,
  ];
  expect(inspectAlone(texts, 300_000)).toBe(texts.length);
});
