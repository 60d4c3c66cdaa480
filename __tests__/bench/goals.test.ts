import { expect, test } from '@jest/globals';
import { listMissed } from '../../bench/fleet/figures.ts';
import { OURS } from '../../bench/speed/contenders.ts';
import { checkArrived } from '../../bench/speed/measure.ts';
import { chooseExitCode, judgeGoals } from '../../bench/speed/table.ts';
import { makeFolder } from '../support/directories.ts';

test('an upload counts only if all bytes of all files arrived', async () => {
  const directory = await makeFolder({ a: '12345', b: '123' });
  const files = [`${directory}/a`, `${directory}/b`];
  checkArrived(files, [9, 4]);
  expect(() => checkArrived(files, [3, 4])).toThrow('2 uploads with 7 bytes arrived of 2 uploads');
  expect(() => checkArrived(files, [9])).toThrow('1 uploads with 9 bytes arrived of 2 uploads');
});

test.each([
  [{ times: 1.5, of: ['a', 'b'], plus: 5 }, 20, true],
  [{ plus: 19 }, 19, false],
  [{ of: ['missing'] }, Number.NaN, false],
])('compares medians with the goal %j', (goal, limit, isMet) => {
  const figures = new Map(Object.entries({ ours: [20, 18, 90], a: [9, 10, 11], b: [1, 2, 3] }));
  const result = { line: { name: 'l', goals: [{ subject: OURS, ...goal }] }, figures };
  expect(judgeGoals(result)).toMatchObject([{ limit, reached: 20, isMet }]);
  expect([true, false].map((isCheck) => chooseExitCode([result], isCheck))).toEqual([
    isMet ? 0 : 1,
    0,
  ]);
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
