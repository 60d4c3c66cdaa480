import { InputError } from '../../src/errors.ts';

/** What a text is read as, or the problems for which it is refused. */
export type Reading<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value?: undefined; readonly problems: readonly string[] };

/** Reads an input. An error that is no InputError goes through. */
export function tryRead<T>(read: () => T): Reading<T> {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    if (error instanceof InputError) return { problems: error.problems };
    throw error;
  }
}
