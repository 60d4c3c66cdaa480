import type { StepSituation } from '../../situations.ts';
import { STATE_WORDS, adviseLater } from './context.ts';
import type { StepContext, Words } from './context.ts';

/** The repository in links, unless the runner names that of the action that runs. */
const REPOSITORY = 'https://github.com/your-org/scan-upload-action';
const MATCH_ONE =
  'Make the pattern match one file. To upload each file as a scan of its own, use `scans`; for an SBOM and its report, `dependencies-file` and `vulnerabilities-file`.';

/** The words for what the action itself finds. */
export const STEP_WORDS: Readonly<Record<StepSituation, Words<StepContext>>> = {
  'input-invalid': {
    fix: orFix(
      'Correct it in the workflow file, or in the secret, variable or environment variable that it comes from.',
    ),
  },
  'token-empty': {
    fix: () =>
      [
        'Check the name of the secret in the workflow, and that this repository, or the environment of the job, has it. A reusable workflow gets a secret only by its name or with "secrets: inherit".',
        `Runs for forks and Dependabot get no secrets, runs for forks no variables either: set \`dry-run: true\` for them, or use two workflows: ${linkForks()}.`,
        'To upload without a token, set `auth: oidc` or `auth: none`.',
      ].join('\n'),
  },
  'no-file': {
    fix: orFix(
      'Correct the pattern, or the step that should have written the file: check that it ran, and the path of its output.',
    ),
  },
  'several-files': {
    fix: orFix(MATCH_ONE),
  },
  'files-undecided': {
    fix: orFix(MATCH_ONE),
  },
  'pattern-invalid': {
    fix: orFix('Correct the pattern.'),
  },
  'file-outside': {
    fix: orFix('Name the file itself. For hidden files set `include-hidden-files`.'),
  },
  'file-unreadable': {
    fix: orFix(
      "Give the runner's user permission to read it (`EPERM`, `EACCES`), or upload it after the program that locks it has ended (`EBUSY`).",
    ),
  },
  'file-changed': {
    fix: orFix('Upload the file after the scan step has finished writing it.'),
  },
  'content-wrong': {
    fix: orFix('Fix the scan step: it failed, or is still writing the file.'),
  },
  'files-swapped': {
    fix: orFix(
      'Set `dependencies-file` to the SBOM and `vulnerabilities-file` to the report. They must be two files.',
    ),
  },
  'node-too-old': {
    fix: orFix(
      "act, Gitea and Forgejo start the action with the Node of the job's image: use one with Node 24, for example `container: node:24-bookworm`.\nGitHub's runner has Node 24 from version 2.327.1: update an older one.",
    ),
  },
  'workspace-missing': {
    fix: () =>
      'Mount the workspace at this path in the container that runs the action, or set GITHUB_WORKSPACE to a directory that exists.',
  },
  'oidc-permission': {
    fix: () => 'Give the job the permission `id-token: write`.',
  },
  'oidc-failed': {
    fix: (context) =>
      `${adviseLater(context)}. On a runner of your own, check that it reaches GitHub's token service.`,
  },
  'other-scans': {
    fix: () => 'Fix the scans that the message names.',
  },
  'wait-too-long': {
    fix: orFix('Re-run the failed jobs later, or increase `timeout-seconds`.'),
  },
  'time-limit': {
    headline: addState,
    fix: ({ result }) =>
      result === 'unconfirmed'
        ? 'Check the service first. Then increase `timeout-seconds`; if it never responds, ask its operators.'
        : 'Increase `timeout-seconds`.',
  },
  cancelled: {
    headline: ({ result }) =>
      result === 'unconfirmed'
        ? 'Cancelled: the upload is unconfirmed.'
        : 'Cancelled: the scan was not uploaded.',
    details: (context) => (context.problems.length === 0 ? [] : [addState(context)]),
    fix: ({ result }) =>
      result === 'unconfirmed'
        ? 'Check the service before you run the step again.'
        : 'Run the step again to upload the scan.',
  },
  unexpected: {
    headline: addState,
    fix: () => 'Report this message to the maintainers of the action.',
  },
};

/** What the error says about its fix, else `fix`. */
function orFix(fix: string): Words<StepContext>['fix'] {
  return ({ fixes }) => (fixes.length === 0 ? fix : fixes.join('\n'));
}

/** Where the README shows how to upload the scans of forks. */
function linkForks(): string {
  const { GITHUB_SERVER_URL: server = '', GITHUB_ACTION_REPOSITORY: name = '' } = process.env;
  const isNamed = server !== '' && /^[\w-]+\/[\w.-]+$/.test(name);
  return `${isNamed ? `${server}/${name}` : REPOSITORY}#pull-requests-from-forks`;
}

/** What the error says, and where the attempt was. */
function addState({ problems, state }: StepContext): string {
  const [problem = ''] = problems;
  if (state === undefined) return problem;
  // The message of an unexpected error may have no full stop.
  return `${problem.replace(/(?<![.!?])$/, '.')} This happened ${STATE_WORDS[state]}.`;
}
