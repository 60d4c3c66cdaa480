import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { InputError } from '../../src/errors.ts';
import { readScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';

const WORKSPACE = import.meta.dirname;
const CANARY = 'canary7f3d9a51';

const NAMES = [
  'name',
  'scan-key',
  'files',
  'scan-file',
  'dependencies-file',
  'vulnerabilities-file',
];
const VALUE = fc.oneof(fc.string(), fc.uuid(), fc.constant(' '), fc.jsonValue());
/** An entry of members that there are, and seldom of others. */
const MEMBERS = fc.dictionary(
  fc.oneof(
    { arbitrary: fc.constantFrom(...NAMES), weight: 9 },
    { arbitrary: fc.string(), weight: 1 },
  ),
  VALUE,
);
const ENTRY = fc.oneof({ arbitrary: MEMBERS, weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 });
const WHITE_SPACE = fc.string({ unit: fc.constantFrom(' ', '\n', '\r\n', '\t'), maxLength: 4 });

/** A name, a key and a file that may be taken as they are. */
const GOOD = fc.record({
  name: fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `n${text}n`),
  key: fc.uuid(),
  file: fc
    .string({ unit: fc.constantFrom('a', 'b', '/', '.', '*', ' '), minLength: 1 })
    .map((text) => `f${text}f`)
    // A segment with more is refused.
    .filter((text) => text.split('/').every((segment) => segment.split('*').length <= 4)),
});

/** What `scans` is read as; undefined if it is refused. Anything but an InputError goes through. */
function read(text: string): readonly ScanEntry[] | undefined {
  try {
    return readScans(text, WORKSPACE);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  }
}

describe('scans of any kind', () => {
  test('have an entry each, with all that it needs or with what is wrong with it', () => {
    fc.assert(
      fc.property(fc.array(ENTRY, { maxLength: 6 }), (entries) => {
        const scans = read(JSON.stringify(entries));
        expect(scans).toHaveLength(entries.length);
        for (const [index, scan] of (scans ?? []).entries()) {
          expect(scan.label).toBe(scan.name ?? `scans[${index}]`);
          expect(scan.name?.trim()).toBe(scan.name);
          const said = 'error' in scan ? scan.error.problems : [scan.scanKey];
          expect(said).toContainEqual(expect.stringMatching(/./));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are read as they were written', () => {
    fc.assert(
      fc.property(
        fc.array(GOOD, { maxLength: 5 }),
        fc.boolean(),
        WHITE_SPACE,
        (list, asArray, space) => {
          const entries = list.map(({ name, key, file }) => ({
            name,
            'scan-key': `${space}${key}`,
            files: asArray ? [file, '!x'] : `${file}\n!x${space}`,
          }));
          const expected = list.map(({ name, key, file }) => ({
            label: name,
            name,
            scanKey: key,
            selection: [{ input: 'files', text: `${file}\n!x` }],
          }));
          expect(read(`${JSON.stringify(entries, null, space)}${space}`)).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('are an array, whatever else may be JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(read(JSON.stringify(value))).toBeUndefined();
      }),
    );
  });
});

describe('scans that are no JSON', () => {
  test('are refused at the place where they are cut, and not shown', () => {
    const text = fc.record({
      entries: fc.array(MEMBERS, { minLength: 1, maxLength: 3 }),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(text, fc.constantFrom('', ' ', '\t'), ({ entries, at }, space) => {
        const whole = JSON.stringify([{ name: CANARY }, ...entries], null, space);
        const cut = whole.slice(0, 1 + (at % (whole.length - 1)));
        const message = catchMessage(cut);
        const [, line, column] =
          /^scans is not valid JSON \(line (\d+), column (\d+)\)\.$/.exec(message) ?? [];
        const lines = cut.split('\n');
        expect([Number(line), Number(column)]).toEqual([
          lines.length,
          (lines.at(-1) ?? '').length + 1,
        ]);
      }),
      { numRuns: 300 },
    );
  });

  test('show nothing of what is in them, wherever they are broken', () => {
    fc.assert(
      fc.property(fc.array(MEMBERS, { maxLength: 3 }), fc.nat(), (entries, at) => {
        const whole = JSON.stringify([{ name: CANARY }, ...entries, CANARY]);
        const place = 1 + (at % (whole.length - 1));
        const message = catchMessage(`${whole.slice(0, place)}\u0001${whole.slice(place)}`);
        expect(message).toMatch(/^scans is not valid JSON \(line 1, column \d+\)\.$/);
      }),
      { numRuns: 200 },
    );
  });
});

function catchMessage(text: string): string {
  try {
    readScans(text, WORKSPACE);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
