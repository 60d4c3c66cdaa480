import type { LineResult, Results } from '../../bench/speed/results.ts';
import { spread } from '../../bench/speed/statistics.ts';

/** A line with this action, another program and one goal. */
export function makeResult(
  name: string,
  { isMet = true, ours = 40, other = 100 }: Partial<Measured> = {},
): LineResult {
  return {
    name,
    title: `title of ${name}`,
    unit: 'ms',
    standings: [
      { name: 'ours', isOurs: true, figures: spread([ours - 1, ours, ours + 1]) },
      { name: 'other', isOurs: false, figures: spread([other]) },
    ],
    goals: [{ subject: 'ours', text: '<= 0.5 x other', reached: '0.40 x', limit: 50, isMet }],
  };
}

/** Results of these lines on an invented machine. */
export function makeResults(...lines: readonly LineResult[]): Results {
  const machine = {
    cpu: 'Z80 <"&\u0007',
    cores: 2,
    kernel: 'linux 6.1',
    node: 'v24.0.0',
    load: 0.3,
  };
  return { date: '2026-01-31', machine, lines };
}

interface Measured {
  readonly isMet: boolean;
  readonly ours: number;
  readonly other: number;
}
