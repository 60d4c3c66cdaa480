import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { WHOLE, scanJson } from '../scan/content/scanning.ts';
import type { JsonReading } from '../scan/content/scanning.ts';
import { DEAF, Recorder, walk } from '../scan/content/telling.ts';
import { CONTAINER, STYLE, TREE, writeTree } from './json-arbitraries.ts';

/** Any JSON text in any spacing. */
const TEXT = fc.tuple(TREE, STYLE).map(([tree, style]) => Buffer.from(writeTree(tree, style)));
const DOCUMENT = fc
  .tuple(CONTAINER, STYLE)
  .map(([tree, style]) => Buffer.from(writeTree(tree, style).trim()));

/** A text with one byte too many, missing, or other than it was, or without its end. */
const MUTATED: Arbitrary<Buffer> = TEXT.chain((text) =>
  fc
    .record({
      how: fc.constantFrom('delete', 'insert', 'replace', 'duplicate', 'cut'),
      at: fc.nat({ max: text.length }),
      byte: fc.oneof(
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom(...Buffer.from('{}[]",:\\-0.eEtfnu \n')),
      ),
    })
    .map(({ how, at, byte }) => {
      const [before, rest] = [text.subarray(0, at), text.subarray(at)];
      if (how === 'cut') return before;
      if (how === 'delete') return Buffer.concat([before, rest.subarray(1)]);
      if (how === 'duplicate') return Buffer.concat([before, rest.subarray(0, 1), rest]);
      return Buffer.concat([before, Buffer.of(byte), how === 'insert' ? rest : rest.subarray(1)]);
    }),
);

const PIECES = [
  ...'{}[]",:-+.0159eEutfn\\/ \n\t'.split(''),
  ...String.raw`"a" {"a": [1 true null false \u d83d \" é ' //`.split(' '),
  ...'\ufeff\u00a0\0'.split(''),
];
const SCRIBBLE = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12, size: 'max' })
  .map((pieces) => Buffer.from(pieces.join('')));

const ANY = fc.oneof(
  { weight: 4, arbitrary: MUTATED },
  { weight: 3, arbitrary: SCRIBBLE },
  { weight: 1, arbitrary: TEXT },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
);

/** What V8 has against a text; undefined if it is JSON. */
function complain(bytes: Buffer): string | undefined {
  try {
    JSON.parse(bytes.toString());
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** The byte at which V8 finds a fault, where it says so. */
function locate(bytes: Buffer, complaint: string): number | undefined {
  if (/Unexpected end of JSON input|Unterminated string/.test(complaint)) return bytes.length;
  const position = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(complaint)?.[1];
  if (position === undefined) return undefined;
  return Buffer.byteLength(bytes.toString().slice(0, Number(position)));
}

function isBlank(bytes: Buffer): boolean {
  return /^[ \t\r\n]*$/.test(bytes.toString('latin1'));
}

/** Some names, and all items. */
const isMuted = (name: string): boolean => name.length % 2 === 1;

/** Sizes of pieces, in bytes. */
const SIZES = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 });

/** Where a text stops being one JSON value. */
function placeOf({ fault, secondAt }: JsonReading): number | undefined {
  return secondAt ?? fault?.offset;
}

/** Whether a text is the beginning of one JSON value. */
function isCut({ fault, secondAt }: JsonReading): boolean {
  return secondAt === undefined && fault?.isCut === true;
}

describe('JsonScanner', () => {
  test('finds a fault in just what JSON.parse refuses', () => {
    fc.assert(
      fc.property(ANY, SIZES, (bytes, sizes) => {
        const isJson = complain(bytes) === undefined;
        expect(placeOf(scanJson(bytes, DEAF, sizes)) === undefined).toBe(isJson);
        expect(placeOf(scanJson(bytes, new Recorder())) === undefined).toBe(isJson);
      }),
      { numRuns: 6000 },
    );
  });

  test('finds it where JSON.parse does, and tells what was cut from what is wrong', () => {
    fc.assert(
      fc.property(fc.oneof(MUTATED, SCRIBBLE), (bytes) => {
        const complaint = complain(bytes);
        fc.pre(complaint !== undefined && bytes.equals(Buffer.from(bytes.toString())));
        const offset = locate(bytes, complaint ?? '');
        fc.pre(offset !== undefined);
        const reading = scanJson(bytes, DEAF);
        const isAtEnd = isBlank(bytes.subarray(offset));
        expect(isCut(reading)).toBe(isAtEnd);
        expect(placeOf(reading)).toBe(isAtEnd ? bytes.length : offset);
      }),
      { numRuns: 4000 },
    );
  });

  test('finds the first byte with which nothing can become JSON any more', () => {
    fc.assert(
      fc.property(ANY, (bytes) => {
        const reading = scanJson(bytes, DEAF);
        const offset = placeOf(reading);
        fc.pre(offset !== undefined && !isCut(reading));
        const before = scanJson(bytes.subarray(0, offset), DEAF);
        expect(isCut(before) || placeOf(before) === undefined).toBe(true);
        const through = Buffer.concat([bytes.subarray(0, (offset ?? 0) + 1), Buffer.from('!')]);
        expect(placeOf(scanJson(through, DEAF))).toBe(offset);
      }),
      { numRuns: 2000 },
    );
  });

  test('takes every beginning of a document for cut', () => {
    fc.assert(
      fc.property(DOCUMENT, (bytes) => {
        for (let end = 0; end < bytes.length; end += 1) {
          expect(scanJson(bytes.subarray(0, end), DEAF)).toEqual({
            fault: { isCut: true, offset: end },
            secondAt: undefined,
          });
        }
        expect(scanJson(bytes, DEAF)).toEqual(WHOLE);
      }),
      { numRuns: 80 },
    );
  });

  test('tells a second document from what is wrong behind the first', () => {
    const second = fc.tuple(DOCUMENT, fc.constantFrom('', '\n', ' \r\n'), ANY);
    fc.assert(
      fc.property(second, ([bytes, space, rest]) => {
        fc.pre(!isBlank(rest));
        const first = Buffer.concat([bytes, Buffer.from(space)]);
        const blank = rest.length - rest.toString('latin1').replace(/^[ \t\r\n]+/, '').length;
        const start = String.fromCharCode(rest[blank] ?? 0);
        const offset = first.length + blank;
        const reading = scanJson(Buffer.concat([first, rest]), DEAF);
        const wrong = { fault: { isCut: false, offset }, secondAt: undefined };
        const another = { ...scanJson(rest.subarray(blank), DEAF, [], offset), secondAt: offset };
        expect(reading).toEqual(start === '{' || start === '[' ? another : wrong);
      }),
      { numRuns: 500 },
    );
  });

  test('tells all that is in a document, in its order', () => {
    fc.assert(
      fc.property(TREE, STYLE, SIZES, (tree, style, sizes) => {
        const recorder = new Recorder();
        expect(scanJson(Buffer.from(writeTree(tree, style)), recorder, sizes)).toEqual(WHOLE);
        expect(recorder.told).toEqual(walk(tree));
      }),
      { numRuns: 800 },
    );
  });

  test('tells nothing of what is below what is of no interest', () => {
    fc.assert(
      fc.property(TREE, STYLE, SIZES, (tree, style, sizes) => {
        const recorder = new Recorder(isMuted);
        expect(scanJson(Buffer.from(writeTree(tree, style)), recorder, sizes)).toEqual(WHOLE);
        expect(recorder.told).toEqual(walk(tree, isMuted));
      }),
      { numRuns: 800 },
    );
  });

  test('counts from where the first piece begins', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), ANY, SIZES, (offset, bytes, sizes) => {
        const { fault, secondAt } = scanJson(bytes, DEAF);
        expect(scanJson(bytes, DEAF, sizes, offset)).toEqual({
          fault: fault && { ...fault, offset: fault.offset + offset },
          secondAt: secondAt === undefined ? undefined : secondAt + offset,
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('JsonScanner, of pieces', () => {
  test('tells the same of any bytes, however they are split', () => {
    fc.assert(
      fc.property(ANY, SIZES, (bytes, sizes) => {
        const [whole, parts] = [new Recorder(), new Recorder()];
        expect(scanJson(bytes, parts, sizes)).toEqual(scanJson(bytes, whole));
        expect(parts.told).toEqual(whole.told);
      }),
      { numRuns: 3000 },
    );
  });

  test('tells the same of two pieces, wherever the edge is', () => {
    fc.assert(
      fc.property(DOCUMENT, (bytes) => {
        const whole = new Recorder();
        scanJson(bytes, whole);
        const edges = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
        const others = edges.filter((edge) => {
          const parts = new Recorder();
          const { fault, secondAt } = scanJson(bytes, parts, [edge, bytes.length]);
          const isWhole = fault === undefined && secondAt === undefined;
          return !isWhole || JSON.stringify(parts.told) !== JSON.stringify(whole.told);
        });
        expect(others).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('takes lines for JSON only where each is whole', () => {
    const lines = fc.array(DOCUMENT, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom('', '\n', '\r\n'),
        SIZES,
        fc.nat(),
        (all, end, sizes, at) => {
          const bytes = Buffer.concat(all.flatMap((line) => [line, Buffer.from(end)]));
          const secondAt = (all[0]?.length ?? 0) + end.length;
          expect(scanJson(bytes, DEAF, sizes)).toEqual({ fault: undefined, secondAt });
          const last = all.at(-1) ?? bytes;
          const length = bytes.length - end.length - last.length + 1 + (at % (last.length - 1));
          expect(scanJson(bytes.subarray(0, length), DEAF, sizes)).toEqual({
            fault: { isCut: true, offset: length },
            secondAt,
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
