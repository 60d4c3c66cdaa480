import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problems } from '../../src/inputs/fields.ts';
import { readInputs, readTimeLimit } from '../../src/inputs/inputs.ts';
import type { Inputs } from '../../src/inputs/inputs.ts';
import type { StepLimits } from '../../src/lifecycle.ts';
import type { Failure } from '../../src/outcomes/failure.ts';
import { Log } from '../../src/report/log.ts';
import { narrateFiles, narrateSending } from '../../src/report/narrate.ts';
import { prepareScans } from '../../src/stages/prepare.ts';
import type { ReadyScan, ScanResult } from '../../src/stages/scan-result.ts';
import type { Scope } from '../../src/files/search.ts';
import { sendScans } from '../../src/stages/send.ts';
import { makeFolder } from './directories.ts';
import { setInputs } from './inputs.ts';
import { captureOutput } from './report.ts';
import type { Output } from './report.ts';
import { REPORT, makeKey } from './samples.ts';

/** An entry of `scans` as an author writes it. */
export type Entry = Readonly<Record<string, unknown>>;

/** Entries for the files `a.json`, `b.json`, ..., with the names `a`, `b`, ... */
export function makeEntries(names: string): readonly Entry[] {
  return Array.from(names, (name, index) => ({
    name,
    'scan-key': makeKey(index + 1),
    'scan-file': `${name}.json`,
  }));
}

/** The stages of a step with multiple scans, in a new workspace. */
export class Stages {
  readonly log = new Log();
  readonly output: Output = captureOutput();
  readonly inputs: Inputs;
  readonly scope: Scope;
  readonly limits: StepLimits;
  prepared: readonly (ReadyScan | ScanResult)[] = [];
  results: readonly ScanResult[] = [];

  constructor(inputs: Inputs, workspace: string, signal: AbortSignal) {
    this.inputs = inputs;
    this.scope = { workspace, includeHidden: false };
    this.limits = { signal, deadline: performance.now() + readTimeLimit(new Problems()) };
  }

  /** The failure of each scan that ended during preparation; undefined for the others. */
  get failures(): readonly (Failure | undefined)[] {
    return this.prepared.map((scan) => (scan.result === 'ready' ? undefined : scan.failure));
  }

  async prepare(): Promise<void> {
    const { inputs, scope, log } = this;
    const preparation = { inputs, scope, signal: this.limits.signal };
    this.prepared = await prepareScans(inputs.scans, preparation, () => {});
    narrateFiles(this.prepared, inputs.noFiles, -Infinity, log);
  }

  async send(advance: () => void = () => {}): Promise<void> {
    const events = narrateSending(this.inputs, this.log, advance);
    this.results = await sendScans(this.prepared, this.inputs, this.limits, events);
  }

  /** Changes a file of the workspace. */
  async write(name: string, content: string): Promise<void> {
    await writeFile(join(this.scope.workspace, name), content);
  }
}

/** Reads the inputs, and writes the files `a.json` to `h.json`, overridden by `files`. */
export async function makeStages(
  entries: readonly unknown[],
  inputs: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Stages> {
  const contents = Object.fromEntries(Array.from('abcdefgh', (name) => [`${name}.json`, REPORT]));
  const workspace = await makeFolder({ ...contents, ...files });
  const given = { 'base-url': 'http://127.0.0.1:1', token: 't0ken-of-tests', ...inputs };
  setInputs({ ...given, scans: JSON.stringify(entries) });
  return new Stages(await readInputs(workspace, new Problems()), workspace, signal);
}
