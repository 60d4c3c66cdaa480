// Runs mutation tests: Stryker changes each module in every way it knows, and the module's own tests
// must fail. For some modules only: npm run mutate -- src/service/retry.ts src/inputs/tls.ts
// README.md says which mutants survive, and why.
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

const CONFIG = join(import.meta.dirname, 'stryker.config.mjs');
const MODULES = [
  'src/service/*.ts',
  'src/inputs/*.ts',
  'src/plan/plan.ts',
  'src/plan/check.ts',
  'src/report/log.ts',
];
/** The share of its mutants that the tests of each module must kill, in percent. */
const MIN_SCORE = 90;

interface Score {
  readonly module: string;
  readonly killed: number;
  readonly total: number;
}

/** A module's own tests, for `b` also those in `b-*`, but not those of the modules that use it. */
function listTests(module: string): readonly string[] {
  if (module === 'src/service/exchange.ts') return ['service/exchange', 'service/late-flush'];
  return [module.slice('src/'.length, -'.ts'.length)];
}

async function mutate(module: string): Promise<Score> {
  console.log(`\n== ${module}`);
  const testMatch = listTests(module).map((path) => `<rootDir>/__tests__/${path}?(-*).test.ts`);
  // Outside the project: jest would find the copies of its packages.
  const tempDirName = mkdtempSync(join(tmpdir(), 'scan-upload-mutants-'));
  try {
    const jest = { config: { testMatch } };
    const options = { configFile: CONFIG, mutate: [module], jest, tempDirName };
    const mutants = await new Stryker(options).runMutationTest();
    const survivors = mutants.filter(({ status }) => status !== 'Killed' && status !== 'Timeout');
    return { module, killed: mutants.length - survivors.length, total: mutants.length };
  } finally {
    rmSync(tempDirName, { recursive: true, force: true });
  }
}

function measurePercent({ killed, total }: Score): number {
  return (100 * killed) / total;
}

function showScore(score: Score): string {
  const { module, killed, total } = score;
  return `${measurePercent(score).toFixed(1).padStart(5)} %  ${killed}/${total}  ${module}`;
}

// Not UTC: there no test would notice a date without a time zone that is read as local time.
process.env.TZ = 'America/New_York';
const named = process.argv.slice(2);
const all = globSync(MODULES);
const scores: Score[] = [];
for (const module of named.length > 0 ? named : all.toSorted()) {
  scores.push(await mutate(module));
}
const sum = (member: 'killed' | 'total'): number =>
  scores.reduce((count, score) => count + score[member], 0);
const whole = { module: 'all of them', killed: sum('killed'), total: sum('total') };
console.log([...scores, whole].map(showScore).join('\n'));
if (scores.some((score) => measurePercent(score) < MIN_SCORE)) process.exitCode = 1;
