import type { StepRun } from '../step/index.ts';
import type { PartComparison } from './compare.ts';
import type { Scenario } from './scenarios.ts';

/** What a step did: its run, the digests, and how many uploads the service kept meanwhile. */
export interface Outcome {
  readonly run: StepRun;
  readonly parts: readonly PartComparison[];
  readonly newUploads: number;
}

/** Every expectation an outcome fails, one line each. */
export function findFailures({ expected, uploads }: Scenario, outcome: Outcome): string[] {
  const { run, parts, newUploads } = outcome;
  const claims = [
    claim('exit code', run.exitCode, expected.exitCode),
    ...Object.entries(expected.outputs).map(([name, value]) =>
      claim(`output ${name}`, run.outputs[name], value),
    ),
    claim('uploads kept', newUploads, uploads.filter(({ isKept }) => isKept).length),
    ...parts.map(({ part, sent, received, isKept }) =>
      claim(`sha256 of ${part} as kept`, received, isKept ? sent : undefined),
    ),
  ];
  return claims.filter((failure) => failure !== undefined);
}

function claim(
  what: string,
  found: number | string | null | undefined,
  wanted: number | string | undefined,
): string | undefined {
  return found === wanted
    ? undefined
    : `${what}: ${found ?? 'none'} instead of ${wanted ?? 'none'}`;
}
