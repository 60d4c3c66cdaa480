import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../../src/scan/content/content.ts';
import { inspectJson } from '../../../src/scan/content/json.ts';
import { PIECE_BYTES } from '../../../src/scan/inspect.ts';
import { SAMPLE_SIZE, inspectInPieces, sampleEnds, sampleWhole } from '../fixtures.ts';
import { countSeverities } from '../formats/documents.ts';

const PLAIN: Content = { format: 'json', syntax: 'json', inspected: 'whole' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';
const MARK = Buffer.from('\ufeff');

const VALUES: Content = { format: 'unknown', syntax: 'ndjson', inspected: 'whole' };

function describeValues(secondAt: number): string {
  return `several JSON values one after the other (NDJSON, the second at byte ${secondAt})`;
}

/** What is told of a file that was read whole. */
function inspect(content: string | Buffer): Promise<Content | undefined> {
  return inspectInPieces((pieceBytes) => sampleWhole(content, pieceBytes), inspectJson);
}

/** What is told of a file of which only both ends were read. */
function inspectEnds(head: string, tail: string): Promise<Content | undefined> {
  return inspectInPieces((pieceBytes) => sampleEnds(head, tail, pieceBytes), inspectJson);
}

/** What is wrong with a text that was read whole. */
async function findFault(content: string | Buffer): Promise<string | undefined> {
  return (await inspect(content))?.fault;
}

/** A text behind a byte order mark. */
function mark(text: string): Buffer {
  return Buffer.concat([MARK, Buffer.from(text)]);
}

describe('inspectJson, of a whole file', () => {
  test.each([
    '',
    ' ',
    'a',
    'nothing found',
    '42 findings',
    '42\n{}',
    '"text',
    'tru',
    '<a/>',
    '\u001f{}',
    '%PDF-1.7',
    '}',
    '\ufeff\ufeff{}',
  ])('says nothing of %j', async (text) => {
    expect(await inspect(text)).toBeUndefined();
  });

  test.each([
    '"text"',
    ' -42.5\n',
    'null',
    'true',
    '\ufeff7',
    '{}',
    '[]',
    '[[[]]]',
    ' \r\n\t{"a":[1,{"b":null}]}\n',
  ])('takes %j for JSON', async (text) => {
    expect(await inspect(text)).toEqual(PLAIN);
  });

  test('tells at every place where JSON was cut, and how much there is', async () => {
    const text =
      '{"a": [1, -2.5e+3, true, false, null], "b\\"\\u00e9": {"c": "d\\\\é😀"}, "e": [[], {}] }';
    const bytes = Buffer.from(text);
    for (let end = 1; end < bytes.length; end += 1) {
      for (const marked of [Buffer.alloc(0), MARK]) {
        const cut = Buffer.concat([marked, bytes.subarray(0, end)]);
        expect([end, await inspect(cut)]).toEqual([
          end,
          { ...PLAIN, fault: `is cut off: its JSON ends too early, at byte ${cut.length}` },
        ]);
      }
    }
    expect(await findFault(text)).toBeUndefined();
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
    [String.raw`["\u00g0"]`, 6],
    ['{}]', 2],
    ['{} // end', 3],
    ['{} 7', 3],
    ['[01]', 2],
    ['{"a":NaN}', 5],
    ['{"a":undefined}', 5],
    ['{"a":nul}', 8],
    ['[TRUE]', 1],
    ['[,]', 1],
    ['[1,]', 3],
    ['[1.]', 3],
    ['[.5]', 1],
    ['[+5]', 1],
    ['[1e]', 3],
    ['[-]', 2],
    ['["a":1]', 4],
    ['{"a"}', 4],
    ['{1:2}', 1],
    ['[}', 1],
    ['{"a":1]', 6],
    ['{}\u00a0', 2],
  ])('counts in bytes where %j is wrong', async (text, offset) => {
    expect(await findFault(text)).toBe(`is not well-formed JSON (at byte ${offset})`);
    expect(await findFault(mark(text))).toBe(`is not well-formed JSON (at byte ${offset + 3})`);
  });

  test.each([
    ['{"a":1}\n{"b":2}\n', 8],
    ['{} []', 3],
    ['[][]', 2],
    ['{"a":1}\r\n[2]\n{}', 9],
    [`${BOM}}\n${BOM}}\n`, 46],
  ])('knows several values in %j', async (text, offset) => {
    expect(await inspect(text)).toEqual({ ...VALUES, kind: describeValues(offset) });
    expect(await inspect(mark(text))).toEqual({ ...VALUES, kind: describeValues(offset + 3) });
  });

  test('says where several values are not UTF-8', async () => {
    const text = Buffer.from('{"a":1}\n{"b":"\xe9"}\n', 'latin1');
    expect(await inspect(text)).toEqual({
      ...VALUES,
      kind: describeValues(8),
      fault: 'is not valid UTF-8 (at byte 14)',
    });
  });

  test.each([
    ['[]{', 3],
    ['{"a":1}\n{"b":', 13],
    ['{"a":1}\n{"b":2}\n[', 17],
    [`${BOM}}\n{`, 47],
  ])('takes several values of which the last is not whole for cut: %j', async (text, offset) => {
    expect(await findFault(text)).toBe(`is cut off: its JSON ends too early, at byte ${offset}`);
    expect(await inspect(text)).toMatchObject({ syntax: 'json' });
  });

  test.each([
    ['{"a":1}\n{"b":?}\n', 13],
    ['{"a":1}\n{"b":2}\n# end', 16],
    ['{"a":1}\n{"b":2}\n3', 16],
  ])('tells where one of several values is wrong: %j', async (text, offset) => {
    expect(await findFault(text)).toBe(`is not well-formed JSON (at byte ${offset})`);
  });

  test('reads of several members of one name the last of a small document, each of a large one', async () => {
    const twice = '{"bomFormat":"x","bomFormat":"CycloneDX","specVersion":"1","specVersion":"1.5"}';
    const small = await inspectJson(sampleWhole(twice));
    expect(small).toMatchObject({ format: 'cyclonedx', specVersion: '1.5', inspected: 'whole' });
    const large = await inspectJson(sampleWhole(twice + ' '.repeat(PIECE_BYTES)));
    expect(large).toMatchObject({ format: 'cyclonedx', specVersion: '1', inspected: 'whole' });
  });

  test('tells what a broken document is, and counts nothing in it', async () => {
    expect(await inspect(`${BOM},"components":[{},{}],}`)).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      specVersion: '1.5',
      inspected: 'whole',
      fault: 'is not well-formed JSON (at byte 66)',
    });
  });

  test('says where a document is not UTF-8, and what else it is', async () => {
    const text = Buffer.from(`${BOM},"components":[{"name":"\xe9"}]}`, 'latin1');
    expect(await inspect(text)).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      specVersion: '1.5',
      components: 1,
      vulnerabilities: 0,
      severities: countSeverities({}),
      inspected: 'whole',
      fault: 'is not valid UTF-8 (at byte 68)',
    });
  });

  test('says it of bytes that are missing at the very end', async () => {
    const text = Buffer.from('{"a":"b"}\n\xe2\x82', 'latin1');
    expect(await findFault(text)).toMatch(/at byte 10\)$/);
  });

  test('says where a lone text is not UTF-8', async () => {
    expect(await findFault(Buffer.from('"caf\xe9"', 'latin1'))).toBe(
      'is not valid UTF-8 (at byte 4)',
    );
  });

  test('does not look for the encoding of what is no JSON', async () => {
    expect(await findFault(Buffer.from('{"\xe9" 1}', 'latin1'))).toBe(
      'is not well-formed JSON (at byte 5)',
    );
    expect(await findFault(Buffer.from('{"a":"\xc3', 'latin1'))).toMatch(
      /^is cut off: .* at byte 7$/,
    );
  });
});

describe('inspectJson, of the ends of a large file', () => {
  const ENDS: Content = { ...PLAIN, inspected: 'ends' };
  const CYCLONEDX: Content = {
    format: 'cyclonedx',
    syntax: 'json',
    specVersion: '1.5',
    inspected: 'ends',
  };
  const CUT = `is cut off: its JSON ends too early, at byte ${SAMPLE_SIZE}`;

  test.each<[string, string, Content]>([
    ['{"results":[', ']}', ENDS],
    ['[{"a":1},', '{"b":2}]\n', ENDS],
    ['\ufeff{"results":["', '"]}', ENDS],
    [`${BOM},"components":[{},{},`, '{}]}', CYCLONEDX],
    [` ${BOM},"components":[{"name":"caf`, '\\"}]} \n', CYCLONEDX],
    ['{"bomFormat":"CycloneDX","components":[', '],"specVersion":"1.5"}', CYCLONEDX],
    [
      '{"components":[',
      '],"$schema":"x","bomFormat" : "CycloneDX", "specVersion" : "1.5" } ',
      CYCLONEDX,
    ],
    ['{"components":[{"name":"', '{"}],"bomFormat":"CycloneDX","specVersion":"1.5"}\n', CYCLONEDX],
    [`${BOM},"components":[`, '],"bomFormat":"Other","specVersion":"2.0"}', CYCLONEDX],
    [
      '{"matches":[{"vulnerability":{"id":"a"},"artifact":{"name"',
      '],"descriptor":{"name":"grype","version":"1"}}',
      { format: 'grype', syntax: 'json', tool: 'grype 1', inspected: 'ends' },
    ],
    [
      '[{"vulnerabilities":[{"id":"SNYK-A-1"},',
      ']}]',
      { format: 'snyk', syntax: 'json', inspected: 'ends' },
    ],
  ])('tells what %s … %s is', async (head, tail, content) => {
    expect(await inspectEnds(head, tail)).toEqual(content);
  });

  test.each([
    ['{"metadata":{"bomFormat":"CycloneDX"},', '}'],
    ['[{"bomFormat":"CycloneDX"},', ']'],
    ['["bomFormat","CycloneDX",', ']'],
    ['{"bomFormat":{"b":"CycloneDX"},', '}'],
    ['{"bomFormat":"Other","a":"CycloneDX",', '}'],
    [String.raw`{"a":"{\"bomFormat\":\"CycloneDX\",",`, '}'],
    ['{"a":[', '1],"a":"bomFormat","b":"CycloneDX"}'],
    ['{"a":[', '"bomFormat":"CycloneDX"}'],
    ['{"a":["', String.raw`\",\"bomFormat\":\"CycloneDX\"}`.concat('"]}')],
    ['["', '","bomFormat":"CycloneDX"]'],
  ])('takes %s … %s for no CycloneDX', async (head, tail) => {
    expect(await inspectEnds(head, tail)).toEqual(ENDS);
  });

  test.each(['42', '"text"', 'null', 'true', 'text'])(
    'says nothing of much that begins with %s',
    async (text) => {
      expect(await inspectEnds(text, text)).toBeUndefined();
    },
  );

  test.each([
    ['{"a":[', '1,2'],
    ['{"a":[', '1]'],
    ['[{"a":', '1}'],
    ['{"a":[', ',{"b":1}'],
    ['{"a":[', ',{"bomFormat":"CycloneDX"}'],
    ['[[', ',[1,2]'],
  ])('says that %j … %j is cut', async (head, tail) => {
    expect(await inspectEnds(head, tail)).toEqual({ ...ENDS, fault: CUT });
  });

  test.each([
    ['{"a":[', ''],
    ['[', ' \r\n\t '],
    [`{"a":1}`, '  '],
  ])('minds no end that is out of sight: %j … %j', async (head, tail) => {
    expect(await inspectEnds(head, tail)).toEqual(ENDS);
  });

  test('knows several values by the end, where the first is not whole in sight', async () => {
    for (const tail of ['"}\n{"b":1}\n', '{"b":"[{"} {"c":[]}']) {
      expect(await inspectEnds('{"a":"', tail)).toEqual({
        ...VALUES,
        inspected: 'ends',
        kind: 'several JSON values one after the other (NDJSON)',
      });
    }
  });

  test('tells a cut CycloneDX document', async () => {
    expect(await inspectEnds(`${BOM},"components":[`, '{"name":"a')).toEqual({
      ...CYCLONEDX,
      fault: CUT,
    });
  });

  test('finds what is broken in the head', async () => {
    expect(await inspectEnds(`${BOM},"components":[}`, ']}')).toEqual({
      ...CYCLONEDX,
      fault: 'is not well-formed JSON (at byte 59)',
    });
  });

  test.each(['{"z":1}', '[1]', '{"z":[{"a":1}]}\n{"z":[', '}\n[2] ', '"a":[]}\n[]'])(
    'knows several values of which the last is whole: … %j',
    async (tail) => {
      const end = tail.endsWith('[') ? `${tail}1]}` : tail;
      expect(await inspectEnds('{"a":1}\n[2]\n{"a"', end)).toEqual({
        ...VALUES,
        inspected: 'ends',
        kind: describeValues(8),
      });
    },
  );

  test.each(['{"z":1', '"z', '[1', '}\n{"z":[2]', '{"a":{"b":1}', ','])(
    'says that the last of several values is cut: … %j',
    async (tail) => {
      expect(await inspectEnds('{"a":1}\n{"a"', tail)).toEqual({
        ...VALUES,
        inspected: 'ends',
        kind: describeValues(8),
        fault: CUT,
      });
    },
  );
});
