import type { ParsedCommand } from './commands.ts';

/** One entry of the annotations that a run's page shows. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string | undefined;
  /** Not masked. */
  readonly message: string;
}

/** The step to run. */
export interface StepOptions {
  /** Directory that holds `action.yml`. */
  readonly action: string;
  /** The step's `with`: input name to value. */
  readonly inputs: Readonly<Record<string, string>>;
  /** GITHUB_WORKSPACE and the directory that the action starts in. */
  readonly workspace: string;
  /** Further environment variables; they win over the runner's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** RUNNER_TEMP; by default a new directory that is removed after the step. */
  readonly runnerTemp?: string;
  /** Cancels the step: its process gets SIGINT. */
  readonly signal?: AbortSignal;
  /** Hard limit in milliseconds, SIGKILL; 300,000 by default. */
  readonly timeoutMs?: number;
  /** Called with each line of the log, as the runner shows it. */
  readonly onLogLine?: (line: string) => void;
  /** Called with each line as the step writes it. */
  readonly onOutput?: (line: string) => void;
}

/** The result of a step, as its runner sees it. */
export interface StepRun {
  /** Exit code; null when a signal ended the process. */
  readonly exitCode: number | null;
  /** The signal that ended the process. */
  readonly signal: NodeJS.Signals | null;
  /** Whether `timeoutMs` ended it. */
  readonly timedOut: boolean;
  /** Everything written to standard output, as written. */
  readonly stdout: string;
  /** Everything written to standard error, as written. */
  readonly stderr: string;
  /** Commands in the order they were read. */
  readonly commands: readonly ParsedCommand[];
  /** Annotations in order, the runner's own included. GitHub shows ten of a level. */
  readonly annotations: readonly Annotation[];
  /** Values of add-mask in order. */
  readonly masks: readonly string[];
  /** Step outputs from the output file. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Content of the summary file, not masked. */
  readonly summary: string;
  /** What the workflow log shows: no titles. */
  readonly log: string;
  readonly durationMs: number;
}
