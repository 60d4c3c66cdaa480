import type { ManifestInput } from './manifest.ts';

/** A step's inputs as the runner passes them, and what it says about them. */
export interface ResolvedInputs {
  /** INPUT_* variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The runner's warning about inputs that the action does not have. */
  readonly warnings: readonly string[];
}

/**
 * Merges a step's `with` with the defaults of `action.yml`, after ActionRunner.cs: names are
 * case-insensitive, an empty text stays empty, required inputs are not enforced.
 */
export function resolveInputs(
  given: Readonly<Record<string, string>>,
  declared: readonly ManifestInput[],
): ResolvedInputs {
  const defaults = declared.map((input) => [input.name, input.default] as const);
  const variables = [...defaults, ...Object.entries(given)].map(
    // Upper case, spaces as `_`, hyphens kept (Handler.cs).
    ([name, value]) => [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, value] as const,
  );
  const names = declared.map(({ name }) => name);
  const known = new Set(names.map((name) => name.toLowerCase()));
  const unexpected = Object.keys(given).filter((name) => !known.has(name.toLowerCase()));
  const message = `Unexpected input(s) '${unexpected.join("', '")}', valid inputs are ['${names.join("', '")}']`;
  return {
    variables: Object.fromEntries(variables),
    warnings: unexpected.length === 0 ? [] : [message],
  };
}
