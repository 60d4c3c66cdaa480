import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/directories.ts';

/** What a process has used by its end. */
export interface Usage {
  /** Resident memory at its highest. */
  readonly peakKiB: number;
  /** Time on the processor, of all threads. */
  readonly cpuMs: number;
}

/** Variables that have a Node process write down what it has used, and what it wrote. */
export interface Meter {
  readonly env: Readonly<Record<string, string>>;
  /** Throws if the process did not come to its end. */
  readonly read: () => Usage;
}

export async function makeMeter(): Promise<Meter> {
  const path = join(await makeFolder(), 'usage.json');
  const preload = new URL('usage.preload.mjs', import.meta.url);
  return {
    env: { NODE_OPTIONS: `--import=${preload.href}`, USAGE_FILE: path },
    read: () => readUsage(path),
  };
}

function readUsage(path: string): Usage {
  if (!existsSync(path)) throw new Error('The process was ended before its end.');
  const usage: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isUsage(usage)) throw new TypeError(`No usage in ${path}`);
  return usage;
}

function isUsage(value: unknown): value is Usage {
  if (typeof value !== 'object' || value === null) return false;
  const members = ['peakKiB', 'cpuMs'].map((name): unknown => Reflect.get(value, name));
  return members.every((member) => typeof member === 'number' && member > 0);
}
