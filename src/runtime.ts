import { existsSync } from 'node:fs';
import { StepError } from './errors.ts';

/** The Node that action.yml names. */
const REQUIRED_MAJOR = 24;

/** Where the runner has put things for this job. */
interface Runtime {
  /** The workspace, absolute. */
  readonly workspace: string;
  /** The runner's temporary folder, absolute, if it has one. */
  readonly temp: string | undefined;
}

/**
 * Reads the runner's variables and makes sure of its Node: older runners, act and Gitea may bring
 * another. Throws a StepError.
 */
export function readRuntime(
  env: NodeJS.ProcessEnv = process.env,
  nodeVersion = process.versions.node,
): Runtime {
  if (Number(nodeVersion.split('.')[0]) < REQUIRED_MAJOR) {
    throw new StepError('runtime', [
      `This action needs Node ${REQUIRED_MAJOR} and was started with Node ${nodeVersion}: use GitHub Actions Runner v2.327.1 or later, or a runner that brings Node ${REQUIRED_MAJOR}.`,
    ]);
  }
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  if (!existsSync(workspace)) {
    throw new StepError('runtime', [
      `The workspace '${workspace}' (GITHUB_WORKSPACE) is not there.`,
    ]);
  }
  return { workspace, temp: env.RUNNER_TEMP || undefined };
}
