import { InputError } from '../../src/errors.ts';

/** The value that is read, or the problems if it is refused. */
export type Reading<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value?: undefined; readonly problems: readonly string[] };

/** Reads an input. Throws errors other than InputError. */
export function tryRead<T>(read: () => T): Reading<T> {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    if (error instanceof InputError) return { problems: error.problems };
    throw error;
  }
}

/** Reads an input that takes turns with timers. Rejects with errors other than InputError. */
export async function tryReadLater<T>(read: Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await read, problems: [] };
  } catch (error) {
    return tryRead(() => {
      throw error;
    });
  }
}
