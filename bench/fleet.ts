import { compare } from './fleet/compare.ts';
import type { Result } from './fleet/compare.ts';
import { HELP, readFlags } from './fleet/flags.ts';
import { SCENARIOS } from './fleet/scenarios.ts';
import { compareSteps } from './fleet/steps.ts';
import { formatComparison, formatSteps } from './fleet/table.ts';

try {
  process.exitCode = main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

/** Prints what was asked for; returns the exit code. */
function main(): number {
  const { seeds, isJson, isHelp } = readFlags(process.argv.slice(2));
  if (isHelp) {
    console.log(HELP);
    return 0;
  }
  const comparisons = SCENARIOS.map((scenario) => compare(scenario, seeds));
  const steps = SCENARIOS.map((scenario) => compareSteps(scenario, seeds));
  if (isJson) console.log(JSON.stringify({ seeds, comparisons, steps }, undefined, 2));
  else {
    console.log([...comparisons.map(formatComparison), ...steps.map(formatSteps)].join('\n\n'));
  }
  const missed = [
    ...comparisons.flatMap(({ scenario, results }) => listMissed(scenario, results)),
    ...steps.flatMap(({ scenario, results }) =>
      results.flatMap((result) => listMissed(`${scenario}: ${result.load}`, [result])),
    ),
  ];
  missed.forEach((text) => console.error(`MISSED ${text}`));
  return missed.length === 0 ? 0 : 1;
}

function listMissed(title: string, results: readonly Result[]): string[] {
  return results.flatMap(({ policy, checks }) =>
    checks
      .filter(({ isMet }) => !isMet)
      .map(({ figure, kind, limit }) => `${title}: ${policy}: ${figure} ${kind} ${limit}`),
  );
}
