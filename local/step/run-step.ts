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
import { Transcript } from './transcript.ts';
import type { OutputStream, StepOptions, StepRun } from './types.ts';

/** The two streams of a step, raw. */
type Captured = Readonly<Record<OutputStream, Buffer[]>>;

/**
 * Runs a JavaScript action as a step, the way the GitHub runner does: its inputs, environment,
 * working folder and files, its reading of the output. Throws when there is no action to run.
 */
export async function runStep(options: StepOptions): Promise<StepRun> {
  const manifest = await readManifest(options.action);
  const { variables, warnings } = resolveInputs(options.inputs, manifest.inputs);
  const temporary = await makeTemporary(options.runnerTemp);
  try {
    const places = await makePlaces(options, temporary.path);
    const env = { ...describeRun(places), ...variables, ...options.env };
    const log = new StepLog(env['RUNNER_DEBUG'] === '1', options.onLogLine);
    warnings.forEach((message) => log.annotate('warning', message));
    const transcript = new Transcript(log);
    const started = performance.now();
    const script = resolve(options.action, manifest.main);
    const ran = await runScript(options, script, omit(env, options.omitEnv), transcript);
    const durationMs = performance.now() - started;
    await readOutputs(places, transcript, log);
    return await report({ ...ran, durationMs }, places, transcript, log);
  } finally {
    await temporary.remove();
  }
}

async function makeTemporary(
  given: string | undefined,
): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  if (given !== undefined) {
    await mkdir(given, { recursive: true });
    return { path: given, remove: () => Promise.resolve() };
  }
  const path = await realpath(await mkdtemp(join(tmpdir(), 'runner-temp-')));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function makePlaces(options: StepOptions, runnerTemp: string): Promise<StepPlaces> {
  const eventFolder = join(runnerTemp, '_github_workflow');
  const eventFile = join(eventFolder, 'event.json');
  await mkdir(eventFolder, { recursive: true });
  await writeFile(eventFile, '{}\n');
  return {
    action: resolve(options.action),
    workspace: resolve(options.workspace),
    runnerTemp,
    eventFile,
    files: await createFileCommands(runnerTemp),
  };
}

function omit(
  env: Readonly<Record<string, string>>,
  names: readonly string[] = [],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

async function runScript(
  options: StepOptions,
  script: string,
  env: Readonly<Record<string, string>>,
  transcript: Transcript,
): Promise<{ readonly end: ChildEnd; readonly captured: Captured }> {
  const captured: Captured = { stdout: [], stderr: [] };
  const splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  const take = (lines: readonly string[], stream: OutputStream): void => {
    for (const line of lines) {
      transcript.read(line, stream);
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
  return { end, captured };
}

async function readOutputs(
  places: StepPlaces,
  transcript: Transcript,
  log: StepLog,
): Promise<void> {
  const { pairs, error } = parseKeyValues(await readFileCommand(places.files.GITHUB_OUTPUT));
  for (const { name, value } of pairs) {
    transcript.outputs.set(name, value);
  }
  if (error !== undefined) {
    log.fail("Unable to process file command 'output' successfully.");
    log.fail(error);
  }
}

async function report(
  ran: { readonly end: ChildEnd; readonly captured: Captured; readonly durationMs: number },
  places: StepPlaces,
  transcript: Transcript,
  log: StepLog,
): Promise<StepRun> {
  return {
    ...ran.end,
    failed: ran.end.exitCode !== 0 || log.commandFailed,
    stdout: Buffer.concat(ran.captured.stdout).toString('utf8'),
    stderr: Buffer.concat(ran.captured.stderr).toString('utf8'),
    commands: transcript.commands,
    annotations: log.annotations,
    masks: log.masks.values,
    outputs: Object.fromEntries(transcript.outputs),
    summary: await readFileCommand(places.files.GITHUB_STEP_SUMMARY),
    log: log.text,
    durationMs: ran.durationMs,
  };
}
