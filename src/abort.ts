import { toError } from './errors.ts';

/** The longest delay of setTimeout, about 25 days; longer ones fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Waits for `promise`, but no longer than until `signal` fires or `limitMs` have passed; rejects with
 * the signal's reason or with the error that `onLimit` returns. The timer keeps the process alive:
 * otherwise a promise that never settles would end it with exit code 0.
 */
export async function settleWithin<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  limitMs: number = MAX_TIMER_MS,
  onLimit: () => Error = () => new Error(`No result within ${limitMs} ms.`),
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(onLimit()), limitMs);
    const abort = (): void => {
      // The promise may never settle: without this the timer would keep the process alive.
      clearTimeout(timer);
      reject(toError(signal.reason));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    });
  });
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await settleWithin(waiting, signal);
  } finally {
    clearTimeout(timer);
  }
}
