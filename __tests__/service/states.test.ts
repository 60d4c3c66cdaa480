import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { State } from '../../src/service/attempt.ts';
import { StateTimer, findLimit } from '../../src/service/states.ts';
import type { ExchangeLimits, Now } from '../../src/service/states.ts';

const LIMITS: ExchangeLimits = { stallMs: 60_000, connectMs: 20_000, headMs: 300, continueMs: 100 };
const SENDING = { state: 'sending' } as const;
const WAITING = { state: 'waiting' } as const;

function connecting(addresses: number): Now {
  return { state: 'connecting', addresses };
}

describe('findLimit', () => {
  test.each<[Now, number, Partial<ExchangeLimits>]>([
    [{ state: 'resolving' }, 60_000, {}],
    [connecting(0), 20_000, {}],
    [connecting(4), 20_000, {}],
    [connecting(5), 25_000, {}],
    [connecting(100), 60_000, {}],
    [connecting(5), 1000, { stallMs: 1000 }],
    [{ state: 'tunnelling' }, 60_000, {}],
    [{ state: 'asking' }, 100, {}],
    [SENDING, 60_000, {}],
    [{ state: 'flushing' }, 60_000, {}],
    [WAITING, 300, {}],
  ])('returns for %j: %i ms (%j)', (now, limitMs, limits) => {
    expect(findLimit(now, { ...LIMITS, ...limits })).toBe(limitMs);
  });
});

describe('StateTimer', () => {
  const onExpire = jest.fn();
  const entered: State[] = [];
  let timer: StateTimer;

  beforeEach(() => {
    jest.useFakeTimers();
    onExpire.mockReset();
    entered.length = 0;
    timer = new StateTimer({ ...LIMITS, stallMs: 100 }, (state) => entered.push(state));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('expires once the limit of a state has passed', () => {
    timer.enter(WAITING, onExpire);
    jest.advanceTimersByTime(299);
    expect(onExpire).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onExpire.mock.calls).toEqual([[300]]);
  });

  test('starts again with every progress', () => {
    timer.enter(SENDING, onExpire);
    for (let step = 0; step < 5; step += 1) {
      jest.advanceTimersByTime(99);
      timer.noteProgress();
    }
    jest.advanceTimersByTime(99);
    expect(onExpire).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  test('replaces the limit of the previous state', () => {
    const first = jest.fn();
    timer.enter(SENDING, first);
    timer.enter(WAITING, onExpire);
    jest.advanceTimersByTime(300);
    expect(first).not.toHaveBeenCalled();
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  test('does not expire once stopped', () => {
    timer.noteProgress();
    timer.enter(SENDING, onExpire);
    timer.stop();
    timer.noteProgress();
    jest.advanceTimersByTime(1000);
    expect(onExpire).not.toHaveBeenCalled();
  });

  test('records and reports when each state started, once', () => {
    jest.advanceTimersByTime(500);
    timer = new StateTimer(LIMITS, (state) => entered.push(state));
    timer.enter(connecting(1), onExpire);
    jest.advanceTimersByTime(40);
    timer.enter(connecting(2), onExpire);
    timer.enter(SENDING, onExpire);
    expect(timer.starts).toEqual([
      { state: 'connecting', atMs: 0 },
      { state: 'sending', atMs: 40 },
    ]);
    expect(entered).toEqual(['connecting', 'sending']);
  });
});
