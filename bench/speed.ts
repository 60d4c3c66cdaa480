import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LINES } from './speed/lines.ts';
import type { Line } from './speed/lines.ts';
import { measure, runInTurn } from './speed/measure.ts';
import { startService } from './speed/service.ts';
import type { Service } from './speed/service.ts';
import { listMissed, makeTable } from './speed/table.ts';

const NAMES = LINES.map(({ name }) => name);
const HELP = `usage: npm run bench -- [--check] [--rounds N] [${NAMES.join('|')}]...

Runs this action and other programs in turn, and prints the median, the least and the most of each.

  --check      exit code 1 if a goal is missed
  --rounds N   N figures of each program; 10 by default
  --help       this text`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Runs the lines of the command line. Rejects if a program fails. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean' },
      rounds: { type: 'string', default: '10' },
      help: { type: 'boolean' },
    },
  });
  const unknown = positionals.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new RangeError(`There is no line "${unknown}".\n${HELP}`);
  if (values.help === true) {
    console.log(HELP);
    return;
  }
  const rounds = Number(values.rounds);
  if (!(rounds >= 1)) throw new RangeError(`--rounds: a number from 1, not "${values.rounds}"`);
  const [date] = new Date().toISOString().split('T');
  const cpu = `${cpus()[0]?.model.trim()} with ${cpus().length} cores`;
  console.log(`${date}, ${cpu}, Node ${process.version}, a load of ${loadavg()[0]?.toFixed(1)}`);
  const service = await startService(makeScratch());
  for (const line of LINES) {
    if (positionals.length > 0 && !positionals.includes(line.name)) continue;
    const missed = await runLine(line, service, rounds);
    if (missed.length > 0 && values.check === true) process.exitCode = 1;
  }
}

/** Measures and prints a line. Returns the goals that are missed. */
async function runLine(line: Line, service: Service, rounds: number): Promise<readonly string[]> {
  const { name, title, unit, contenders, goals } = line;
  console.log(`\n${name}: ${title} (${unit})`);
  const figures = await runInTurn(contenders(service), rounds, (contender) =>
    measure(contender, unit, service),
  );
  const table = makeTable(figures, goals);
  console.table(table);
  const missed = listMissed(table);
  for (const goal of missed) console.error(`MISSED ${name}: ${goal}`);
  return missed;
}

/** Makes a temporary directory that is removed when this process ends, also by Ctrl+C. */
function makeScratch(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  return directory;
}
