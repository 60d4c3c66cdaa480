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

/**
 * Reads a directory's `action.yml`. Throws when there is none, when it is not YAML or no JavaScript
 * action, and when a default is an expression, which only a real runner can evaluate.
 */
export async function readManifest(directory: string): Promise<ActionManifest> {
  const path = join(directory, 'action.yml');
  const { runs, inputs } = readMembers(load(await readFile(path, 'utf8')));
  const { using, main } = readMembers(runs);
  if (typeof main !== 'string' || !/^node\d+$/.test(String(using))) {
    throw new TypeError(`${path} is no JavaScript action: it needs runs.using node… and runs.main`);
  }
  return { main, inputs: Object.entries(readMembers(inputs)).map(readInput) };
}

function readInput([name, input]: readonly [string, unknown]): ManifestInput {
  const { description, default: fallback } = readMembers(input);
  const text = readScalar(fallback);
  if (text.includes('${{')) {
    throw new TypeError(`the default of input "${name}" is an expression: ${text}`);
  }
  return { name, description: readScalar(description).trim(), default: text };
}

/** A scalar as text, `false` and `8` included; empty when absent or null. */
function readScalar(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
