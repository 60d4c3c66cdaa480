import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { PhaseTimer, StalledError } from '../../src/service/phase-timer.ts';

describe('PhaseTimer', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('expires once the limit of a phase has passed, and names the phase', () => {
    const expired: StalledError[] = [];
    new PhaseTimer().enter('connect', 1500, (error) => expired.push(error));
    jest.advanceTimersByTime(1499);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(expired).toEqual([expect.any(StalledError)]);
    expect(expired[0]).toMatchObject({
      name: 'StalledError',
      phase: 'connect',
      limitMs: 1500,
      message: 'Nothing happened for 1.5 s (connect).',
    });
  });

  test('starts again with every progress', () => {
    const onExpire = jest.fn();
    const timer = new PhaseTimer();
    timer.enter('send', 100, onExpire);
    for (let step = 0; step < 5; step += 1) {
      jest.advanceTimersByTime(99);
      timer.noteProgress();
    }
    jest.advanceTimersByTime(99);
    expect(onExpire).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  test('replaces the limit of the previous phase', () => {
    const [first, second] = [jest.fn(), jest.fn()];
    const timer = new PhaseTimer();
    timer.enter('send', 100, first);
    timer.enter('head', 300, second);
    jest.advanceTimersByTime(300);
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledTimes(1);
  });

  test('does not expire once stopped', () => {
    const onExpire = jest.fn();
    const timer = new PhaseTimer();
    timer.noteProgress();
    timer.enter('body', 100, onExpire);
    timer.stop();
    timer.noteProgress();
    jest.advanceTimersByTime(1000);
    expect(onExpire).not.toHaveBeenCalled();
  });

  test('records when each phase started', () => {
    jest.advanceTimersByTime(500);
    const timer = new PhaseTimer();
    timer.enter('connect', 1000, () => {});
    jest.advanceTimersByTime(40);
    timer.enter('send', 1000, () => {});
    expect(timer.starts).toEqual([
      { phase: 'connect', atMs: 0 },
      { phase: 'send', atMs: 40 },
    ]);
  });
});
