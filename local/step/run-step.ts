import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runChild, type ChildEnd, type OutputStream } from './child.ts';
import { describeRun } from './environment.ts';
import { createFileCommands, parseKeyValues } from './file-commands.ts';
import { resolveInputs } from './inputs.ts';
import { LineSplitter } from './lines.ts';
import { readManifest } from './manifest.ts';
import { StepLog } from './step-log.ts';
import type { StepOptions, StepRun } from './types.ts';

/**
 * Runs a JavaScript action as a step, the way the GitHub runner does: its inputs, environment,
 * working directory and files, its reading of the output. Throws when there is no action to run.
 */
export async function runStep(options: StepOptions): Promise<StepRun> {
  const manifest = await readManifest(options.action);
  const { variables, warnings } = resolveInputs(options.inputs, manifest.inputs);
  const own = await realpath(await mkdtemp(join(tmpdir(), 'runner-temp-')));
  try {
    const runnerTemp = options.runnerTemp ?? own;
    const eventPath = join(runnerTemp, 'event.json');
    await writeFile(eventPath, '{}\n');
    const files = await createFileCommands(runnerTemp);
    const run = describeRun(options, runnerTemp, eventPath);
    const env: Record<string, string> = { ...run, ...files, ...variables, ...options.env };
    for (const name of options.omitEnv ?? []) delete env[name];
    const log = new StepLog(env['RUNNER_DEBUG'] === '1', options.onLogLine);
    warnings.forEach((message) => log.annotate('warning', message));
    const started = performance.now();
    const ran = await runScript(options, resolve(options.action, manifest.main), env, log);
    const durationMs = performance.now() - started;
    const { pairs, error } = parseKeyValues(await readFile(files.GITHUB_OUTPUT, 'utf8'));
    if (error !== undefined) {
      log.annotate('error', "Unable to process file command 'output' successfully.");
      log.annotate('error', error);
    }
    const written = pairs.map(({ name, value }) => [name, value] as const);
    return {
      ...ran,
      commands: log.commands,
      annotations: log.annotations,
      masks: log.masks.values,
      outputs: Object.fromEntries([...log.outputs, ...written]),
      summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
      log: log.text,
      durationMs,
    };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function runScript(
  options: StepOptions,
  script: string,
  env: Readonly<Record<string, string>>,
  log: StepLog,
): Promise<ChildEnd & Pick<StepRun, OutputStream>> {
  const captured: Record<OutputStream, Buffer[]> = { stdout: [], stderr: [] };
  const splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  const take = (lines: readonly string[]): void => {
    for (const line of lines) {
      log.read(line);
      options.onOutput?.(line);
    }
  };
  const onData = (bytes: Buffer, stream: OutputStream): void => {
    captured[stream].push(bytes);
    take(splitters[stream].push(bytes));
  };
  const end = await runChild({ script, cwd: options.workspace, env, onData }, options);
  take([...splitters.stdout.end(), ...splitters.stderr.end()]);
  const stdout = Buffer.concat(captured.stdout).toString();
  const stderr = Buffer.concat(captured.stderr).toString();
  return { ...end, stdout, stderr };
}
