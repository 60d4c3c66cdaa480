import { SCENARIOS } from '../../bench/fleet/scenarios.ts';
import type { Scenario } from '../../bench/fleet/scenarios.ts';

/** The scenario of this name. */
export function getScenario(name: string): Scenario {
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario "${name}".`);
  return scenario;
}
