import { describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { settleWithin, sleep } from '../src/abort.ts';
import { CancelledError } from '../src/errors.ts';
import { evaluate } from './support/evaluate.ts';

const REASON = new CancelledError('SIGTERM');
describe('settleWithin', () => {
  test('settles like the promise if that settles in time', async () => {
    const { signal } = new AbortController();
    await expect(settleWithin(Promise.resolve(1), signal, 1000)).resolves.toBe(1);
    await expect(settleWithin(Promise.reject(REASON), signal, 1000)).rejects.toBe(REASON);
    await setImmediate();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('rejects once the limit has passed', async () => {
    const { signal } = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    await expect(settleWithin(promise, signal, 5)).rejects.toThrow(/^No result within 5 ms\.$/);
    await expect(settleWithin(promise, signal, 5, () => REASON)).rejects.toBe(REASON);
    resolve();
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

  test('causes no unhandled rejection if the promise rejects later', async () => {
    const signal = AbortSignal.abort(REASON);
    const { promise, reject } = Promise.withResolvers<void>();
    await expect(settleWithin(promise, signal)).rejects.toBe(REASON);
    reject(new Error('late'));
    await setImmediate();
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

// The process prints the value and ends by itself: else it has no output, or is killed.
test.each([
  ['while it sleeps', 'sleep(50, signal)', 'undefined'],
  ['until the limit', 'settleWithin(never, signal, 50)', 'Error: No result within 50 ms.'],
  ['not once the signal has fired', "settleWithin(never, AbortSignal.abort('end'))", 'Error: end'],
  ['not once the promise has settled', 'settleWithin(Promise.resolve(1), signal)', '1'],
])('keeps the process alive %s', (_, expression, printed) => {
  const wait = `(never, signal) => m.${expression}.catch(String)`;
  const value = `(${wait})(new Promise(() => {}), new AbortController().signal)`;
  expect(evaluate('abort.ts', value)).toBe(printed);
});
