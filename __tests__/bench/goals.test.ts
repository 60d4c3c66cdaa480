import { expect, test } from '@jest/globals';
import { listMissed } from '../../bench/fleet/table.ts';
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

test('compares the worst seed of a simulation with its goals', () => {
  const rest = { reached: 1, accepted: 1, peak: 9, secondPeak: 1, doneSeconds: 7 };
  const figures = [3, 2].map((requests) => ({ ...rest, requests }));
  const listed = [2.8, 3].map((requests) =>
    listMissed({ name: 'r', figures, goals: { requests } }),
  );
  expect(listed).toEqual([[expect.stringMatching(/^requests /)], []]);
});
