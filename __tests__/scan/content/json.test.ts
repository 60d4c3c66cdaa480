import { describe, expect, test } from '@jest/globals';
import type { Content, Sample } from '../../../src/scan/content/content.ts';
import { inspectJson } from '../../../src/scan/content/json.ts';
import { sampleEnds, sampleWhole } from '../fixtures.ts';

const PLAIN: Content = { format: 'json', syntax: 'json' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';

/** What is wrong with a text that was read whole. */
function findFault(text: string, details: Partial<Sample> = {}): string | undefined {
  return inspectJson({ ...sampleWhole(text), ...details })?.fault;
}

describe('inspectJson, of a whole file', () => {
  test.each([
    '',
    ' ',
    'a',
    'nothing found',
    '42 findings',
    '"text',
    '<a/>',
    '\u001f{}',
    '%PDF-1.7',
    '}',
    '\ufeff\ufeffx',
  ])('says nothing of %j', (text) => {
    expect(inspectJson(sampleWhole(text))).toBeUndefined();
  });

  test.each(['"text"', ' -42.5\n', 'null', 'true'])('takes the lone value %j for JSON', (text) => {
    expect(inspectJson(sampleWhole(text))).toEqual({ format: 'json', syntax: 'json' });
  });

  test.each(['{}', '[]', ' \r\n\t{"a":[1,{"b":null}]}\n', '[{"bomFormat":"CycloneDX"}]', '[[[]]]'])(
    'takes %j for JSON',
    (text) => {
      expect(inspectJson(sampleWhole(text))).toEqual(PLAIN);
    },
  );

  test.each<[string, Partial<Content>]>([
    [`${BOM}}`, { specVersion: '1.5' }],
    [`${BOM},"components":[],"vulnerabilities":[]}`, { specVersion: '1.5' }],
    [`${BOM},"components":[{},{"components":[{}]}]}`, { specVersion: '1.5', components: 2 }],
    [`${BOM},"vulnerabilities":[{},{},{}]}`, { specVersion: '1.5', vulnerabilities: 3 }],
    [`{"components":[{}],"bomFormat":"CycloneDX"}`, { components: 1 }],
    [`{"bomFormat":"CycloneDX","specVersion":1.5}`, {}],
    [`{"bomFormat":"CycloneDX","components":{"length":7},"vulnerabilities":"abc"}`, {}],
    [String.raw`{"bomForma\u0074":"Cyclone\u0044X"}`, {}],
  ])('knows CycloneDX: %s', (text, details) => {
    expect(inspectJson(sampleWhole(text))).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      components: 0,
      vulnerabilities: 0,
      ...details,
    });
  });

  test.each([
    '{"bomFormat":"SPDX"}',
    '{"bomFormat":"cyclonedx"}',
    '{"bomformat":"CycloneDX"}',
    '{"bomFormat":["CycloneDX"]}',
    '{"metadata":{"bomFormat":"CycloneDX"}}',
    '{"__proto__":{"bomFormat":"CycloneDX"}}',
    '{"specVersion":"1.5","components":[{}]}',
  ])('takes %s for no CycloneDX', (text) => {
    expect(inspectJson(sampleWhole(text))).toEqual(PLAIN);
  });

  test('tells at every place where JSON was cut, and how much there is', () => {
    const text =
      '{"a": [1, -2.5e+3, true, false, null], "b\\"\\u00e9": {"c": "d\\\\"}, "e": [[], {}] }';
    for (let end = 1; end < text.length; end += 1) {
      const cut = text.slice(0, end);
      expect([cut, findFault(cut)]).toEqual([
        cut,
        `is cut off: its JSON ends too early, at byte ${end}`,
      ]);
    }
    expect(findFault(text)).toBeUndefined();
  });

  test.each([
    ['{"a":1', 6],
    ['{"a":1  \n', 9],
    ['["é', 4],
    ['["😀', 6],
    ['[', 1],
    ['[1,-\n', 5],
    ['\n\n[1,', 5],
  ])('counts in bytes where %j ends', (text, end) => {
    expect(findFault(text)).toBe(`is cut off: its JSON ends too early, at byte ${end}`);
    expect(findFault(text, { bomBytes: 3 })).toBe(
      `is cut off: its JSON ends too early, at byte ${end + 3}`,
    );
  });

  test.each([
    ['{"a" 1}', 5],
    ['{"é" 1}', 6],
    ['{"😀" 1}', 8],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['{"a":"\t"}', 6],
    [String.raw`{"a":"\x"}`, 7],
    ['{} {}', 3],
    ['{"a":1}\n{"b":2}\n', 8],
    ['{}]', 2],
    ['{} // end', 3],
    ['[01]', 2],
  ])('counts in bytes where %j is wrong', (text, offset) => {
    expect(findFault(text)).toBe(`is not well-formed JSON (at byte ${offset})`);
    expect(findFault(text, { bomBytes: 3 })).toBe(
      `is not well-formed JSON (at byte ${offset + 3})`,
    );
  });

  test.each([
    '{"a":NaN}',
    '{"a":undefined}',
    '{"a":nul}',
    '[,]',
    '[1,]',
    '["at position 7",x]',
    '["at position 99",x]',
    '[end of JSON input]',
    '[" at position 7",x]',
  ])('makes up no place where %s is wrong', (text) => {
    expect(findFault(text)).toBe('is not well-formed JSON');
  });

  test.each(['{}', '{"a":"\ufffd"}', '{"a"'])('says that %j is not valid UTF-8', (text) => {
    expect(inspectJson({ ...sampleWhole(text), validUtf8: false })).toEqual({
      ...PLAIN,
      fault: 'is not valid UTF-8',
    });
  });
});

describe('inspectJson, of the ends of a large file', () => {
  test.each<[string, string, Content]>([
    ['{"results":[', ']}', PLAIN],
    ['[{"a":1},', '{"b":2}]\n', PLAIN],
    [`${BOM},"components":[`, ']}', { format: 'cyclonedx', syntax: 'json', specVersion: '1.5' }],
    [' {"$schema":"x","bomFormat" : "CycloneDX",', '}', { format: 'cyclonedx', syntax: 'json' }],
    [
      '{"metadata":{"a":[{"b":"}"}]},"specVersion":"1.6","bomFormat":"CycloneDX","components":[{"x',
      '}]} \n',
      { format: 'cyclonedx', syntax: 'json', specVersion: '1.6' },
    ],
  ])('tells what %s is', (head, tail, content) => {
    expect(inspectJson(sampleEnds(head, tail))).toEqual(content);
  });

  test.each([
    '{"metadata":{"bomFormat":"CycloneDX"},',
    '[{"bomFormat":"CycloneDX"},',
    '[["bomFormat","CycloneDX"],',
    '["bomFormat","CycloneDX",',
    '{"a":"bomFormat","b":"CycloneDX",',
    '{"bomFormat":{"b":"CycloneDX"},',
    '{"bomFormat":"Other","a":"CycloneDX",',
    String.raw`{"a":"{\"bomFormat\":\"CycloneDX\",",`,
    String.raw`{"a":"\",\"bomFormat\":\"CycloneDX\",\"`,
    '{"a":"{",',
  ])('takes %s for no CycloneDX', (head) => {
    const close = head.startsWith('{') ? '}' : ']';
    expect(inspectJson(sampleEnds(head, close))).toEqual(PLAIN);
  });

  test.each([
    '{"name":"z"}],"$schema":"x","bomFormat":"CycloneDX","specVersion":"1.5"}\n',
    '1],"metadata":{"a":[1],"b":2},"bomFormat":"CycloneDX","specVersion":"1.5"}',
    '1],"bomFormat" : "CycloneDX", "specVersion" : "1.5" } ',
  ])('knows CycloneDX that says so last, as some libraries write it: … %s', (tail) => {
    expect(inspectJson(sampleEnds('{"components":[{"name":"a"},', tail))).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      specVersion: '1.5',
    });
  });

  test.each(['42', '"text"', 'null', 'true'])(
    'says nothing of much that begins with %s',
    (text) => {
      expect(inspectJson(sampleEnds(text, text))).toBeUndefined();
    },
  );

  test.each([
    '{"b":[],"bomFormat":"CycloneDX"}}',
    '{"bomFormat":"CycloneDX"}]}',
    '1],"a":"bomFormat","b":"CycloneDX"}',
    '"bomFormat":"CycloneDX"}',
  ])('does not take what is nested for what the whole says: … %s', (tail) => {
    expect(inspectJson(sampleEnds('{"a":[', tail))).toEqual(PLAIN);
  });

  test('believes the start rather than the end', () => {
    const tail = '1],"bomFormat":"Other","specVersion":"2.0"}';
    expect(inspectJson(sampleEnds(`${BOM},"components":[`, tail))).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      specVersion: '1.5',
    });
  });

  test.each([
    ['{"a":[', '1,2', '}'],
    ['{"a":[', '1]', '}'],
    ['[{"a":', '1}', ']'],
    ['[', '', ']'],
    ['{', '  \n', '}'],
  ])('says that %j … %j is cut', (head, tail, closing) => {
    expect(inspectJson(sampleEnds(head, tail))).toEqual({
      ...PLAIN,
      fault: `is cut off: the closing ${closing} of its JSON is missing`,
    });
  });

  test('tells a cut CycloneDX document', () => {
    expect(inspectJson(sampleEnds(`${BOM},"components":[`, '{"name":"a'))).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      specVersion: '1.5',
      fault: 'is cut off: the closing } of its JSON is missing',
    });
  });
});

describe('inspectJson, of what was made to take long', () => {
  const SIZE = 4 * 1024 * 1024;
  const END = 64 * 1024;

  test.each([
    ['arrays in arrays', '['.repeat(SIZE)],
    ['objects in objects', '{"a":'.repeat(SIZE / 5)],
    ['white space', `{${' '.repeat(SIZE)}`],
    ['a string without an end', `{"${'a'.repeat(SIZE)}`],
    ['escapes', `{"a":"${'\\"'.repeat(SIZE / 2)}`],
  ])('is done with %s', (_, text) => {
    expect(findFault(text)).toMatch(/^is cut off: its JSON ends too early, at byte \d+$/);
  });

  test('is done with deep, but whole nesting', () => {
    const depth = SIZE / 2;
    expect(inspectJson(sampleWhole('['.repeat(depth) + ']'.repeat(depth)))).toEqual(PLAIN);
  });

  test.each([
    ['white space', `{${' '.repeat(END)}`],
    ['quotes', `{${'"'.repeat(END)}`],
    ['escaped quotes', `{"${String.raw`\"`.repeat(END / 2)}`],
    ['backslashes', `{"${'\\'.repeat(END)}`],
    ['line breaks behind backslashes', `{${'"\\\n'.repeat(END / 3)}`],
    ['colons', `{${':'.repeat(END)}`],
    ['braces', '{'.repeat(END)],
    ['closing braces', `{${'}'.repeat(END)}`],
  ])('is done with a large file of %s', (_, head) => {
    expect(inspectJson(sampleEnds(head, '}'))).toEqual(PLAIN);
  });
});
