import { statSync } from 'node:fs';
import { OURS } from '../goals.ts';
import type { Line } from '../line.ts';
import { BUNDLE } from '../step.ts';

/** What every job downloads and every start reads. */
export const BUNDLE_SIZE: Line = {
  name: 'bundle',
  title: 'code in dist',
  unit: 'bytes',
  rounds: { min: 1, max: 1 },
  programs: [],
  room: { bytes: 0, files: 0 },
  goals: [{ subject: OURS, kind: 'absolute', atMost: 750_000, of: [] }],
  prepare: () => Promise.resolve([{ name: OURS, isOurs: true, run: measureBundle }]),
};

function measureBundle(): Promise<number> {
  return Promise.resolve(statSync(BUNDLE).size);
}
