import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runWhole } from './whole-process.ts';
import type { Command } from './whole-process.ts';

const PRELOAD = join(import.meta.dirname, 'others', 'peak.preload.cjs');

/** Runs a Node process and gives its peak of resident memory in KiB. `folder` is for a file. */
export async function measurePeak(folder: string, command: Command): Promise<number> {
  const peakFile = join(folder, 'peak');
  const env = { NODE_OPTIONS: `--require=${JSON.stringify(PRELOAD)}`, PEAK_FILE: peakFile };
  await runWhole({ ...command, env: { ...command.env, ...env } });
  return Number(readFileSync(peakFile, 'utf8'));
}
