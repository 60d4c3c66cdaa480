import { describe, expect, test } from '@jest/globals';
import { Collector } from '../../../src/scan/document/collector.ts';
import type { FindingRows, Layout } from '../../../src/scan/formats/format.ts';
import { ITEM } from '../../../src/scan/document/place.ts';
import { plantPlaces } from '../../../src/scan/document/place-tree.ts';

const FINDINGS: FindingRows = { each: 'list/[]', severity: 'bad/[]' };
const ANY: FindingRows = { each: 'any/*', severity: 'bad' };
const LAYOUT: Layout = {
  marks: [[{ at: 'mark' }]],
  findings: [FINDINGS, ANY],
};

function makeCollector(layout: Layout = LAYOUT): Collector {
  return new Collector(plantPlaces([layout]));
}

/** Tells of a document as a parser would. */
function tell(document: Collector, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) tellOf(document, ITEM, item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) tellOf(document, name, member);
  } else if (document.wantsText) document.write(String(value));
}

function tellOf(document: Collector, name: string | typeof ITEM, value: unknown): void {
  if (!document.enter(name)) return;
  tell(document, value);
  document.leave();
}

function makeTexts(row: number): readonly string[] {
  return Array.from({ length: 32 }, (_, index) => `${row} ${index} ${'x'.repeat(400)}`);
}

describe('Collector', () => {
  test('is interested in what a layout asks for and in nothing else', () => {
    const document = makeCollector();
    expect(document.enter('other')).toBe(false);
    expect(document.enter(ITEM)).toBe(false);
    expect(document.enter('list')).toBe(true);
    expect(document.wantsText).toBe(false);
    expect(document.enter('mark')).toBe(false);
    expect(document.enter(ITEM)).toBe(true);
    expect(document.enter('bad')).toBe(true);
    expect(document.enter(ITEM)).toBe(true);
    expect(document.wantsText).toBe(true);
  });

  test('keeps the texts of a place, and that it is there without one', () => {
    const document = makeCollector();
    expect(document.has('mark')).toBe(false);
    tell(document, { mark: {} });
    expect([document.has('mark'), document.listTexts('mark')]).toEqual([true, []]);
    tell(document, { mark: 'one' });
    tell(document, { mark: 'two' });
    expect(document.listTexts('mark')).toEqual(['one', 'two']);
    expect(document.has('list')).toBe(false);
  });

  test('keeps rows with the same texts as one', () => {
    const document = makeCollector();
    const list = [{ bad: ['a', 'b'] }, { bad: ['a', 'b'] }, { bad: ['b', 'a'] }, {}, 7];
    tell(document, { list, any: { x: { bad: 'a' } } });
    expect(document.listGroups(FINDINGS)).toEqual([
      {
        texts: [
          ['bad/[]', 'a'],
          ['bad/[]', 'b'],
        ],
        count: 2,
      },
      {
        texts: [
          ['bad/[]', 'b'],
          ['bad/[]', 'a'],
        ],
        count: 1,
      },
      { texts: [], count: 2 },
    ]);
    expect(document.listGroups(ANY)).toEqual([{ texts: [['bad', 'a']], count: 1 }]);
  });

  test('counts no row that was not read to its end', () => {
    const document = makeCollector();
    tell(document, { list: [{ bad: ['a'] }] });
    for (const name of ['list', ITEM, 'bad', ITEM] as const) document.enter(name);
    document.write('b');
    document.restart();
    tell(document, { mark: 1, list: [{ bad: ['c'] }] });
    expect(document.listGroups(FINDINGS).map(({ texts }) => texts)).toEqual([
      [['bad/[]', 'a']],
      [['bad/[]', 'c']],
    ]);
    expect(document.listTexts('mark')).toEqual(['1']);
  });

  test('keeps of a row each text once', () => {
    const document = makeCollector();
    const bad = [...Array<string>(40).fill('a'), 'b', 'a'];
    tell(document, { list: [{ bad }, { bad: ['a', 'b'] }] });
    expect(document.listGroups(FINDINGS)).toEqual([
      {
        texts: [
          ['bad/[]', 'a'],
          ['bad/[]', 'b'],
        ],
        count: 2,
      },
    ]);
  });

  test('keeps 32 texts of a row', () => {
    const document = makeCollector();
    tell(document, { list: [{ bad: Array.from({ length: 100 }, (_, index) => index) }] });
    const texts = document.listGroups(FINDINGS)[0]?.texts;
    expect(texts).toHaveLength(32);
    expect(texts?.at(-1)).toEqual(['bad/[]', '31']);
  });

  test('keeps any number of rows with the same texts', () => {
    const document = makeCollector();
    tell(document, { list: Array.from({ length: 100_000 }, () => ({ bad: ['a'] })) });
    expect(document.isOverfull).toBe(false);
    expect(document.listGroups(FINDINGS)).toMatchObject([{ count: 100_000 }]);
  });

  test.each([
    ['short texts', 20_000, 50_000, (index: number) => [index]],
    ['long texts', 500, 1_000, (index: number) => makeTexts(index)],
  ])('keeps many different rows of %s, but not too many', (_, some, many, makeRow) => {
    const [document, overfull] = [some, many].map((count) => {
      const collector = makeCollector();
      tell(collector, {
        list: Array.from({ length: count }, (__, row) => ({ bad: makeRow(row) })),
      });
      return collector;
    });
    expect([document?.isOverfull, overfull?.isOverfull]).toEqual([false, true]);
    expect(document?.listGroups(FINDINGS)).toHaveLength(some);
    expect(overfull?.listGroups(FINDINGS).length).toBeLessThan(many);
  });
});
