import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OURS } from '../goals.ts';
import type { Line } from '../line.ts';
import { BUNDLE } from '../step.ts';

/** What every job downloads: the file that every start reads, and those beside it that some do. */
export const BUNDLE_SIZE: Line = {
  name: 'bundle',
  title: 'code in dist',
  unit: 'bytes',
  rounds: { min: 1, max: 1 },
  programs: [],
  room: { bytes: 0, files: 0 },
  goals: [{ subject: OURS, kind: 'absolute', atMost: 500_000, of: [] }],
  prepare: () => Promise.resolve([{ name: OURS, isOurs: true, run: measureBundle }]),
};

function measureBundle(): Promise<number> {
  const folder = dirname(BUNDLE);
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const sizes = files.map((name) => statSync(join(folder, name)).size);
  return Promise.resolve(sizes.reduce((sum, bytes) => sum + bytes, 0));
}
