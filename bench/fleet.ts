import { listMissed } from './fleet/figures.ts';
import { SCENARIOS } from './fleet/scenarios.ts';
import { simulate } from './fleet/simulate.ts';

// A job for each upload, as in a matrix, then steps with multiple scans.
const LOADS = [1, 4, 100].map((uploads) => ({ jobs: 10_000 / uploads, uploads }));

for (const scenario of SCENARIOS) {
  const { name, goals } = scenario;
  const rows = LOADS.map(({ jobs, uploads }) => {
    const load = `${jobs.toLocaleString('en')} jobs of ${uploads}`;
    return [load, simulate(scenario, jobs, uploads)] as const;
  });
  console.log(name);
  console.table(Object.fromEntries([...rows, ['goal', goals] as const]));
  for (const [load, figures] of rows) {
    for (const missed of listMissed(figures, goals)) {
      console.error(`MISSED ${name}: ${load}: ${missed}`);
      process.exitCode = 1;
    }
  }
}
