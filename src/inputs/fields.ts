import { getInput } from '@actions/core';
import { InputError } from '../errors.ts';

/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
export function getText(name: string, fallback = ''): string {
  return getInput(name) || fallback;
}

/** What else to do about a required input that is empty: an expression for an unknown variable is empty too. */
export const CHECK_VARIABLE =
  'If it comes from a variable, check its name, and that this repository has it, or an environment that the job names (`environment:`).';

/** Whether a text is an expression of the workflow that was not evaluated, which is no secret. */
export function isUnevaluated(text: string): boolean {
  return /^(?:(?:secrets|vars|env)\.[a-z_][\w-]{0,99}|\$\{\{[^{}\r\n]{1,100}\}\})$/i.test(text);
}

/** Throws an InputError for a text that stands for another one. Only an expression is shown. */
export function refuseUnevaluated(name: string, text: string): void {
  if (isUnevaluated(text)) {
    const fix = text.startsWith('$')
      ? 'it is evaluated only in the workflow file'
      : `write \${{ ${text} }}`;
    throw new InputError(`\`${name}\` is the text ${text}: ${fix}.`);
  }
  if (/^(?:\$[a-z_]\w*|\$\{\w+\}|\$\(\w+\)|%\w+%)$/i.test(text)) {
    throw new InputError(
      `\`${name}\` is the name of a variable of the shell, which \`with:\` does not replace. Write \${{ env.NAME }} or \${{ secrets.NAME }}.`,
    );
  }
  if (/^(["']).*\1$/s.test(text)) throw new InputError(`\`${name}\` is in quotes. Remove them.`);
}

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
