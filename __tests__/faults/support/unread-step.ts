import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeRun } from '../../../local/step/environment.ts';
import { createFileCommands, parseKeyValues } from '../../../local/step/file-commands.ts';
import { resolveInputs } from '../../../local/step/inputs.ts';
import { readManifest } from '../../../local/step/manifest.ts';
import { makeFolder } from '../../support/directories.ts';
import { ACTION } from '../../support/run-action.ts';
import { makeMeter } from './usage.ts';
import type { Usage } from './usage.ts';

/** Readers of a step's output that stop reading at some time. */
export type Reader =
  /** Closes its end before anything is written. */
  | 'gone'
  /** Closes its end after the first piece of output. */
  | 'going'
  /** Keeps its end open and never reads. */
  | 'deaf'
  /** Has closed its end of a pipe; the other readers use sockets if the system has them. */
  | 'gone from a pipe'
  /** Never reads from a pipe that is full from the start. */
  | 'deaf at a full pipe';

/** How a step ended whose output was not read. */
export interface UnreadRun extends Usage {
  readonly exitCode: number | null;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly durationMs: number;
}

/** Far more than a step needs, and less than the limit of a test: a process that hangs is killed. */
const HUNG_MS = 15_000;

/** Runs the committed action without reading its output to the end. */
export async function runUnread(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  reader: Reader,
): Promise<UnreadRun> {
  const runnerTemp = await makeFolder();
  const eventFile = join(runnerTemp, 'event.json');
  await writeFile(eventFile, '{}');
  const files = await createFileCommands(runnerTemp);
  const manifest = await readManifest(ACTION);
  const { variables } = resolveInputs(inputs, manifest.inputs);
  const meter = await makeMeter();
  const env = {
    ...describeRun({ action: ACTION, workspace, runnerTemp, eventFile, files }),
    ...variables,
    ...meter.env,
  };
  const started = performance.now();
  const exitCode = await runChild(join(ACTION, manifest.main), workspace, env, reader);
  const durationMs = performance.now() - started;
  const { pairs } = parseKeyValues(await readFile(files.GITHUB_OUTPUT, 'utf8'));
  return {
    ...meter.read(),
    exitCode,
    durationMs,
    outputs: Object.fromEntries(pairs.map(({ name, value }) => [name, value])),
    summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
  };
}

async function runChild(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  reader: Reader,
): Promise<number | null> {
  const pipe = reader.endsWith('pipe') ? await openPipe(reader === 'gone from a pipe') : undefined;
  const output = pipe?.write ?? 'pipe';
  const child = spawn(process.execPath, [script], {
    cwd,
    env,
    stdio: ['ignore', output, output],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), HUNG_MS);
  if (reader === 'gone') hangUp(child);
  if (reader === 'going') child.stdout?.once('data', () => hangUp(child));
  await once(child, 'exit');
  clearTimeout(timer);
  hangUp(child);
  pipe?.close();
  return child.exitCode;
}

function hangUp({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

/** A pipe without a reader: its other end is closed, or it is full. */
async function openPipe(
  isGone: boolean,
): Promise<{ readonly write: number; readonly close: () => void }> {
  const path = join(await makeFolder(), 'output');
  execFileSync('mkfifo', [path]);
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  if (isGone) closeSync(read);
  else fill(write);
  const close = (): void => [write, ...(isGone ? [] : [read])].forEach((fd) => closeSync(fd));
  return { write, close };
}

function fill(fd: number): void {
  try {
    for (;;) writeSync(fd, 'x'.repeat(4096));
  } catch {
    // EAGAIN: the pipe is full.
  }
}
