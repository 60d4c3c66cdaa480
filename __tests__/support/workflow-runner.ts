import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseKeyValues } from '../../local/step/file-commands.ts';
import { REPOSITORY } from '../../scripts/repository.ts';
import { makeFolder } from './directories.ts';
import { TOKEN, runAction } from './run-action.ts';
import { SCAN_KEY, makeKey } from './samples.ts';
import { evaluateAll, isDue, toText } from './workflow-expressions.ts';
import type { Context, Texts } from './workflow-expressions.ts';
import { Stubs } from './workflow-stubs.ts';
import type { ScannerEnd, StepEnd } from './workflow-stubs.ts';
import { listMembers, readMembers } from './workflows.ts';
import type { Members } from './workflows.ts';

/** The address of the service in the documentation. */
const SERVICE = 'https://scans.example.com';
/** What stands before a step's `uses` if it runs this action. */
export const OWN = new RegExp(`^(?:\\./|${REPOSITORY}@)`);

/** What a workflow is run with. */
export interface Setting {
  /** URL of the service. */
  readonly url: string;
  /** Inputs of this action that replace those of the workflow. */
  readonly inputs?: Texts;
  readonly report?: string;
  readonly scanner?: ScannerEnd;
  /** Whether it runs for a pull request, which is from a fork: without secrets and variables. */
  readonly isFork?: boolean;
  readonly env?: Texts;
}

/** What became of a job. */
export interface JobRun {
  readonly result: 'success' | 'failure' | 'skipped';
  /** What its scripts printed. */
  readonly text: string;
  readonly outputs: Texts;
  /** The outputs of its steps with an `id`. */
  readonly steps: Readonly<Record<string, { readonly outputs: Texts }>>;
  /** The annotations of this action. */
  readonly errors: readonly string[];
}

/** A workflow that runs on this machine: scripts in bash, this action against a service, others as stubs. */
export class WorkflowRun {
  readonly jobs: Record<string, JobRun> = {};
  readonly #setting: Setting;
  readonly #stubs: Stubs;

  private constructor(setting: Setting, stubs: Stubs) {
    this.#setting = setting;
    this.#stubs = stubs;
  }

  /** Runs the jobs of a workflow one after the other. */
  static async start(workflow: unknown, setting: Setting): Promise<WorkflowRun> {
    const stubs = await Stubs.make(setting.report, setting.scanner);
    const run = new WorkflowRun(setting, stubs);
    for (const [name, job] of Object.entries(readMembers(readMembers(workflow)['jobs']))) {
      run.jobs[name] = await run.#runJob(readMembers(job));
    }
    return run;
  }

  /** The command lines of the programs of others. */
  get calls(): readonly string[] {
    return this.#stubs.calls;
  }

  async #runJob(job: Members): Promise<JobRun> {
    const needs = [job['needs'] ?? []].flat().map((name) => this.jobs[toText(name)]);
    const isFailed = needs.some((needed) => needed?.result !== 'success');
    const context: Context = {
      ...this.#makeContext(),
      needs: this.jobs,
      env: {},
    };
    if (!isDue(job['if'], context, isFailed)) return SKIPPED;
    const place = { workspace: await makeFolder(), runnerTemp: await makeFolder() };
    const runner = { ...context, runner: { temp: place.runnerTemp } };
    const env = evaluateAll(job['env'], runner);
    const state: JobState = { ...place, env, steps: {}, text: '', errors: [], isFailed: false };
    for (const step of listMembers(job, 'steps')) {
      const known = { ...runner, steps: state.steps };
      if (!isDue(step['if'], known, state.isFailed)) continue;
      const { outputs, isFailed: failed } = await this.#runStep(step, known, state);
      if (typeof step['id'] === 'string') state.steps[step['id']] = { outputs };
      if (failed && step['continue-on-error'] !== true) state.isFailed = true;
    }
    const outputs = evaluateAll(job['outputs'], { ...runner, steps: state.steps });
    const { text, errors, steps } = state;
    return { result: state.isFailed ? 'failure' : 'success', text, errors, steps, outputs };
  }

  #makeContext(): Context {
    const { isFork = false } = this.#setting;
    const hide = (values: Texts): Texts =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, isFork ? '' : value]),
      );
    return {
      github: {
        event_name: isFork ? 'pull_request' : 'push',
        event: { workflow_run: { id: 1, event: 'pull_request', conclusion: 'success' } },
        ref_name: 'v1',
        repository: 'octocat/hello-world',
        run_id: '1',
        token: 'token-of-the-job',
      },
      secrets: hide({ SCAN_UPLOAD_TOKEN: TOKEN, NVD_API_KEY: 'key-of-nvd' }),
      vars: hide({ SCAN_KEY, PULL_REQUEST_SCAN_KEY: SCAN_KEY, SHOP_SCAN_KEY: makeKey(1) }),
    };
  }

  async #runStep(step: Members, context: Context, state: JobState): Promise<StepEnd> {
    const { workspace, runnerTemp } = state;
    const uses = toText(step['uses']);
    const inputs = evaluateAll(step['with'], context);
    const env = { ...state.env, ...evaluateAll(step['env'], context) };
    if (uses === '') return this.#runScript(toText(step['run']), env, state);
    if (!OWN.test(uses)) return this.#stubs.use(uses, inputs, workspace);
    const values = { 'scan-key': '', 'scan-file': '', token: '', ...inputs };
    const service = inputs['base-url'] === SERVICE && { 'base-url': this.#setting.url };
    const run = await runAction(
      workspace,
      { ...values, ...service, ...this.#setting.inputs },
      { runnerTemp, env: { ...env, ...this.#setting.env } },
    );
    state.errors.push(...run.annotations.map(({ message }) => message));
    return { outputs: run.outputs, isFailed: run.exitCode !== 0 };
  }

  /** Runs a script as the runner does without `shell`. */
  #runScript(script: string, env: Texts, state: JobState): StepEnd {
    const { workspace, runnerTemp } = state;
    const [path, output] = [join(runnerTemp, 'script.sh'), join(runnerTemp, 'output')];
    writeFileSync(path, script);
    writeFileSync(output, '');
    const own = {
      PATH: [this.#stubs.directory, process.env.PATH].join(delimiter),
      STUBS: this.#stubs.directory,
      GITHUB_OUTPUT: output,
      GITHUB_REPOSITORY: 'octocat/hello-world',
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: runnerTemp,
    };
    const ended = spawnSync('bash', ['-e', path], {
      cwd: workspace,
      env: { ...own, ...env },
      encoding: 'utf8',
    });
    state.text += ended.stdout + ended.stderr;
    const { pairs } = parseKeyValues(readFileSync(output, 'utf8'));
    const outputs = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
    return { outputs, isFailed: ended.status !== 0 };
  }
}

interface JobState {
  readonly workspace: string;
  readonly runnerTemp: string;
  readonly env: Texts;
  readonly steps: Record<string, { readonly outputs: Texts }>;
  readonly errors: string[];
  text: string;
  isFailed: boolean;
}

const SKIPPED: JobRun = { result: 'skipped', text: '', outputs: {}, steps: {}, errors: [] };
