import { parseArgs } from 'node:util';
import { compare } from './fleet/compare.ts';
import { SCENARIOS } from './fleet/scenarios.ts';
import { formatTable, listMissed } from './fleet/table.ts';

const HELP = `usage: npm run bench:fleet -- [--seeds N]

Lets 10,000 jobs retry on a virtual clock, with this action's policy and with the usual ones, then the
same uploads in steps of many. N seeds give median [least, most] (goal). Exit code 1: a goal is missed.`;

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, help: { type: 'boolean' } },
});
if (values.help === true) console.log(HELP);
else run(Number(values.seeds));

/** Prints a table for each scenario, and the goals that are missed. */
function run(seeds: number): void {
  for (const scenario of SCENARIOS) {
    const rows = compare(scenario, seeds);
    console.log(`${formatTable(scenario.name, rows)}\n`);
    for (const row of rows) {
      for (const missed of listMissed(row)) {
        console.error(`MISSED ${scenario.name}: ${row.name}: ${missed}`);
        process.exitCode = 1;
      }
    }
  }
}
