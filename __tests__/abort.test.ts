import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { settleWithin, sleep } from '../src/abort.ts';
import { CancelledError } from '../src/errors.ts';

const REASON = new CancelledError('SIGTERM');
const MODULE = pathToFileURL(join(import.meta.dirname, '..', 'src', 'abort.ts')).href;

/** Runs an expression in a separate process. Returns its output and its exit code. */
function runAlone(expression: string): readonly [string, number | null] {
  const script =
    `import { settleWithin, sleep } from '${MODULE}';` +
    `const { signal } = new AbortController(); console.log(await ${expression});`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return [stdout.trim(), status];
}

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

  test.each([
    [
      'keeps the process alive for a promise that never settles',
      'settleWithin(new Promise(() => {}), signal, 50).catch(({ message }) => message)',
      'No result within 50 ms.',
    ],
    [
      'does not keep the process alive once the signal has fired',
      "settleWithin(new Promise(() => {}), AbortSignal.abort('end')).catch(({ message }) => message)",
      'end',
    ],
    [
      'does not keep the process alive once the promise has settled',
      'settleWithin(Promise.resolve(1), signal)',
      '1',
    ],
  ])('%s', (_, expression, printed) => {
    expect(runAlone(expression)).toEqual([printed, 0]);
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

  test('keeps the process alive', () => {
    expect(runAlone('sleep(50, signal)')).toEqual(['undefined', 0]);
  });
});
