import type { Program } from './programs.ts';
import type { Room } from './scratch.ts';
import type { Stage } from './stage.ts';

/** What a line's figures count: time in milliseconds, memory in KiB, size in bytes. */
export type Unit = 'ms' | 'KiB' | 'bytes';

/** One program of a line. */
export interface Contender {
  readonly name: string;
  /** Runs the whole process and gives its figure; rejects where it did not do its work. */
  readonly run: () => Promise<number>;
  /** Whether it is this action. */
  readonly isOurs?: boolean;
  /** How often it runs in each round, each time for a figure of its own; once by default. */
  readonly repeats?: number;
  /** Whether it is run a single time, since it is slow and only for information. */
  readonly isOnce?: boolean;
  /** Why it cannot run on this machine. */
  readonly skipped?: string | undefined;
}

/**
 * The most that the median of `subject` may be: `atMost` itself, `atMost` times a reference, or a
 * reference plus `atMost`. The reference is the highest median of the contenders `of`.
 */
export interface Goal {
  readonly subject: string;
  readonly kind: 'absolute' | 'times' | 'plus';
  readonly atMost: number;
  readonly of: readonly string[];
}

/** One line of the benchmark. */
export interface Line {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** How often each contender runs: at least `min` times, up to `max` while there is time. */
  readonly rounds: Rounds;
  readonly programs: readonly Program[];
  /** Whether it reads what only Linux tells. */
  readonly isLinuxOnly?: boolean;
  /** What it writes to the temporary folder. */
  readonly room: Room;
  readonly goals: readonly Goal[];
  readonly prepare: (stage: Stage) => Promise<readonly Contender[]>;
}

export interface Rounds {
  readonly min: number;
  readonly max: number;
}
