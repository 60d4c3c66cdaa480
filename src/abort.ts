import { toError } from './errors.ts';

/** Settles as `promise`, which may never settle, or rejects with the reason of `signal` once that fires. */
export async function settleWithin<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(toError(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Resolves after `ms`, or rejects with the reason of `signal`. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await settleWithin(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
