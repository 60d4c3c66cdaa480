import { resolve } from 'node:path';
import type { ManifestInput } from './manifest.ts';
import type { StepOptions } from './types.ts';

// The variables of the machine that a process needs. Its proxy, TLS and Node variables are left out on purpose.
const UNIX = ['PATH', 'HOME', 'TMPDIR'];
const WINDOWS = ['ComSpec', 'PATHEXT', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE'];

/** The variables that the runner gives every step, for an invented run of an invented repository. */
export function describeRun(
  { workspace }: Pick<StepOptions, 'workspace'>,
  runnerTemp: string,
  eventPath: string,
): Record<string, string> {
  const inherited = [...UNIX, ...WINDOWS].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: eventPath,
    GITHUB_JOB: 'scan',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REPOSITORY: 'octocat/hello-world',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '1',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: '0'.repeat(40),
    GITHUB_WORKFLOW: 'local',
    GITHUB_WORKSPACE: resolve(workspace),
    RUNNER_TEMP: runnerTemp,
    RUNNER_TOOL_CACHE: runnerTemp,
  };
}

/** A step's inputs as the runner passes them, and what it says about them. */
interface ResolvedInputs {
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
