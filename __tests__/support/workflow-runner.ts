import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parseKeyValues } from '../../local/step/file-commands.ts';
import { REPOSITORY } from '../../scripts/repository.ts';
import { makeFolder } from './directories.ts';
import { TOKEN, runAction } from './run-action.ts';
import { SCAN_KEY, makeKey } from './samples.ts';
import { Stubs } from './workflow-stubs.ts';
import type { ScannerEnd, StepEnd, Texts } from './workflow-stubs.ts';
import { listMembers, readMembers } from './workflows.ts';
import type { Members } from './workflows.ts';

/** The address of the service in the documentation. */
const SERVICE = 'https://scans.example.com';
/** What stands before a step's `uses` if it runs this action. */
export const OWN = new RegExp(`^(?:\\./|${REPOSITORY}@)`);

/** The values that expressions may name, by the first part of their names. */
type Context = Readonly<Record<string, unknown>>;

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

type Steps = Record<string, { readonly outputs: Texts }>;

/** What became of a job. */
export interface JobRun {
  result: 'success' | 'failure' | 'skipped';
  /** What its scripts printed. */
  text: string;
  outputs: Texts;
  /** The outputs of its steps with an `id`. */
  readonly steps: Steps;
  /** The annotations of this action. */
  readonly errors: string[];
}

export interface WorkflowRun {
  readonly jobs: Readonly<Record<string, JobRun>>;
  /** The command lines of the programs of others. */
  readonly calls: readonly string[];
}

/** Where the steps of a job run. */
interface Place {
  readonly setting: Setting;
  readonly stubs: Stubs;
  readonly workspace: string;
  readonly runnerTemp: string;
}

/**
 * Runs the jobs of a workflow on this machine, one after the other: scripts in bash, this action against a
 * service, programs and actions of others as stubs.
 */
export async function runJobs(workflow: unknown, setting: Setting): Promise<WorkflowRun> {
  const stubs = await Stubs.make(setting.report, setting.scanner);
  const jobs: Record<string, JobRun> = {};
  for (const [name, members] of Object.entries(readMembers(readMembers(workflow)['jobs']))) {
    const job = readMembers(members);
    const needs = [job['needs'] ?? []].flat().map((needed) => jobs[toText(needed)]);
    const isFailed = needs.some((needed) => needed?.result !== 'success');
    const place = { workspace: await makeFolder(), runnerTemp: await makeFolder() };
    const context = { ...makeContext(setting), needs: jobs, runner: { temp: place.runnerTemp } };
    jobs[name] = isDue(job['if'], context, isFailed)
      ? await runJob(job, context, { ...place, setting, stubs })
      : { ...start(), result: 'skipped' };
  }
  return { jobs, calls: stubs.calls };
}

function makeContext({ isFork = false }: Setting): Context {
  const hide = (values: Texts): Texts => (isFork ? {} : values);
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
    env: {},
  };
}

function start(): JobRun {
  return { result: 'success', text: '', outputs: {}, steps: {}, errors: [] };
}

async function runJob(job: Members, context: Context, place: Place): Promise<JobRun> {
  const run = start();
  const known = { ...context, steps: run.steps };
  const jobEnv = evaluateAll(job['env'], known);
  for (const step of listMembers(job, 'steps')) {
    if (!isDue(step['if'], known, run.result === 'failure')) continue;
    const env = { ...jobEnv, ...evaluateAll(step['env'], known) };
    const uses = toText(step['uses']);
    const inputs = evaluateAll(step['with'], known);
    let ended: StepEnd;
    if (uses === '') ended = runScript(toText(step['run']), env, place, run);
    else if (OWN.test(uses)) ended = await runOwn(inputs, env, place, run);
    else ended = place.stubs.use(uses, inputs, place.workspace);
    if (typeof step['id'] === 'string') run.steps[step['id']] = { outputs: ended.outputs };
    if (ended.isFailed && step['continue-on-error'] !== true) run.result = 'failure';
  }
  run.outputs = evaluateAll(job['outputs'], known);
  return run;
}

async function runOwn(inputs: Texts, env: Texts, place: Place, job: JobRun): Promise<StepEnd> {
  const { setting, workspace, runnerTemp } = place;
  const service = inputs['base-url'] === SERVICE && { 'base-url': setting.url };
  const none = { 'scan-key': '', 'scan-file': '', token: '' };
  const all = { ...none, ...inputs, ...service, ...setting.inputs };
  const run = await runAction(workspace, all, { runnerTemp, env: { ...env, ...setting.env } });
  job.errors.push(...run.annotations.map(({ message }) => message));
  return { outputs: run.outputs, isFailed: run.exitCode !== 0 };
}

/** Runs a script as the runner does without `shell`. */
function runScript(script: string, env: Texts, place: Place, job: JobRun): StepEnd {
  const { workspace, runnerTemp, stubs } = place;
  const [path, output] = [join(runnerTemp, 'script.sh'), join(runnerTemp, 'output')];
  writeFileSync(path, script);
  writeFileSync(output, '');
  const own = {
    PATH: [stubs.directory, process.env.PATH].join(delimiter),
    STUBS: stubs.directory,
    GITHUB_OUTPUT: output,
    GITHUB_REPOSITORY: 'octocat/hello-world',
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: runnerTemp,
  };
  const options = { cwd: workspace, env: { ...own, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-e', path], options);
  job.text += stdout + stderr;
  const { pairs } = parseKeyValues(readFileSync(output, 'utf8'));
  const outputs = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
  return { outputs, isFailed: status !== 0 };
}

/** A scalar as text; empty for anything else. */
export function toText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Whether a job or a step runs: without a status function only after successes. */
function isDue(condition: unknown, context: Context, isFailed: boolean): boolean {
  const text = (toText(condition) || 'success()').replace(/^\$\{\{(.*)\}\}$/, '$1');
  const hasStatus = /\b(?:success|failure|cancelled|always)\(\)/.test(text);
  return (hasStatus || !isFailed) && Boolean(evaluate(text, context, isFailed));
}

/** The members of a mapping with their expressions evaluated. */
function evaluateAll(members: unknown, context: Context): Texts {
  const fill = (value: unknown): string =>
    toText(value).replace(/\$\{\{(.*?)\}\}/g, (_, text: string) => toText(evaluate(text, context)));
  const entries = Object.entries(readMembers(members));
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value)]));
}

/** Evaluates an expression of the runner: JavaScript, but that a member may be missing or have a hyphen. */
function evaluate(text: string, context: Context, isFailed = false): unknown {
  const script = text.replace(/'[^']*'|\.([\w-]+)/g, (found, member?: string) =>
    member === undefined ? found : `?.['${member}']`,
  );
  const functions = {
    success: () => !isFailed,
    failure: () => isFailed,
    cancelled: () => false,
    always: () => true,
  };
  return runInNewContext(script, { ...context, ...functions });
}
