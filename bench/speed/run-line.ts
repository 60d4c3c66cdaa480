import { performance } from 'node:perf_hooks';
import { judgeGoals } from './goals.ts';
import type { Line } from './line.ts';
import { findMissing } from './programs.ts';
import type { LineResult } from './results.ts';
import { runInTurn } from './rounds.ts';
import { findShortage } from './scratch.ts';
import type { Stage } from './stage.ts';

/** Runs a line, unless this machine cannot. An error becomes part of the result. */
export async function runLine(line: Line, stage: Stage): Promise<LineResult> {
  const { name, title, unit, goals } = line;
  const base = { name, title, unit, standings: [], goals: [] };
  const skipped = findObstacle(line, stage.folder);
  if (skipped !== undefined) return { ...base, skipped };
  try {
    const contenders = await line.prepare(stage);
    const standings = await runInTurn(contenders, line.rounds, () => performance.now());
    return { ...base, standings, goals: judgeGoals(goals, standings, unit) };
  } catch (error) {
    return { ...base, failed: error instanceof Error ? error.message : String(error) };
  }
}

function findObstacle(line: Line, folder: string): string | undefined {
  const missing = findMissing(line.programs);
  if (missing.length > 0) return `not on the path: ${missing.join(', ')}`;
  if (line.isLinuxOnly === true && process.platform !== 'linux') return 'measured on Linux only';
  return findShortage(folder, line.room);
}
