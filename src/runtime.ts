import { access, stat } from 'node:fs/promises';
import { StepError } from './errors.ts';

/** The major version of Node in action.yml. */
const REQUIRED_MAJOR = 24;
const NODE_FIXES = [
  "act, Gitea and Forgejo start the action with the Node of the job's image: use one with Node 24, for example `container: node:24-bookworm`.",
  "GitHub's runner has Node 24 from version 2.327.1: update an older one.",
];

/** Throws a StepError for an older Node: older runners and the images of other engines may have one. */
export function checkNode(version = process.versions.node): void {
  if (Number(version.split('.')[0]) >= REQUIRED_MAJOR) return;
  const problem = `This action needs Node ${REQUIRED_MAJOR} and was started with Node ${version}.`;
  throw new StepError('runner', problem, NODE_FIXES);
}

/** The absolute path of the workspace; without a runner the working directory. Throws a StepError if it does not exist. */
export async function findWorkspace(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  try {
    await access(workspace);
    return workspace;
  } catch {
    // Otherwise no pattern would match, which `if-no-files-found` may allow.
    const problem = `The workspace '${workspace}' (GITHUB_WORKSPACE) does not exist.`;
    throw new StepError(
      'runner',
      problem,
      'Mount the workspace at this path in the container that runs the action, or set GITHUB_WORKSPACE to a directory that exists.',
    );
  }
}

/**
 * When the job began, in milliseconds since 1970: the runner writes the event's payload then. `-Infinity` if that is
 * not known.
 */
export async function findJobStart(env: NodeJS.ProcessEnv = process.env): Promise<number> {
  try {
    const { mtimeMs } = await stat(env.GITHUB_EVENT_PATH ?? '');
    return mtimeMs;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
