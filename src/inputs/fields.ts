import { resolve } from 'node:path';
import { getInput } from '@actions/core';
import { InputError, errorReason } from '../errors.ts';
import { findUnexpanded } from '../expressions.ts';
import { readSmallFile } from '../files/regular-file.ts';

/** How large a file that is no scan may be. It is enough for `scans` with 1,000 long paths. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

const MISSING_FIX = 'Create it, or check out the repository, before this step.';

/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
export function readInput(name: string, fallback = ''): string {
  return getInput(name) || fallback;
}

/**
 * Reads a small file that an input names, relative to the workspace or absolute. Throws an InputError that says why it
 * cannot be read.
 */
export async function readInputFile(
  input: string,
  path: string,
  workspace: string,
): Promise<Buffer> {
  try {
    return await readSmallFile(resolve(workspace, path), MAX_FILE_BYTES);
  } catch (error) {
    const code = errorReason(error);
    const fault =
      code === 'ENOENT'
        ? `does not exist. ${findUnexpanded(path) ?? MISSING_FIX}`
        : `cannot be read (${code}).`;
    throw new InputError(`\`${input}\`: the file '${path}' ${fault}`);
  }
}

/** Whether a text can only be the path of a file: it ends in an extension, unlike any key or token. */
export function isFilePath(text: string): boolean {
  return /^[^\r\n]{1,255}\.[a-z]\w{0,4}$/i.test(text);
}

/** Collects what is wrong with inputs, so that one error names all of it. Every reader of an input throws an InputError. */
export class Faults {
  readonly #place: string;
  readonly #faults: Set<string>;
  readonly #fixes: Set<string>;

  constructor(place = '', faults = new Set<string>(), fixes = new Set<string>()) {
    this.#place = place;
    this.#faults = faults;
    this.#fixes = fixes;
  }

  /** The same collection, which takes no fixes. */
  withoutFixes(): Faults {
    return new Faults(this.#place, this.#faults);
  }

  /** The same collection, which writes `place` before each fault. */
  at(place: string): Faults {
    return new Faults(place, this.#faults, this.#fixes);
  }

  /** Returns what `read` returns, or `fallback` if it throws an InputError. */
  read<T>(fallback: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      return this.#collect(fallback, error);
    }
  }

  /** Does the same for a reader that returns a promise. */
  async readLater<T>(fallback: T, reading: Promise<T>): Promise<T> {
    return reading.catch((error: unknown) => this.#collect(fallback, error));
  }

  /** Throws one InputError with all faults, if there are any. */
  throwAny(): void {
    if (this.#faults.size > 0) throw new InputError([...this.#faults], [...this.#fixes]);
  }

  #collect<T>(fallback: T, error: unknown): T {
    if (!(error instanceof InputError)) throw error;
    for (const fault of error.faults) this.#faults.add(`${this.#place}${fault}`);
    for (const fix of error.fixes) this.#fixes.add(fix);
    return fallback;
  }
}

/** What readers of several inputs need. `faults` takes what is wrong, and relative paths begin in `workspace`. */
export interface Reading {
  readonly faults: Faults;
  readonly workspace: string;
  /** Whether nothing but the files is required. */
  readonly dryRun: boolean;
}
