import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { inspectJson } from '../../src/scan/content/json.ts';
import { describeOther } from '../../src/scan/content/other.ts';
import type { Content, Sample } from '../../src/scan/content/content.ts';
import { inspectXml } from '../../src/scan/content/xml.ts';
import { SAMPLE_SIZE, sampleEnds, sampleWhole } from '../scan/fixtures.ts';
import { SMALLEST } from '../scan/formats/documents.ts';
import { STYLE, TREE, writeTree } from './json-arbitraries.ts';

async function inspect(sample: Sample): Promise<Content> {
  return (await inspectJson(sample)) ?? (await inspectXml(sample)) ?? describeOther(sample);
}

const KNOWN = fc
  .constantFrom(...Object.values(SMALLEST).flat())
  .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)));
const JSON_TEXT = fc.tuple(TREE, STYLE).map(([tree, style]) => writeTree(tree, style));
const PIECES = [
  ...`<a> </a> <a /> <!-- --> <? ?> <![CDATA[ ]]> [ ] > " ' = & ; &lt; é xmlns:x="y" <x:b> </x:b>`.split(
    ' ',
  ),
  ' b="c"',
  '<!DOCTYPE ',
  '\r',
  '\n',
  '\0',
];
const MARKUP = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 14, size: 'max' })
  .map((pieces) => `<a>${pieces.join('')}`);
const BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.oneof(KNOWN, JSON_TEXT, MARKUP).map((text) => Buffer.from(text)),
  fc
    .tuple(fc.oneof(KNOWN, JSON_TEXT, MARKUP), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([text, at, byte]) => {
      const bytes = Buffer.from(text);
      if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    }),
);

/** The bytes of a file that a fault names. */
function listOffsets({ fault = '' }: Content): readonly number[] {
  return [...fault.matchAll(/byte (-?\d+)/g)].map((match) => Number(match[1]));
}

/** The counts that are told. */
function listCounts(content: Content): readonly string[] {
  return ['severities', 'findings', 'components', 'vulnerabilities'].filter(
    (name) => name in content,
  );
}

describe('what is told of any content', () => {
  test('names no byte beyond its end, and counts nothing in what is broken in its syntax', async () => {
    await fc.assert(
      fc.asyncProperty(BYTES, async (bytes) => {
        const content = await inspect(sampleWhole(bytes));
        for (const offset of listOffsets(content)) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(bytes.length);
        }
        const isBroken = /well-formed|cut off|more than one/.test(content.fault ?? '');
        expect(isBroken && listCounts(content).length > 0).toBe(false);
        expect('kind' in content).toBe(content.format === 'unknown');
      }),
      { numRuns: 3000 },
    );
  });

  test('is that there is no fault only in JSON that JSON.parse takes', async () => {
    await fc.assert(
      fc.asyncProperty(BYTES, async (bytes) => {
        const content = await inspect(sampleWhole(bytes));
        fc.pre(content.syntax === 'json' && content.fault === undefined);
        const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        expect(() => JSON.parse(text) as unknown).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });

  test('counts nothing where only the ends were read', async () => {
    await fc.assert(
      fc.asyncProperty(BYTES, BYTES, async (head, tail) => {
        const content = await inspect(sampleEnds(head, tail));
        expect(content.inspected).toBe('ends');
        expect(listCounts(content)).toEqual([]);
        for (const offset of listOffsets(content)) {
          expect(offset === SAMPLE_SIZE || offset <= head.length).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('is that it was cut, wherever it was', async () => {
    await fc.assert(
      fc.asyncProperty(KNOWN, fc.nat(), async (text, at) => {
        const end = 6 + (at % (text.length - 6));
        const content = await inspect(sampleWhole(text.slice(0, end)));
        expect(content.fault).toMatch(
          new RegExp(`^is cut off: its (?:JSON|XML) ends too early, at byte ${end}$`),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
