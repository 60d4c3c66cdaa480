import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Content } from '../../src/formats/content.ts';
import { inspectBytes } from '../../src/formats/inspect.ts';
import { closeHead, parseJson } from '../../src/formats/parse-json.ts';
import { SMALLEST, writeDocument } from '../support/documents.ts';
import { anyText } from './arbitraries.ts';
import { escapeUnits } from './encodings.ts';

const KNOWN = fc.constantFrom(...Object.values(SMALLEST).flat()).map(writeDocument);
const NAME = fc.oneof(
  anyText(6),
  fc.constantFrom('', '"', '\\', '{', '}', ',', '\\"', '__proto__'),
);
const FEW = { maxLength: 4, maxKeys: 4 };
const SIMPLE = fc.jsonValue({ maxDepth: 1 });
const INNER = fc.oneof(SIMPLE, fc.dictionary(NAME, SIMPLE, FEW), NAME);
const VALUE = fc.oneof(INNER, fc.array(INNER, FEW));
const SPACE = fc.constantFrom('', ' ', '\t', '\r\n ');

/** A JSON text of a value, with varying white space and escapes. */
function jsonText(value: Arbitrary<unknown>): Arbitrary<string> {
  return fc.tuple(value, SPACE, fc.boolean()).map(([json, spaces, isEscaped]) => {
    const text = JSON.stringify(json, null, spaces);
    return isEscaped ? escapeUnits(text, /[\u007f-\uffff]/g) : text;
  });
}

const JSON_TEXT = jsonText(VALUE);
const CONTAINER_TEXT = jsonText(fc.oneof(fc.array(VALUE, FEW), fc.dictionary(NAME, VALUE, FEW)));
const PIECES =
  `<a> </a> <a /> <!-- --> <? ?> <![CDATA[ ]]> [ ] > " ' = & ; &lt; é xmlns:x="y" <x:b> </x:b> <!DOCTYPE \r \n \0`.split(
    ' ',
  );
const MARKUP = fc
  .array(fc.constantFrom(...PIECES, ' b="c"'), { maxLength: 14, size: 'max' })
  .map((pieces) => `<a>${pieces.join('')}`);
const TEXT = fc.oneof(
  KNOWN,
  JSON_TEXT,
  MARKUP,
  fc.tuple(JSON_TEXT, JSON_TEXT).map((two) => two.join('\n')),
);
const BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.constantFrom('', '\ufeff', ' \r\n'), TEXT)
    .map(([before, text]) => Buffer.from(before + text)),
  fc.tuple(TEXT, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([text, at, byte]) => {
    const bytes = Buffer.from(text);
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
);

/** The byte positions that a problem contains. */
function listOffsets({ problem = '' }: Content): readonly number[] {
  return [...problem.matchAll(/byte (-?\d+)/g)].map((match) => Number(match[1]));
}

/** The counts in the result. */
function listCounts(content: Content): readonly string[] {
  return ['severities', 'findings', 'components', 'vulnerabilities'].filter(
    (name) => name in content,
  );
}

/** Whether JSON.parse accepts the bytes as strict UTF-8. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

describe('inspectBytes', () => {
  test('agrees with JSON.parse, reports no position beyond the end, counts nothing malformed', () => {
    fc.assert(
      fc.property(BYTES, (bytes) => {
        const content = inspectBytes(bytes);
        const { syntax, problem, kind = 'bare' } = content;
        expect(syntax === 'json' && problem === undefined).toBe(isJson(bytes));
        for (const offset of listOffsets(content)) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(bytes.length);
        }
        const isBroken = /well-formed|truncated/.test(problem ?? '');
        expect(isBroken && listCounts(content).length > 0).toBe(false);
        expect(/^(?:bare|null|scalar)$/.test(kind)).toBe(content.format !== 'unknown');
      }),
      { numRuns: 1500 },
    );
  });

  test('reports a file that is truncated at any byte', () => {
    fc.assert(
      fc.property(fc.oneof(KNOWN, CONTAINER_TEXT), fc.nat(), (text, at) => {
        const bytes = Buffer.from(text.trim());
        // A start tag is recognised after six bytes.
        const start = bytes[0] === 0x3c ? 6 : 1;
        const end = start + (at % (bytes.length - start));
        const { problem } = inspectBytes(bytes.subarray(0, end));
        expect(problem).toMatch(new RegExp(`\\b(?:JSON|XML) .* at byte ${end}$`));
      }),
      { numRuns: 500 },
    );
  });

  test('reports where JSON is malformed: the text before that position could be continued', () => {
    fc.assert(
      fc.property(
        CONTAINER_TEXT,
        fc.nat(),
        fc.constantFrom('x', ',', ':', ']', '}', '{', '[', '"', '0', '\n', '\u0001'),
        (text, at, character) => {
          const place = at % (text.length + 1);
          const broken = text.slice(0, place) + character + text.slice(place);
          const { fault } = parseJson(broken);
          const position = fault?.kind === 'malformed' ? fault.position : undefined;
          fc.pre(position !== undefined);
          expect(parseJson(broken.slice(0, position + 1)).fault).toBeDefined();
          const before = parseJson(broken.slice(0, position)).fault?.kind;
          expect(before === undefined || before === 'truncated').toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('closeHead makes valid JSON of the beginning of a JSON text, wherever that ends', () => {
  fc.assert(
    fc.property(CONTAINER_TEXT, fc.nat(), (text, at) => {
      const start = text.length - text.trimStart().length + 1;
      const head = text.slice(0, start + (at % (text.length - start + 1)));
      const closed = closeHead(head);
      expect(parseJson(closed)).toHaveProperty('value');
      expect(closed.replace(/[}\]]*$/, '').length).toBeLessThanOrEqual(head.length);
    }),
    { numRuns: 500 },
  );
});
