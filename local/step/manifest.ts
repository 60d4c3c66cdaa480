import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** One input that an action declares. */
export interface ManifestInput {
  readonly name: string;
  readonly description: string;
  /** The default as text; empty when there is none, as in the runner. */
  readonly default: string;
}

/** The parts of a JavaScript action's `action.yml` that the runner uses. */
export interface ActionManifest {
  /** Script, relative to the action's directory. */
  readonly main: string;
  readonly inputs: readonly ManifestInput[];
}

/** Reads a directory's `action.yml`. Throws when there is none, and when it is not YAML. */
export async function readManifest(directory: string): Promise<ActionManifest> {
  const source = await readFile(join(directory, 'action.yml'), 'utf8');
  const { runs, inputs } = readMembers(load(source));
  return {
    main: readScalar(readMembers(runs)['main']),
    inputs: Object.entries(readMembers(inputs)).map(readInput),
  };
}

function readInput([name, input]: readonly [string, unknown]): ManifestInput {
  const { description, default: fallback } = readMembers(input);
  return {
    name,
    description: readScalar(description).trim(),
    default: readScalar(fallback),
  };
}

/** A scalar as text, `false` and `8` included; empty when absent or null. */
function readScalar(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
