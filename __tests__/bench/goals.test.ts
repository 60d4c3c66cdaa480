import { expect, test } from '@jest/globals';
import { listMissed } from '../../bench/fleet/figures.ts';
import { checkArrived } from '../../bench/speed/measure.ts';
import { listMissed as listSlow, makeTable } from '../../bench/speed/table.ts';
import { makeFolder } from '../support/workspace.ts';

test('an upload counts only if all bytes of the file arrived', async () => {
  const path = `${await makeFolder({ a: '12345' })}/a`;
  checkArrived(path, [9]);
  expect(() => checkArrived(path, [4])).toThrow('Uploads of 4 bytes arrived, for a file of 5.');
  expect(() => checkArrived(path, [])).toThrow('Uploads of no bytes arrived, for a file of 5.');
  expect(() => checkArrived(path, [9, 9])).toThrow('Uploads of 9 and 9 bytes arrived');
});

test.each([
  [{ most: 2, of: 'a' }, 20, []],
  [{ most: 19 }, 19, ['ours 20, not 19']],
  [{ most: 2, of: 'missing' }, Number.NaN, ['ours 20, not NaN']],
])('compares medians with the goal %j', (goal, limit, missed) => {
  const figures = new Map(Object.entries({ ours: [20, 18, 90], a: [9, 10, 11] }));
  const table = makeTable(figures, { ours: goal });
  expect(table).toEqual({
    ours: { median: 20, least: 18, most: 90, limit },
    a: { median: 10, least: 9, most: 11 },
  });
  expect(listSlow(table)).toEqual(missed);
});

test('lists the goals that a simulation misses', () => {
  const goals = { requests: 3, accepted: 99, secondPeak: 2, doneSeconds: 60 };
  expect(listMissed(goals, goals)).toEqual([]);
  const figures = { requests: Number.NaN, accepted: 98, secondPeak: 2.1, doneSeconds: 61 };
  expect(listMissed(figures, goals)).toEqual([
    'requests NaN, not 3',
    'accepted 98, not 99',
    'secondPeak 2.1, not 2',
    'doneSeconds 61, not 60',
  ]);
});
