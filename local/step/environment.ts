import type { FileCommands } from './file-commands.ts';

/** Directories and files that a step's environment points to. */
export interface StepPlaces {
  readonly action: string;
  readonly workspace: string;
  readonly runnerTemp: string;
  readonly eventFile: string;
  readonly files: FileCommands;
}

// The variables of the machine that a process needs. Its proxy, TLS and Node variables are left out on purpose.
const UNIX = ['PATH', 'HOME', 'TMPDIR'];
const WINDOWS = ['ComSpec', 'PATHEXT', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE'];

/** The variables that the runner gives every step, for an invented run of an invented repository. */
export function describeRun(places: StepPlaces): Record<string, string> {
  const inherited = [...UNIX, ...WINDOWS].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    ...places.files,
    CI: 'true',
    GITHUB_ACTION_PATH: places.action,
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: places.eventFile,
    GITHUB_JOB: 'scan',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REPOSITORY: 'octocat/hello-world',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '1',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: '0'.repeat(40),
    GITHUB_WORKFLOW: 'local',
    GITHUB_WORKSPACE: places.workspace,
    RUNNER_TEMP: places.runnerTemp,
    RUNNER_TOOL_CACHE: places.runnerTemp,
  };
}
