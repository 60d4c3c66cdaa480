import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runChild, type ChildEnd } from './child.ts';
import { describeRun, type StepPlaces } from './environment.ts';
import { createFileCommands, parseKeyValues, readFileCommand } from './file-commands.ts';
import { resolveInputs } from './inputs.ts';
import { LineSplitter } from './lines.ts';
import { readManifest } from './manifest.ts';
import { StepLog } from './step-log.ts';
import type { OutputStream, StepOptions, StepRun } from './types.ts';

/** MAX_ARG_STRLEN of Linux: no process starts with a longer `NAME=value` (and its end). */
const MAX_VARIABLE_BYTES = 128 * 1024;

type Captured = Pick<StepRun, 'stdout' | 'stderr'>;

/**
 * Runs a JavaScript action as a step, the way the GitHub runner does: its inputs, environment,
 * working directory and files, its reading of the output. Throws when there is no action to run,
 * and when a variable is too long for a process to start.
 */
export async function runStep(options: StepOptions): Promise<StepRun> {
  const manifest = await readManifest(options.action);
  const { variables, warnings } = resolveInputs(options.inputs, manifest.inputs);
  const own = await realpath(await mkdtemp(join(tmpdir(), 'runner-temp-')));
  try {
    const places = await makePlaces(options, options.runnerTemp ?? own);
    const env: Record<string, string> = { ...describeRun(places), ...variables, ...options.env };
    for (const name of options.omitEnv ?? []) delete env[name];
    checkVariables(env);
    const log = new StepLog(env['RUNNER_DEBUG'] === '1', options.onLogLine);
    warnings.forEach((message) => log.annotate('warning', message));
    const started = performance.now();
    const script = resolve(options.action, manifest.main);
    const ran = await runScript(options, script, env, log);
    const durationMs = performance.now() - started;
    const { outputs, error } = await readOutputs(places, log);
    return {
      ...ran,
      failed: ran.exitCode !== 0 || error !== undefined,
      commands: log.commands,
      annotations: log.annotations,
      masks: log.masks.values,
      outputs,
      summary: await readFileCommand(places.files.GITHUB_STEP_SUMMARY),
      log: log.text,
      durationMs,
    };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function makePlaces(options: StepOptions, runnerTemp: string): Promise<StepPlaces> {
  const directory = join(runnerTemp, '_github_workflow');
  await mkdir(directory, { recursive: true });
  const eventFile = join(directory, 'event.json');
  await writeFile(eventFile, '{}\n');
  const [action, workspace] = [resolve(options.action), resolve(options.workspace)];
  return { action, workspace, runnerTemp, eventFile, files: await createFileCommands(runnerTemp) };
}

function checkVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (Buffer.byteLength(`${name}=${value}`) >= MAX_VARIABLE_BYTES) {
      throw new RangeError(`Argument list too long: the variable ${name}`);
    }
  }
}

async function runScript(
  options: StepOptions,
  script: string,
  env: Readonly<Record<string, string>>,
  log: StepLog,
): Promise<ChildEnd & Captured> {
  const captured: Record<OutputStream, Buffer[]> = { stdout: [], stderr: [] };
  const splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  const take = (lines: readonly string[], stream: OutputStream): void => {
    for (const line of lines) {
      log.read(line, stream);
      options.onOutput?.(line, stream);
    }
  };
  const onData = (bytes: Buffer, stream: OutputStream): void => {
    captured[stream].push(bytes);
    take(splitters[stream].push(bytes), stream);
  };
  const end = await runChild({ script, cwd: options.workspace, env, onData }, options);
  take(splitters.stdout.end(), 'stdout');
  take(splitters.stderr.end(), 'stderr');
  const stdout = Buffer.concat(captured.stdout).toString();
  const stderr = Buffer.concat(captured.stderr).toString();
  return { ...end, stdout, stderr };
}

async function readOutputs(
  { files }: StepPlaces,
  log: StepLog,
): Promise<{ readonly outputs: StepRun['outputs']; readonly error: string | undefined }> {
  const { pairs, error } = parseKeyValues(await readFileCommand(files.GITHUB_OUTPUT));
  if (error !== undefined) {
    log.annotate('error', "Unable to process file command 'output' successfully.");
    log.annotate('error', error);
  }
  const written = pairs.map(({ name, value }) => [name, value] as const);
  return { outputs: Object.fromEntries([...log.outputs, ...written]), error };
}
