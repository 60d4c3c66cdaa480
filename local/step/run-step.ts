import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describeRun, resolveInputs } from './environment.ts';
import { createFileCommands, parseKeyValues } from './file-commands.ts';
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
    // Its time says when the job began: the files of a person's machine are older than any step.
    await utimes(eventPath, 0, 0);
    const files = await createFileCommands(runnerTemp);
    const run = describeRun(options, runnerTemp, eventPath);
    const env: Record<string, string> = { ...run, ...files, ...variables, ...options.env };
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
    return {
      ...ran,
      commands: log.commands,
      annotations: log.annotations,
      masks: log.masks.values,
      outputs: Object.fromEntries(pairs.map(({ name, value }) => [name, value])),
      summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
      log: log.text,
      durationMs,
    };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The two streams that a step writes to; the runner reads commands from both. */
type OutputStream = 'stdout' | 'stderr';

/** Runs the script with this process's Node until it and its output ended. */
async function runScript(
  { workspace, signal, timeoutMs = 300_000, onOutput }: StepOptions,
  script: string,
  env: Readonly<Record<string, string>>,
  log: StepLog,
): Promise<Pick<StepRun, OutputStream | 'exitCode' | 'signal' | 'timedOut'>> {
  const child = spawn(process.execPath, [script], {
    cwd: workspace,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const take = (lines: readonly string[]): void => {
    for (const line of lines) {
      log.read(line);
      onOutput?.(line);
    }
  };
  const read = (stream: OutputStream): (() => string) => {
    const captured: Buffer[] = [];
    const splitter = new LineSplitter();
    child[stream].on('data', (bytes: Buffer) => {
      captured.push(bytes);
      take(splitter.push(bytes));
    });
    child[stream].on('end', () => take(splitter.end()));
    return () => Buffer.concat(captured).toString();
  };
  const [stdout, stderr] = [read('stdout'), read('stderr')];
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = child.kill('SIGKILL');
  }, timeoutMs);
  const cancel = (): void => void child.kill('SIGINT');
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
  const end = { exitCode: child.exitCode, signal: child.signalCode, timedOut };
  return { ...end, stdout: stdout(), stderr: stderr() };
}
