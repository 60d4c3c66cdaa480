import { getInput } from '@actions/core';
import { InputError } from '../errors.ts';

/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
export function getText(name: string, fallback = ''): string {
  return getInput(name) || fallback;
}

/** Collects what is wrong with inputs, so that one error names all of it. */
export class Problems {
  readonly #problems = new Set<string>();
  readonly #fixes = new Set<string>();

  /** What `read` returns, or `fallback` if it throws an InputError. */
  read<T>(fallback: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      return this.add(error, fallback);
    }
  }

  /** Adds an InputError, and returns `fallback`; throws any other error. */
  add<T>(error: unknown, fallback: T): T {
    if (!(error instanceof InputError)) throw error;
    for (const problem of error.problems) this.#problems.add(problem);
    for (const fix of error.fixes) this.#fixes.add(fix);
    return fallback;
  }

  /** Throws one InputError with all problems, if there are any, each after `place`. */
  throwAny(place = ''): void {
    const problems = Array.from(this.#problems, (problem) => `${place}${problem}`);
    if (problems.length > 0) throw new InputError(problems, [...this.#fixes]);
  }
}

/** What readers of several inputs need: `problems` takes what is wrong, and relative paths begin in `workspace`. */
export interface Reading {
  readonly problems: Problems;
  readonly workspace: string;
  /** Decided once: a dry run requires files alone. */
  readonly dryRun: boolean;
}
