import { parseArgs } from 'node:util';
import type { Seeds } from './compare.ts';

/** What `--help` prints. */
export const HELP = `usage: node bench/fleet.ts [--seed N] [--seeds N] [--json]

Lets 10,000 jobs upload to a service that takes 200 a second, with this action's retry policy and
with the usual ones, on a virtual clock; then the same uploads in steps of 100. Exit code 1: this
action misses a goal.

  --seed N     chance starts from this number; 1 by default
  --seeds N    runs so many seeds, from --seed on: median [least, most]; 1 by default
  --json       prints the figures as JSON; null is a division by no accepted upload
  --help       this text`;

const MAX_SEED = 2 ** 31 - 1;
const MAX_SEEDS = 1000;

/** What the command line asks for. */
export interface FleetFlags {
  readonly seeds: Seeds;
  readonly isJson: boolean;
  readonly isHelp: boolean;
}

/** Reads the command line. Throws an error that says what is wrong with it. */
export function readFlags(args: readonly string[]): FleetFlags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const first = readNumber('seed', values.seed, 0, MAX_SEED);
  const count = readNumber('seeds', values.seeds, 1, MAX_SEEDS);
  return { seeds: { first, count }, isJson: values.json, isHelp: values.help };
}

function readNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new RangeError(`--${name}: a whole number from ${min} to ${max}, not "${text}"`);
}
