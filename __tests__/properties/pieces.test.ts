import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { inspectJson } from '../../src/scan/content/json.ts';
import { describeOther } from '../../src/scan/content/other.ts';
import type { Content, Sample } from '../../src/scan/content/content.ts';
import { inspectXml } from '../../src/scan/content/xml.ts';
import { scanXml, split } from '../scan/content/scanning.ts';
import { Recorder } from '../scan/content/telling.ts';
import { sampleEnds, sampleWhole } from '../scan/fixtures.ts';
import { SMALLEST } from '../scan/formats/documents.ts';
import { STYLE, TREE, writeTree } from './json-arbitraries.ts';

const SIZES = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });

const NAME = fc.constantFrom('a', 'b', 'é', 'x:c', '漢-1');
const TEXT = fc
  .array(
    fc.constantFrom(
      't',
      'é',
      '😀',
      '\r\n',
      '\r',
      '\n',
      ' ',
      '&lt;',
      '&#x1F600;',
      '&amp;',
      ']]',
      '\ufffd',
    ),
    { maxLength: 6 },
  )
  .map((texts) => texts.join(''));
const VALUE = TEXT.map((text) => `"${text}"`);
const ATTRIBUTES = fc
  .uniqueArray(fc.tuple(fc.constantFrom('d', 'xmlns', 'xmlns:x', 'é'), VALUE), {
    selector: ([name]) => name,
    maxLength: 3,
  })
  .map((all) => all.map(([name, value]) => `\r\n${name} = ${value}`).join(''));
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      NAME,
      ATTRIBUTES,
      fc.array(
        fc.oneof(
          { depthSize: 'small' },
          TEXT,
          fc.constantFrom('<!-- é - -->', '<?p 漢 ?>', '<![CDATA[😀]]]]>', '<![CDATA[\r\n<b>]]>'),
          tie('element'),
        ),
        { maxLength: 4 },
      ),
      fc.boolean(),
    )
    .map(([name, attributes, inside, isShort]) =>
      isShort && inside.length === 0
        ? `<${name}${attributes}/>`
        : `<${name}${attributes} >${inside.join('')}</${name}\n>`,
    ),
}));
const PROLOG = fc.constantFrom(
  '',
  '<?xml version="1.0" encoding="UTF-8"?>\r\n',
  '<!-- é -->',
  '<!DOCTYPE a [<!ENTITY b "]>"> <!-- ]> -->]>\r',
);
const XML = fc.tuple(PROLOG, element).map(([prolog, root]) => `${prolog}${root}\r\n<!-- 😀 -->`);

const KNOWN = fc
  .constantFrom(...Object.values(SMALLEST).flat())
  .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)));
const JSON_TEXT = fc.tuple(TREE, STYLE).map(([tree, style]) => writeTree(tree, style));
/** Texts of either language, some with another byte somewhere, or without their end. */
const BYTES = fc
  .tuple(
    fc.oneof(
      KNOWN,
      JSON_TEXT,
      XML,
      fc.tuple(JSON_TEXT, JSON_TEXT).map((two) => two.join('\n')),
    ),
    fc.constantFrom('', '\ufeff', ' \r\n'),
    fc.constantFrom('whole', 'changed', 'cut'),
    fc.nat(),
    fc.integer({ min: 0, max: 255 }),
  )
  .map(([text, before, how, at, byte]) => {
    const bytes = Buffer.from(before + text);
    const place = at % (bytes.length + 1);
    if (how === 'changed' && place < bytes.length) bytes[place] = byte;
    return how === 'cut' ? bytes.subarray(0, place) : bytes;
  });

const BROKEN_XML = /^is not (?:well-formed XML \(read up to byte|valid UTF-8 \(at byte) \d+\)$/;

async function* readPieces(bytes: Buffer, sizes: readonly number[]): AsyncIterable<Buffer> {
  for (const piece of split(bytes, sizes)) {
    await Promise.resolve();
    const copy = Buffer.from(piece);
    yield copy;
    copy.fill('!');
  }
}

/** Where XML is found to be broken, and which of several faults is seen first, depends on the pieces. */
async function inspect(sample: Sample): Promise<Content> {
  const content =
    (await inspectJson(sample)) ?? (await inspectXml(sample)) ?? describeOther(sample);
  const { fault, syntax } = content;
  return fault === undefined || syntax !== 'xml'
    ? content
    : { ...content, fault: fault.replace(BROKEN_XML, 'is broken') };
}

describe('what is read in pieces', () => {
  test('is told the same of XML, however it is split', () => {
    fc.assert(
      fc.property(XML, SIZES, (text, sizes) => {
        const [whole, parts] = [new Recorder(), new Recorder()];
        const reading = scanXml(text, whole);
        expect(reading).toMatchObject({ isAbandoned: false });
        expect(reading.fault).toBeUndefined();
        expect(scanXml(text, parts, { sizes })).toEqual(reading);
        expect(parts.told).toEqual(whole.told);
      }),
      { numRuns: 1000 },
    );
  });

  test('is told the same of XML without its end, however it is split', () => {
    fc.assert(
      fc.property(XML, SIZES, fc.nat(), fc.boolean(), (text, sizes, at, isHead) => {
        const start = text.slice(0, at % text.length);
        const [whole, parts] = [new Recorder(), new Recorder()];
        const { fault, ...reading } = scanXml(start, whole, { isHead });
        const { fault: otherFault, ...other } = scanXml(start, parts, { isHead, sizes });
        expect(other).toEqual(reading);
        expect(otherFault?.isCut).toBe(fault?.isCut);
        expect(parts.told).toEqual(whole.told);
      }),
      { numRuns: 1000 },
    );
  });

  test('is taken for the same, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(BYTES, SIZES, async (bytes, sizes) => {
        const sample = sampleWhole(bytes);
        const text = bytes.subarray(sample.start);
        const parts = { ...sample, pieces: () => readPieces(text, sizes) };
        expect(await inspect(parts)).toEqual(await inspect(sample));
      }),
      { numRuns: 1000 },
    );
  });

  test('is taken for the same by its head, wherever that ends', async () => {
    const tail = fc.constantFrom('}', ']', '</a>', '', '"a"}]}', 'x');
    await fc.assert(
      fc.asyncProperty(BYTES, tail, SIZES, async (bytes, end, sizes) => {
        const sample = sampleEnds(bytes, end);
        const head = bytes.subarray(sample.start);
        const parts = { ...sample, pieces: () => readPieces(head, sizes) };
        expect(await inspect(parts)).toEqual(await inspect(sample));
      }),
      { numRuns: 1000 },
    );
  });
});
