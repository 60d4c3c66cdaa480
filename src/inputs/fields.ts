import * as core from '@actions/core';
import { InputError } from '../errors.ts';
import { DECLARED } from './declared.ts';
import type { InputName } from './declared.ts';
import { parseBoolean, parseEnum, parseInteger } from './scalars.ts';

/** An input's text without surrounding white space; empty and absent both mean the default. */
export function getText(name: InputName): string {
  return core.getInput(name) || DECLARED[name];
}

/** Whether a flag is anything but `false`: for decisions that are needed even if the flag is invalid. */
export function mayBeOn(name: InputName): boolean {
  return getText(name).toLowerCase() !== 'false';
}

/** Reads fields one by one and collects their problems, so that all of them are reported together. */
export class FieldReader {
  readonly #errors = new Set<InputError>();
  readonly #mentioned: string[] = [];

  /**
   * Parses now, and returns a function for the value. That function throws the error of an invalid field,
   * so that a field that depends on it adds no second problem.
   */
  read<T>(parse: () => T): () => T {
    try {
      const value = parse();
      return () => value;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#errors.add(error);
      return () => {
        throw error;
      };
    }
  }

  /** The same for a value that takes time. */
  async readLater<T>(parsing: Promise<T>): Promise<() => T> {
    const outcome = await parsing.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    return this.read(outcome);
  }

  flag(name: InputName): () => boolean {
    return this.read(() => parseBoolean(name, getText(name)));
  }

  number(name: InputName, min: number, max: number): () => number {
    return this.read(() => parseInteger(name, getText(name), min, max));
  }

  choice<T extends string>(name: InputName, values: readonly T[]): () => T {
    return this.read(() => parseEnum(name, getText(name), values));
  }

  /** Adds problems that are reported together with others, but do not make `throwProblems` throw. */
  mention(problems: readonly string[]): void {
    for (const problem of problems) this.#mentioned.push(problem);
  }

  throwProblems(): void {
    if (this.#errors.size === 0) return;
    const problems = [...this.#errors].flatMap((error) => error.problems);
    // Two fields may read the same proxy variable.
    throw new InputError([...new Set(problems), ...this.#mentioned]);
  }
}
