import * as core from '@actions/core';
import { InputError } from '../errors.ts';

/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
export function getText(name: string, fallback = ''): string {
  return core.getInput(name) || fallback;
}

/** What else to do about a required input that is empty: an expression for an unknown variable is empty too. */
export const CHECK_VARIABLE =
  'If it comes from a variable, check its name, and that this repository or environment has it.';

/** Whether a flag is anything but `false`: for decisions that are needed even if the flag is invalid. */
export function mayBeOn(name: string): boolean {
  return getText(name, 'false').toLowerCase() !== 'false';
}

/** Whether an input that an upload requires may be empty: a dry run requires files alone. */
export function mayBeEmpty(): boolean {
  return /^true$/i.test(getText('dry-run'));
}

/** How each member of a record is read from a source. A reader throws an InputError. */
type Readers<T, S> = { readonly [M in keyof T]: (source: S) => T[M] | Promise<T[M]> };

/** The members of a record, or those that are valid and the problems of all others. */
type Reading<T> =
  | { readonly values: T; readonly error?: undefined }
  | { readonly values: Partial<T>; readonly error: InputError };

/** Reads all members, even if one is invalid. An error with a situation of its own comes first. */
export async function tryReadAll<T, S>(readers: Readers<T, S>, source: S): Promise<Reading<T>> {
  const values: Partial<T> = {};
  const errors: InputError[] = [];
  for (const member in readers) {
    try {
      values[member] = await readers[member](source);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      errors.push(error);
    }
  }
  if (isComplete(values, readers)) return { values };
  const first = errors.find(({ fixes }) => fixes.length > 0);
  const problems = [first, ...errors].flatMap((error) => error?.problems ?? []);
  // Members that depend on the same invalid input throw the same problem.
  return { values, error: new InputError([...new Set(problems)], first?.fixes) };
}

/** The same, but throws the error. */
export async function readAll<T, S>(readers: Readers<T, S>, source: S): Promise<T> {
  const { values, error } = await tryReadAll(readers, source);
  if (error !== undefined) throw error;
  return values;
}

function isComplete<T>(values: Partial<T>, readers: Readers<T, never>): values is T {
  return Object.keys(readers).every((member) => Object.hasOwn(values, member));
}
