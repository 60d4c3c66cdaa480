import { getInput } from '@actions/core';
import { InputError } from '../errors.ts';

/** The names of the inputs that were read: in the end, of all in action.yml. */
export const INPUT_NAMES = new Set<string>();

/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
export function getText(name: string, fallback = ''): string {
  INPUT_NAMES.add(name);
  return getInput(name) || fallback;
}

/** What to do about required inputs that are empty, all together. */
export const EMPTY_FIX =
  'If an expression is empty, check the name in it, and that this repository, or an environment that the job names (`environment:`), has it; for `vars` as a variable, not as a secret. The output of another job needs `outputs:` there and `needs:` here.';

const EXPRESSION =
  /^(?:\$?\{?\{? *(?:secrets|vars|env)\.[a-z_][\w-]{0,99} *\}?\}?|\$\{\{[^{}\r\n]{1,100}\}\})$/i;
const VARIABLE = /^(?:\$(?:env:)?[a-z_]\w{0,99}|\$\{\w{1,99}\}|\$\(\w{1,99}\)|%\w{1,99}%)$/i;

/** Whether a text is an expression that was not evaluated, or the name of a variable in capitals, so that it is no secret. */
export function isUnevaluated(text: string): boolean {
  return EXPRESSION.test(text) || (VARIABLE.test(text) && /^\W+(?:env:)?[A-Z_]+\d?\W?$/.test(text));
}

/** Throws an InputError for a text that stands for another one. Nothing is shown that may be a token. */
export function refuseUnevaluated(name: string, text: string): void {
  if (EXPRESSION.test(text)) {
    const fix = /^\$\{\{.*\}\}$/.test(text)
      ? 'it is evaluated only in the workflow file'
      : `write \${{ ${text.replaceAll(/[\s{}$]/g, '')} }}`;
    throw new InputError(`\`${name}\` is the text ${text}: ${fix}.`);
  }
  if (VARIABLE.test(text)) {
    const variable = isUnevaluated(text) ? text.replace(/^\$env:|\W/g, '') : 'NAME';
    const contexts = name === 'token' ? ['secrets'] : ['vars', 'env'];
    const written = contexts.map((context) => `\${{ ${context}.${variable} }}`).join(' or ');
    throw new InputError(
      `\`${name}\` is the name of a variable of the shell, which \`with:\` does not replace. Write ${written}.`,
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

/** Reads all members, even if one is invalid. Throws one InputError with all problems. */
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
  // Members that depend on the same invalid input throw the same problem.
  const problems = new Set(errors.flatMap((error) => error.problems));
  throw new InputError([...problems], [...new Set(errors.flatMap(({ fixes }) => fixes))]);
}

function isComplete<T>(values: Partial<T>, readers: object): values is T {
  return Object.keys(readers).every((member) => Object.hasOwn(values, member));
}
