import { InputError } from '../../src/errors.ts';

/** The value that is read, or the problems if it is refused. */
export interface Reading<T> {
  readonly value?: T;
  readonly problems: readonly string[];
}

/** Reads an input. Rejects with errors other than InputError. */
export async function tryRead<T>(read: () => Promise<T> | T): Promise<Reading<T>> {
  try {
    return { value: await read(), problems: [] };
  } catch (error) {
    if (error instanceof InputError) return { problems: error.problems };
    throw error;
  }
}
