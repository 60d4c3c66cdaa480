import type { FileCommands } from './file-commands.ts';

/** Folders and files a step's environment points to. */
export interface StepPlaces {
  readonly action: string;
  readonly workspace: string;
  readonly runnerTemp: string;
  readonly eventFile: string;
  readonly files: FileCommands;
}

// What a process needs of the machine. Its proxy, TLS and Node variables stay outside on purpose.
const INHERITED = [
  'PATH',
  'HOME',
  'TMPDIR',
  // Windows
  'ComSpec',
  'PATHEXT',
  'SystemRoot',
  'TEMP',
  'TMP',
  'USERPROFILE',
] as const;

const OS_NAMES: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};

/** The variables the runner gives every step, for an invented run of an invented repository. */
export function describeRun(places: StepPlaces): Record<string, string> {
  return {
    ...inheritEnvironment(),
    ...describeEvent(places.eventFile),
    ...places.files,
    CI: 'true',
    GITHUB_ACTION: '__local',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: places.action,
    GITHUB_WORKSPACE: places.workspace,
    RUNNER_ARCH: process.arch.toUpperCase(),
    RUNNER_ENVIRONMENT: 'self-hosted',
    RUNNER_NAME: 'local',
    RUNNER_OS: OS_NAMES[process.platform] ?? process.platform,
    RUNNER_TEMP: places.runnerTemp,
    RUNNER_TOOL_CACHE: places.runnerTemp,
  };
}

function describeEvent(eventFile: string): Record<string, string> {
  const sha = '0'.repeat(40);
  return {
    GITHUB_ACTOR: 'octocat',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
    GITHUB_JOB: 'scan',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REF_NAME: 'main',
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REPOSITORY: 'octocat/hello-world',
    GITHUB_REPOSITORY_OWNER: 'octocat',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '1',
    GITHUB_RUN_NUMBER: '1',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: sha,
    GITHUB_WORKFLOW: 'local',
  };
}

function inheritEnvironment(): Record<string, string> {
  const present = INHERITED.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(present);
}
