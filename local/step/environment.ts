import { resolve } from 'node:path';
import type { StepOptions } from './types.ts';

// The variables of the machine that a process needs. Its proxy, TLS and Node variables are left out on purpose.
const UNIX = ['PATH', 'HOME', 'TMPDIR'];
const WINDOWS = ['ComSpec', 'PATHEXT', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE'];

/** The variables that the runner gives every step, for an invented run of an invented repository. */
export function describeRun(
  { action, workspace }: Pick<StepOptions, 'action' | 'workspace'>,
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
    GITHUB_ACTION_PATH: resolve(action),
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
