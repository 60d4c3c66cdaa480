import * as core from '@actions/core';
import { InputError } from '../errors.ts';

/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
export function getText(name: string, fallback = ''): string {
  return core.getInput(name) || fallback;
}

/** What else to do about a required input that is empty: an expression for an unknown variable is empty too. */
export const CHECK_VARIABLE =
  'If it comes from a variable, check its name, and that this repository or environment has it.';

/** Whether an input that an upload requires may be empty: a dry run requires files alone. */
export function mayBeEmpty(): boolean {
  return /^true$/i.test(getText('dry-run'));
}

/** How each member of a record is read. A reader throws an InputError. */
type Readers<T, S extends readonly unknown[]> = {
  readonly [M in keyof T]: (...source: S) => T[M] | Promise<T[M]>;
};

/**
 * Reads all members, even if one is invalid. Throws one InputError with all problems, those with their own
 * fix first.
 */
export async function readAll<T, S extends readonly unknown[]>(
  readers: Readers<T, S>,
  ...source: S
): Promise<T> {
  const values: Partial<T> = {};
  const errors: InputError[] = [];
  for (const member in readers) {
    try {
      values[member] = await readers[member](...source);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      errors.push(error);
    }
  }
  if (isComplete(values, readers)) return values;
  const first = errors.find(({ fixes }) => fixes.length > 0);
  const problems = [first, ...errors].flatMap((error) => error?.problems ?? []);
  // Members that depend on the same invalid input throw the same problem.
  throw new InputError([...new Set(problems)], first?.fixes);
}

function isComplete<T>(values: Partial<T>, readers: object): values is T {
  return Object.keys(readers).every((member) => Object.hasOwn(values, member));
}
