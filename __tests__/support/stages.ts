import { join } from 'node:path';
import { Faults } from '../../src/inputs/fields.ts';
import { readInputs, readTimeLimit } from '../../src/inputs/inputs.ts';
import type { Inputs } from '../../src/inputs/inputs.ts';
import type { StepLimits } from '../../src/lifecycle.ts';
import type { PlannedScan, ScanResult } from '../../src/outcomes/scan-result.ts';
import { prepareScans } from '../../src/stages/prepare.ts';
import { uploadScans } from '../../src/stages/upload.ts';
import { makeFolder } from './directories.ts';
import { setInputs } from './inputs.ts';
import type { Texts } from './inputs.ts';
import { REPORT, makeKey } from './samples.ts';
import { Recorder } from './uploads.ts';

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

/** The stages of a step in a workspace. */
export class Stages {
  readonly #inputs: Inputs;
  readonly #workspace: string;
  readonly #limits: StepLimits;
  planned: readonly (PlannedScan | ScanResult)[] = [];

  constructor(inputs: Inputs, workspace: string, signal: AbortSignal) {
    this.#inputs = inputs;
    this.#workspace = workspace;
    this.#limits = { signal, deadline: performance.now() + readTimeLimit(new Faults()) };
  }

  /** Prepares the scans of a job that began then. Calls `advance` after each. */
  async prepare(
    advance: () => void = () => {},
    jobStart = -Infinity,
  ): Promise<readonly (PlannedScan | ScanResult)[]> {
    const scope = { workspace: this.#workspace, includeHidden: false };
    const { signal } = this.#limits;
    const preparation = { inputs: this.#inputs, scope, jobStart, signal };
    this.planned = await prepareScans(this.#inputs.scans, preparation, advance);
    return this.planned;
  }

  /** Calls `onEnd` with each result. */
  async upload(onEnd: (scan: ScanResult) => void = () => {}): Promise<readonly ScanResult[]> {
    if (this.#inputs.dryRun) throw new Error('A dry run ends after the plan.');
    const events = { onStart: () => new Recorder(), onEnd };
    return uploadScans(this.planned, this.#inputs, this.#limits, events);
  }

  locate(name: string): string {
    return join(this.#workspace, name);
  }
}

/** Reads the inputs, and writes the files `a.json` to `h.json`, overridden by `files`. */
export async function makeStages(
  entries: readonly Entry[],
  inputs: Texts = {},
  files: Texts = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Stages> {
  const contents = Object.fromEntries(Array.from('abcdefgh', (name) => [`${name}.json`, REPORT]));
  const workspace = await makeFolder({ ...contents, ...files });
  const given = { 'base-url': 'http://127.0.0.1:1', token: 't0ken-of-tests', ...inputs };
  setInputs({ ...given, scans: JSON.stringify(entries) });
  return new Stages(await readInputs(workspace, new Faults()), workspace, signal);
}
