import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import { tryReadLater } from './try-read.ts';
import type { Reading } from './try-read.ts';

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
/** An entry with mostly known members. */
const MEMBERS = fc.dictionary(
  fc.oneof(
    { arbitrary: fc.constantFrom(...NAMES), weight: 9 },
    { arbitrary: fc.string(), weight: 1 },
  ),
  VALUE,
);
const ENTRY = fc.oneof({ arbitrary: MEMBERS, weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 });

function read(text: string): Promise<Reading<readonly ScanEntry[]>> {
  return tryReadLater(parseScans(text));
}

describe('parseScans', () => {
  test('returns complete scans, or the first problems of the entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ENTRY, { maxLength: 6 }), async (entries) => {
        const { value = [], problems } = await read(JSON.stringify(entries));
        for (const problem of problems) expect(problem).toMatch(/^(?:scans\[\d\].*: .|And \d)/s);
        expect(problems.length).toBeLessThanOrEqual(11);
        expect(value).toHaveLength(problems.length > 0 ? 0 : entries.length);
        for (const [index, scan] of value.entries()) {
          expect(scan.label).toBe(scan.name ?? `scans[${index}]`);
          expect(scan.name?.trim()).toBe(scan.name);
          expect(scan.scanKey).toMatch(/^[\da-f-]{36}$/i);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['is truncated', ''],
    ['has a control character', '\u0001'],
  ])('reports a text that %s, and shows no part of it', async (_, inserted) => {
    const list = fc.array(MEMBERS, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        list,
        fc.nat(),
        fc.constantFrom('', ' ', '\t'),
        async (entries, at, space) => {
          const whole = JSON.stringify([{ name: CANARY }, ...entries, CANARY], null, space);
          const head = whole.slice(0, 1 + (at % (whole.length - 1)));
          const rest = inserted === '' ? '' : whole.slice(head.length);
          const lines = head.split('\n');
          const { problems } = await read(`${head}${inserted}${rest}`);
          const place = ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
          // The parser does not say where every fault is.
          expect(
            problems.map((problem) =>
              problem.replace(place, '').replace(': remove the comma before the bracket', ''),
            ),
          ).toEqual(['`scans` is not valid JSON.']);
        },
      ),
      { numRuns: 300 },
    );
  });
});
