import { describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { settleWithin, sleep } from '../src/abort.ts';
import { CancelledError } from '../src/errors.ts';
import { evaluate } from './support/evaluate.ts';

const REASON = new CancelledError('SIGTERM');
describe('settleWithin', () => {
  test('settles like the promise', async () => {
    const { signal } = new AbortController();
    await expect(settleWithin(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(settleWithin(Promise.reject(REASON), signal)).rejects.toBe(REASON);
    await setImmediate();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test("rejects with the signal's reason, before or while waiting", async () => {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = settleWithin(promise, controller.signal);
    controller.abort(REASON);
    await expect(waiting).rejects.toBe(REASON);
    await expect(settleWithin(promise, controller.signal)).rejects.toBe(REASON);
    resolve();
  });

  test('rejects with an Error even if the reason of the signal is a string', async () => {
    const signal = AbortSignal.abort('stop');
    await expect(settleWithin(Promise.resolve(1), signal)).rejects.toThrow(/^stop$/);
  });
});

describe('sleep', () => {
  test('waits for the given time, and removes its listener', async () => {
    const { signal } = new AbortController();
    const start = performance.now();
    await sleep(20, signal);
    expect(performance.now() - start).toBeGreaterThan(18);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test("ends at once with the signal's reason", async () => {
    const controller = new AbortController();
    const sleeping = sleep(60_000, controller.signal);
    controller.abort(REASON);
    await expect(sleeping).rejects.toBe(REASON);
    await expect(sleep(60_000, controller.signal)).rejects.toBe(REASON);
  });
});

// The process prints the value and ends by itself: else it has no output.
test('a process stays alive while it sleeps', () => {
  const value = 'm.sleep(50, new AbortController().signal)';
  expect(evaluate('abort.ts', value)).toBe('undefined');
});
