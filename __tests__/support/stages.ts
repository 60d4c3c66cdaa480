import { join } from 'node:path';
import { Problems } from '../../src/inputs/fields.ts';
import { readInputs, readTimeLimit } from '../../src/inputs/inputs.ts';
import type { Inputs } from '../../src/inputs/inputs.ts';
import type { StepLimits } from '../../src/lifecycle.ts';
import { prepareScans } from '../../src/stages/prepare.ts';
import type { PreparedScan, ScanResult } from '../../src/stages/scan-result.ts';
import { sendScans } from '../../src/stages/send.ts';
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
  prepared: readonly PreparedScan[] = [];

  constructor(inputs: Inputs, workspace: string, signal: AbortSignal) {
    this.#inputs = inputs;
    this.#workspace = workspace;
    this.#limits = { signal, deadline: performance.now() + readTimeLimit(new Problems()) };
  }

  /** Calls `advance` after each scan. */
  async prepare(advance: () => void = () => {}): Promise<readonly PreparedScan[]> {
    const scope = { workspace: this.#workspace, includeHidden: false };
    const preparation = { inputs: this.#inputs, scope, signal: this.#limits.signal };
    this.prepared = await prepareScans(this.#inputs.scans, preparation, advance);
    return this.prepared;
  }

  /** Calls `onEnd` with each result. */
  async send(onEnd: (scan: ScanResult) => void = () => {}): Promise<readonly ScanResult[]> {
    const events = { onToken: () => {}, onStart: () => new Recorder(), onEnd };
    return sendScans(this.prepared, this.#inputs, this.#limits, events);
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
  return new Stages(await readInputs(workspace, new Problems()), workspace, signal);
}
