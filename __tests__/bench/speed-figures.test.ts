import { describe, expect, test } from '@jest/globals';
import { compareToOurs, judgeGoals } from '../../bench/speed/goals.ts';
import type { Standing } from '../../bench/speed/goals.ts';
import type { Contender, Goal } from '../../bench/speed/line.ts';
import { LINES } from '../../bench/speed/lines/index.ts';
import { chooseExitCode } from '../../bench/speed/results.ts';
import { runInTurn } from '../../bench/speed/rounds.ts';
import { spread } from '../../bench/speed/statistics.ts';
import { formatFigure } from '../../bench/speed/units.ts';
import { makeResult } from './speed-fixtures.ts';

describe('spread', () => {
  test.each([
    [[7], { runs: 1, min: 7, median: 7, max: 7 }],
    [[30, 10, 20], { runs: 3, min: 10, median: 20, max: 30 }],
    [[4, 1, 10, 3], { runs: 4, min: 1, median: 3.5, max: 10 }],
    [[100, 20, 3], { runs: 3, min: 3, median: 20, max: 100 }],
  ])('of %j', (figures, expected) => {
    expect(spread(figures)).toEqual(expected);
  });

  test('leaves the figures in their order', () => {
    const figures = [3, 1, 2];
    spread(figures);
    expect(figures).toEqual([3, 1, 2]);
  });

  test('refuses what has no median', () => {
    expect(() => spread([])).toThrow('no figures');
    expect(() => spread([1, Number.NaN])).toThrow('no finite number');
  });
});

/** A contender whose figures count up from a start, and who writes down each run. */
function count(name: string, from: number, ran: string[]): Contender {
  let next = from;
  const run = (): Promise<number> => {
    ran.push(name);
    next += 1;
    return Promise.resolve(next - 1);
  };
  return { name, run };
}

describe('runInTurn', () => {
  test('takes turns, and discards the first round', async () => {
    const ran: string[] = [];
    const contenders = [count('a', 100, ran), { ...count('b', 1, ran), isOurs: true }];
    const standings = await runInTurn(contenders, { min: 2, max: 2 }, () => 0);
    expect(ran.join('')).toBe('ababab');
    expect(standings).toEqual([
      { name: 'a', isOurs: false, figures: { runs: 2, min: 101, median: 101.5, max: 102 } },
      { name: 'b', isOurs: true, figures: { runs: 2, min: 2, median: 2.5, max: 3 } },
    ]);
  });

  test('runs a contender several times in a round, each for a figure of its own', async () => {
    const ran: string[] = [];
    const contenders = [{ ...count('a', 1, ran), repeats: 3 }, count('b', 1, ran)];
    const [standing] = await runInTurn(contenders, { min: 1, max: 1 }, () => 0);
    expect(ran.join('')).toBe('aaabaaab');
    expect(standing?.figures).toEqual({ runs: 3, min: 4, median: 5, max: 6 });
  });

  test('has its least of rounds however long they take, and then no more', async () => {
    const ran: string[] = [];
    let hours = 0;
    const now = (): number => (hours += 1) * 3_600_000;
    const [standing] = await runInTurn([count('a', 1, ran)], { min: 3, max: 50 }, now);
    expect(standing?.figures?.runs).toBe(3);
  });

  test('runs once what is slow, after the others, and not at all what cannot run', async () => {
    const ran: string[] = [];
    const slow = { ...count('s', 9, ran), isOnce: true };
    const missing = { ...count('m', 0, ran), skipped: 'is missing' };
    const contenders = [slow, count('a', 1, ran), missing];
    const standings = await runInTurn(contenders, { min: 1, max: 1 }, () => 0);
    expect(ran.join('')).toBe('aas');
    expect(standings[0]?.figures).toEqual({ runs: 1, min: 9, median: 9, max: 9 });
    expect(standings[2]).toEqual({ name: 'm', isOurs: false, skipped: 'is missing' });
  });

  test('rejects when a contender does', async () => {
    const a = { name: 'a', run: () => Promise.reject(new Error('exit code 1')) };
    const running = runInTurn([a], { min: 1, max: 1 }, () => 0);
    await expect(running).rejects.toThrow('exit code 1');
  });
});

describe('judgeGoals', () => {
  const standings = [
    { name: 'ours', isOurs: true, figures: spread([18, 20, 90]) },
    { name: 'a', isOurs: false, figures: spread([9, 10, 11]) },
    { name: 'b', isOurs: false, figures: spread([1, 16, 100]) },
    { name: 'c', isOurs: false, skipped: 'is missing' },
  ];
  const judge = (goal: Omit<Goal, 'subject'>): unknown =>
    judgeGoals([{ subject: 'ours', ...goal }], standings, 'ms')[0];

  test.each([
    [{ kind: 'times', atMost: 2, of: ['a'] }, 20, true, '<= 2 x a', '2.00 x'],
    [{ kind: 'times', atMost: 1.99, of: ['a'] }, 19.9, false, '<= 1.99 x a', '2.00 x'],
    [
      { kind: 'times', atMost: 1.25, of: ['a', 'b'] },
      20,
      true,
      '<= 1.25 x the slower of a and b',
      '1.25 x',
    ],
    [{ kind: 'plus', atMost: 10, of: ['a'] }, 20, true, '<= a + 10.0 ms', '+ 10.0 ms'],
    [{ kind: 'plus', atMost: 9, of: ['a'] }, 19, false, '<= a + 9.0 ms', '+ 10.0 ms'],
    [{ kind: 'absolute', atMost: 20, of: [] }, 20, true, '<= 20.0 ms', '20.0 ms'],
    [{ kind: 'absolute', atMost: 19, of: [] }, 19, false, '<= 19.0 ms', '20.0 ms'],
  ] as const)('%j', (goal, limit, isMet, text, reached) => {
    expect(judge(goal)).toEqual({ subject: 'ours', limit, isMet, text, reached });
  });

  test('leaves out what cannot be judged', () => {
    expect(judge({ kind: 'times', atMost: 2, of: ['c'] })).toBeUndefined();
    expect(judge({ kind: 'times', atMost: 2, of: ['a', 'c'] })).toBeUndefined();
    const goal = { subject: 'c', kind: 'absolute', atMost: 1, of: [] } as const;
    expect(judgeGoals([goal], standings, 'ms')).toEqual([]);
  });
});

describe('compareToOurs', () => {
  const figures = spread([10]);
  const ours: Standing = { name: 'ours', isOurs: true, figures };
  const other: Standing = { name: 'other', isOurs: false, figures: spread([40]) };

  test('divides our median by the other', () => {
    expect(compareToOurs(other, [ours, other])).toBe(0.25);
  });

  test('does not compare us with ourselves, or with nobody', () => {
    expect(compareToOurs(ours, [ours, other])).toBeUndefined();
    expect(compareToOurs(other, [other])).toBeUndefined();
    expect(compareToOurs({ name: 'x', isOurs: false, skipped: '' }, [ours])).toBeUndefined();
  });
});

describe('formatFigure', () => {
  test.each([
    [46.24, 'ms', '46.2 ms'],
    [1314, 'ms', '1.31 s'],
    [64_614, 'KiB', '63.1 MiB'],
    [803_104, 'bytes', '803,104 bytes'],
  ] as const)('%d %s', (figure, unit, text) => {
    expect(formatFigure(figure, unit)).toBe(text);
  });
});

describe('chooseExitCode', () => {
  const met = makeResult('met', { isMet: true });
  const missed = makeResult('missed', { isMet: false });
  const skipped = { ...makeResult('skipped'), goals: [], standings: [], skipped: 'no curl' };
  const failed = { ...makeResult('failed'), goals: [], standings: [], failed: 'exit code 1' };

  test.each([
    ['met goals', [met], 0, 0],
    ['a missed goal', [met, missed], 0, 1],
    ['a skipped line', [met, skipped], 0, 0],
    ['a failed line', [met, failed], 1, 1],
  ] as const)('%s', (_, lines, plain, checked) => {
    expect(chooseExitCode(lines, false)).toBe(plain);
    expect(chooseExitCode(lines, true)).toBe(checked);
  });
});

describe('the lines', () => {
  test('have the goals that are set', () => {
    const goals = LINES.flatMap(({ name, goals: set }) =>
      set.map(({ kind, atMost, of }) => `${name} ${kind} ${atMost} ${of.join()}`.trim()),
    );
    expect(goals).toEqual([
      'small times 2.2 floor',
      'small times 0.85 peer',
      'tls times 1.6 curl',
      'tls times 1 curl; sha256sum',
      'plain times 1.9 curl,openssl',
      'memory absolute 122880',
      'memory plus 46080 bare',
      'memory plus 46080 bare',
      'memory plus 46080 bare',
      'memory times 1.05 64 MiB',
      'search times 3 find',
      'literal times 1.1 one file',
      'batch times 0.025 scaled singles',
      'distant times 0.05 scaled singles',
      'bundle absolute 750000',
    ]);
  });
});
