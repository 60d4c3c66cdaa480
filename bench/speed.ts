// Runs this action and other programs in turn, and prints the median, the least and the most of each:
// npm run bench -- [LINE]...
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINES } from './speed/lines.ts';
import type { Line } from './speed/lines.ts';
import { measure, runInTurn } from './speed/measure.ts';
import { startService } from './speed/service.ts';
import type { Service } from './speed/service.ts';
import { listMissed, makeTable } from './speed/table.ts';

/** Figures of each program. */
const ROUNDS = 10;

const chosen = process.argv.slice(2);
const lines = LINES.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
const names = LINES.map(({ name }) => name);
if (chosen.some((name) => !names.includes(name))) {
  throw new RangeError(`The lines are: ${names.join(', ')}`);
}
const cpu = `${cpus()[0]?.model.trim()} with ${cpus().length} cores`;
console.log(`${cpu}, Node ${process.version}, a load of ${loadavg()[0]?.toFixed(1)}`);
const service = await startService(makeScratch());
for (const line of lines) await runLine(line, service);

/** Measures and prints a line, and the goals that are missed. Rejects if a program fails. */
async function runLine({ name, title, unit, contenders, goals }: Line, to: Service): Promise<void> {
  console.log(`\n${name}: ${title} (${unit})`);
  const figures = await runInTurn(contenders(to), ROUNDS, (contender) =>
    measure(contender, unit, to),
  );
  const table = makeTable(figures, goals);
  console.table(table);
  for (const goal of listMissed(table)) {
    console.error(`MISSED ${name}: ${goal}`);
    process.exitCode = 1;
  }
}

/** Makes a temporary directory that is removed when this process ends, also by Ctrl+C. */
function makeScratch(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  return directory;
}
