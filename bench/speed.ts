import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import type { Contender } from './speed/contenders.ts';
import { makeCertificate } from './speed/files.ts';
import { LINES } from './speed/lines.ts';
import type { Line } from './speed/lines.ts';
import { measure, runInTurn } from './speed/measure.ts';
import { startService } from './speed/service.ts';
import { chooseExitCode, formatTables, replaceFigures } from './speed/table.ts';
import type { Result } from './speed/table.ts';

const ROUNDS = 5;
const PAGE = join(import.meta.dirname, 'README.md');
const NAMES = LINES.map(({ name }) => name);
const HELP = `usage: npm run bench -- [--check] [--rounds N] [${NAMES.join('|')}]...

Runs this action and other programs in turn and prints the median, the least and the most of each, the
ratio of the medians and whether the goals are met. A run of all lines without --rounds writes them to
bench/README.md.

  --check      exit code 1 if a goal is missed
  --rounds N   N figures of each program, whatever the line says
  --help       this text`;

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Runs the lines of the command line. Returns the exit code; rejects if a program fails. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean' },
      rounds: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const unknown = positionals.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new RangeError(`There is no line "${unknown}".\n${HELP}`);
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  const about = describeMachine();
  console.error(about);
  const directory = makeScratch();
  const results: Result[] = [];
  for (const line of LINES) {
    if (positionals.length > 0 && !positionals.includes(line.name)) continue;
    console.error(`${line.name}: ${line.title}`);
    const result = await runLine(line, directory, Number(values.rounds ?? line.rounds ?? ROUNDS));
    console.log(await format(formatTables([result]), { parser: 'markdown' }));
    results.push(result);
  }
  if (results.length === LINES.length && values.rounds === undefined) {
    const page = replaceFigures(readFileSync(PAGE, 'utf8'), `${about}\n\n${formatTables(results)}`);
    writeFileSync(PAGE, await format(page, { parser: 'markdown' }));
  }
  return chooseExitCode(results, values.check === true);
}

async function runLine(line: Line, directory: string, rounds: number): Promise<Result> {
  const { unit = 'ms', isSecure = false, roundTripMs = 0 } = line;
  if (unit === 'KiB' && process.platform !== 'linux') return skip(line, 'measured on Linux only');
  try {
    const certificate = isSecure ? makeCertificate(directory) : '';
    const service = await startService(certificate, roundTripMs);
    const stage = { directory, service };
    const run = (contender: Contender): Promise<number> => measure(contender, unit, stage);
    const figures = await runInTurn(line.contenders(stage), rounds, run).finally(service.stop);
    return { line, figures };
  } catch (error) {
    const isMissing = error instanceof Error && 'spawnargs' in error && 'path' in error;
    if (isMissing) return skip(line, `${String(error.path)} is not on the path`);
    throw error;
  }
}

function skip(line: Line, reason: string): Result {
  return { line, figures: new Map(), problem: `skipped: ${reason}` };
}

/** Makes a temporary directory that is removed when this process ends, also by Ctrl+C. */
function makeScratch(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  return directory;
}

/** The machine and its load in the minute before, on which the figures depend. */
function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const cpu = `${cpus()[0]?.model.trim()} with ${cpus().length} cores`;
  const load = `a load of ${(loadavg()[0] ?? 0).toFixed(1)} before`;
  return `${date}, ${cpu}, ${process.platform} ${release()}, Node ${process.version}, ${load}.`;
}
