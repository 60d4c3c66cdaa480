import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ManifestInput } from '../step/manifest.ts';

/** What a command line asks for. */
export interface TryFlags {
  /** Inputs by name, without the token. */
  readonly inputs: Readonly<Record<string, string>>;
  /** GITHUB_WORKSPACE. */
  readonly workspace: string;
  /** Whether the step runs with debug logging. */
  readonly isDebug: boolean;
}

/** The command line is wrong; the message says how. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** The environment variable that holds the token: a command line is there for others to see. */
export const TOKEN_VARIABLE = 'SCAN_UPLOAD_TOKEN';

/** One line, for what is wrong with the command line. */
export const USAGE =
  'usage: npm run try -- --base-url URL --scan-key UUID --files PATTERNS [--<input> VALUE]... ' +
  '[--workspace DIR] [--debug] [--help]';

/** What `--help` prints. */
export function formatHelp(inputs: readonly ManifestInput[]): string {
  const flags = listFlags(inputs);
  const width = Math.max(...flags.map(({ name }) => name.length));
  const lines = flags.map(({ name, default: fallback, description }) => {
    const shown = fallback === '' ? '' : ` (${fallback})`;
    return `  --${name.padEnd(width)}  ${description}${shown}`;
  });
  return `${USAGE}

Runs the committed action as a runner would, and prints its log, its outputs and its job summary.
The token is read from the environment variable ${TOKEN_VARIABLE}. Files are looked for in the
folder that the command was started in, or in --workspace.

Inputs, with their defaults:
${lines.join('\n')}`;
}

/** Reads a command line; `folder` is where it was started. Throws a FlagError. */
export function readFlags(
  args: readonly string[],
  inputs: readonly ManifestInput[],
  folder: string,
): TryFlags | 'help' {
  if (args.some((arg) => arg === '--token' || arg.startsWith('--token='))) {
    throw new FlagError(`the token is read from the environment variable ${TOKEN_VARIABLE}`);
  }
  const { help, debug, workspace, ...others } = parse(args, inputs);
  if (help === true) return 'help';
  const given = Object.entries(others).map(([name, value]) => [name, String(value)] as const);
  if (given.length === 0) throw new FlagError('no input is given');
  return {
    inputs: Object.fromEntries(given),
    workspace: resolve(folder, typeof workspace === 'string' ? workspace : ''),
    isDebug: debug === true,
  };
}

function listFlags(inputs: readonly ManifestInput[]): readonly ManifestInput[] {
  return inputs.filter(({ name }) => name !== 'token');
}

function parse(
  args: readonly string[],
  inputs: readonly ManifestInput[],
): Readonly<Record<string, string | boolean | undefined>> {
  const names = listFlags(inputs).map(({ name }) => name);
  const options = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    workspace: { type: 'string' as const },
    debug: { type: 'boolean' as const },
    help: { type: 'boolean' as const },
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    // Node explains some mistakes in several lines; the first one says it.
    const [message] = String(cause)
      .replace(/^\w+(?: \[\w+\])?: /, '')
      .split('\n');
    throw new FlagError(message, { cause });
  }
}
