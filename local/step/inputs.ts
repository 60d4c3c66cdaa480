import type { ManifestInput } from './manifest.ts';

/** A step's inputs as the runner hands them over, and what it says about them. */
export interface ResolvedInputs {
  /** INPUT_* variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Warnings of the runner: deprecated and unexpected inputs. */
  readonly warnings: readonly string[];
}

/**
 * Merges a step's `with` with the defaults of `action.yml`, after ActionRunner.cs: names have no
 * case, an input given as an empty text stays empty, required ones are not enforced.
 */
export function resolveInputs(
  given: Readonly<Record<string, string>>,
  declared: readonly ManifestInput[],
): ResolvedInputs {
  const values = new Map<string, string>();
  for (const { name, default: text } of declared) {
    values.set(toVariable(name), text);
  }
  for (const [name, value] of Object.entries(given)) {
    values.set(toVariable(name), value);
  }
  return { variables: Object.fromEntries(values), warnings: findWarnings(given, declared) };
}

/** The variable of an input: upper case, spaces as `_`, hyphens kept (Handler.cs). */
export function toVariable(input: string): string {
  return `INPUT_${input.replaceAll(' ', '_').toUpperCase()}`;
}

function findWarnings(
  given: Readonly<Record<string, string>>,
  declared: readonly ManifestInput[],
): string[] {
  const byKey = new Map(declared.map((input) => [input.name.toLowerCase(), input]));
  const deprecated = Object.keys(given).flatMap((name) => {
    const message = byKey.get(name.toLowerCase())?.deprecationMessage;
    return message === undefined
      ? []
      : [`Input '${name}' has been deprecated with message: ${message}`];
  });
  const unexpected = Object.keys(given).filter((name) => !byKey.has(name.toLowerCase()));
  const valid = declared.map(({ name }) => name).join("', '");
  return unexpected.length === 0
    ? deprecated
    : [
        ...deprecated,
        `Unexpected input(s) '${unexpected.join("', '")}', valid inputs are ['${valid}']`,
      ];
}
