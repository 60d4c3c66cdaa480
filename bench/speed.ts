import { formatHelp, formatUsage, readFlags } from './speed/flags.ts';
import type { SpeedFlags } from './speed/flags.ts';
import { LINES } from './speed/lines/index.ts';
import { chooseExitCode, describeMachine } from './speed/results.ts';
import type { LineResult } from './speed/results.ts';
import { runLine } from './speed/run-line.ts';
import { makeScratch } from './speed/scratch.ts';
import { setStage } from './speed/stage.ts';
import { formatLine } from './speed/table.ts';
import { writeResults } from './speed/write.ts';

/** What an idle machine does not exceed. */
const IDLE_LOAD = 0.5;

const NAMES = LINES.map(({ name }) => name);

process.exitCode = await main();

/** Runs what was asked for; returns the exit code. */
async function main(): Promise<number> {
  const flags = readCommandLine();
  if (flags === undefined) return 2;
  if (flags.isHelp) {
    console.log(formatHelp(NAMES));
    return 0;
  }
  const machine = describeMachine();
  if (machine.load > IDLE_LOAD) {
    console.error(
      `The machine is not idle (a load of ${machine.load}): figures and ratios will be off.`,
    );
  }
  const lines = await runLines(flags.names);
  const isWhole = lines.length === LINES.length && chooseExitCode(lines, false) === 0;
  if (isWhole) {
    const date = new Date().toISOString().slice(0, 10);
    await writeResults({ date, machine, lines });
  }
  return chooseExitCode(lines, flags.isCheck);
}

function readCommandLine(): SpeedFlags | undefined {
  try {
    return readFlags(process.argv.slice(2), NAMES);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(formatUsage(NAMES));
    return undefined;
  }
}

async function runLines(names: readonly string[]): Promise<readonly LineResult[]> {
  const stage = setStage(makeScratch());
  const results: LineResult[] = [];
  try {
    for (const line of LINES.filter(({ name }) => names.includes(name))) {
      console.error(`running ${line.name}: ${line.title}`);
      // In turn: nothing else is to run meanwhile.
      const result = await runLine(line, stage);
      console.log(formatLine(result));
      results.push(result);
    }
  } finally {
    await stage.close();
  }
  return results;
}
