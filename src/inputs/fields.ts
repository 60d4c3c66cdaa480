import { resolve } from 'node:path';
import { getInput } from '@actions/core';
import { InputError, errorCode, errorMessage } from '../errors.ts';
import { findUnexpanded } from '../expressions.ts';
import { readSmallFile } from '../files/regular-file.ts';

/** The largest file besides the scans: enough for `scans` with 1,000 long paths. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

const MISSING_FIX = 'Create it, or check out the repository, before this step.';

/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
export function readInput(name: string, fallback = ''): string {
  return getInput(name) || fallback;
}

/**
 * The bytes of a small file that an input names, relative to the workspace or absolute. Throws an InputError that says
 * why it cannot be read.
 */
export async function readInputFile(
  input: string,
  path: string,
  workspace: string,
): Promise<Buffer> {
  try {
    return await readSmallFile(resolve(workspace, path), MAX_FILE_BYTES);
  } catch (error) {
    const code = errorCode(error) ?? errorMessage(error);
    const isMissing = code === 'ENOENT';
    const problem = isMissing ? 'does not exist.' : `cannot be read (${code}).`;
    const advice = isMissing ? ` ${findUnexpanded(path) ?? MISSING_FIX}` : '';
    throw new InputError(`\`${input}\`: the file '${path}' ${problem}${advice}`);
  }
}

/** Whether a text can only be the path of a file: it ends in an extension, unlike any key or token. */
export function isFilePath(text: string): boolean {
  return /^[^\r\n]{1,255}\.[a-z]\w{0,4}$/i.test(text);
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
      this.add(error);
      return fallback;
    }
  }

  /** Adds an InputError; throws any other error. */
  add(error: unknown): void {
    if (!(error instanceof InputError)) throw error;
    for (const problem of error.problems) this.#problems.add(problem);
    for (const fix of error.fixes) this.#fixes.add(fix);
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
