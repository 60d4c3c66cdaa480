import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** One input an action declares. */
export interface ManifestInput {
  readonly name: string;
  /** What it says of itself, on one line. */
  readonly description: string;
  /** The default as text; empty when there is none, as in the runner. */
  readonly default: string;
  /** The message shown when a step sets a deprecated input. */
  readonly deprecationMessage: string | undefined;
}

/** What the runner needs of a JavaScript action's `action.yml`. */
export interface ActionManifest {
  /** Script, relative to the action's folder. */
  readonly main: string;
  readonly inputs: readonly ManifestInput[];
}

/**
 * Reads a folder's `action.yml`. Throws when there is none, when it is not YAML or no JavaScript
 * action, and when a default is an expression, which only a real runner can evaluate.
 */
export async function readManifest(folder: string): Promise<ActionManifest> {
  const path = join(folder, 'action.yml');
  const manifest = load(await readFile(path, 'utf8'));
  const runs = readMember(manifest, 'runs');
  const main = readScalar(runs, 'main');
  if (main === undefined || !/^node\d+$/.test(readScalar(runs, 'using') ?? '')) {
    throw new TypeError(`${path} is no JavaScript action: it needs runs.using node… and runs.main`);
  }
  const inputs = readMember(manifest, 'inputs');
  const names = typeof inputs === 'object' && inputs !== null ? Object.keys(inputs) : [];
  return { main, inputs: names.map((name) => readInput(name, readMember(inputs, name))) };
}

function readInput(name: string, input: unknown): ManifestInput {
  const text = readScalar(input, 'default') ?? '';
  if (text.includes('${{')) {
    throw new TypeError(`the default of input "${name}" is an expression: ${text}`);
  }
  return {
    name,
    description: readScalar(input, 'description')?.trim() ?? '',
    default: text,
    deprecationMessage: readScalar(input, 'deprecationMessage'),
  };
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A scalar as text, `false` and `8` included; undefined when absent or null. */
function readScalar(value: unknown, name: string): string | undefined {
  const member = readMember(value, name);
  if (typeof member === 'number' || typeof member === 'boolean') {
    return String(member);
  }
  return typeof member === 'string' ? member : undefined;
}
