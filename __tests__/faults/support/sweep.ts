import type { Cut, Direction, Ending, CuttingServer, Traffic } from './cutting-server.ts';

/** The beginning of the value for an exchange that did not settle by itself. */
export const HUNG = 'hung';

/** One cut exchange: where it was cut, what passed, and its result in a few words. */
export interface Observation extends Traffic {
  readonly cut: Cut;
  readonly value: string;
}

/** The cuts of a sweep: every offset up to `last`, with both endings or one. */
export interface Offsets {
  readonly direction: Direction;
  readonly last: number;
  /** FIN and RST if absent. `in turn`: one for each offset, but both for the last ones. */
  readonly endings?: readonly Ending[] | 'in turn';
}

const BOTH: readonly Ending[] = ['FIN', 'RST'];
/** The last byte, and one before and after it. */
const CRITICAL = 3;

/** Runs an exchange for every cut, one at a time on each server. */
export async function sweep(
  servers: readonly CuttingServer[],
  offsets: Offsets,
  exchange: (server: CuttingServer) => Promise<string>,
): Promise<readonly Observation[]> {
  const cuts = listCuts(offsets);
  const observations: Observation[] = [];
  const work = async (server: CuttingServer): Promise<void> => {
    for (let cut = cuts.shift(); cut !== undefined; cut = cuts.shift()) {
      const traffic = await server.run(cut, () => exchange(server));
      observations.push({ ...traffic, cut });
      // One is enough to know; all of them would take an hour.
      if (traffic.value.startsWith(HUNG)) cuts.length = 0;
    }
  };
  await Promise.all(servers.map(work));
  return observations;
}

/** The cuts of a sweep, those of an ending together. */
export function listCuts({ direction, last, endings = BOTH }: Offsets): Cut[] {
  const offsets = Array.from({ length: last + 1 }, (_, bytes) => bytes);
  const isIn = (ending: Ending, bytes: number): boolean =>
    endings === 'in turn'
      ? bytes > last - CRITICAL || ending === BOTH[bytes % BOTH.length]
      : endings.includes(ending);
  return BOTH.flatMap((ending) =>
    offsets.flatMap((bytes) => (isIn(ending, bytes) ? [{ direction, bytes, ending }] : [])),
  );
}

/**
 * The unexpected results, a line for each kind, with the offsets in ranges. `allow` returns the expected
 * values of an observation.
 */
export function findFaults(
  observations: readonly Observation[],
  allow: (observation: Observation) => readonly string[],
): readonly string[] {
  const kinds = new Map<string, number[]>();
  for (const observation of observations) {
    const { cut, value } = observation;
    const allowed = allow(observation);
    if (allowed.includes(value)) continue;
    const kind = `${cut.ending} in the ${cut.direction}: ${value} instead of ${allowed.join(' or ')}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), cut.bytes]);
  }
  return [...kinds].map(([kind, offsets]) => `${kind} at ${formatRanges(offsets)}`);
}

/** `0-3, 7`. */
function formatRanges(offsets: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && offset - range[1] <= 1) range[1] = offset;
    else ranges.push([offset, offset]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
