import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeRun } from '../../local/step/environment.ts';
import {
  createFileCommands,
  parseKeyValues,
  readFileCommand,
} from '../../local/step/file-commands.ts';
import { resolveInputs } from '../../local/step/inputs.ts';
import { readManifest } from '../../local/step/manifest.ts';
import type { Command } from './whole-process.ts';

const ACTION = join(import.meta.dirname, '..', '..');

/** The committed bundle. */
export const BUNDLE = join(ACTION, 'dist', 'index.js');

export const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
export const TOKEN = 'token-of-the-benchmark';

/** A step that is ready to run once, and where its outputs will be. */
export interface PreparedStep {
  readonly command: Command;
  readonly readOutputs: () => Promise<ReadonlyMap<string, string>>;
}

/**
 * What a runner starts for a step with these inputs: the bundle, or another `script` in its place,
 * in an environment with every input and fresh files for outputs and summary.
 */
export async function prepareStep(
  folder: string,
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  script: string = BUNDLE,
): Promise<PreparedStep> {
  const eventFile = join(folder, 'event.json');
  await mkdir(folder, { recursive: true });
  await writeFile(eventFile, '{}\n');
  const files = await createFileCommands(folder);
  const { inputs: declared } = await readManifest(ACTION);
  const given = { 'scan-key': SCAN_KEY, token: TOKEN, ...inputs };
  const places = { action: ACTION, workspace, runnerTemp: folder, eventFile, files };
  const env = { ...describeRun(places), ...resolveInputs(given, declared).variables };
  return {
    command: { file: process.execPath, args: [script], cwd: workspace, env },
    readOutputs: async () => {
      const { pairs } = parseKeyValues(await readFileCommand(files.GITHUB_OUTPUT));
      return new Map(pairs.map(({ name, value }) => [name, value]));
    },
  };
}
