import type { Standing } from './goals.ts';
import type { Contender, Rounds } from './line.ts';
import { spread } from './statistics.ts';

/** After this time a line has no further round, if it has had its least. */
const LINE_MS = 25_000;

/**
 * Runs the contenders in turn, a, b, a, b, ..., so that what else the machine does meets all of
 * them alike. The first round is discarded: it fills the caches. `now` gives milliseconds.
 */
export async function runInTurn(
  contenders: readonly Contender[],
  { min, max }: Rounds,
  now: () => number,
): Promise<readonly Standing[]> {
  const inTurn = contenders.filter(({ skipped, isOnce }) => skipped === undefined && !isOnce);
  const figures = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const started = now();
  for (let round = 0; round <= max; round += 1) {
    if (round > min && now() - started > LINE_MS) break;
    for (const { name, run, repeats = 1 } of inTurn) {
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        const figure = await run();
        if (round > 0) figures.get(name)?.push(figure);
      }
    }
  }
  for (const { name, run, skipped, isOnce } of contenders) {
    if (isOnce === true && skipped === undefined) figures.get(name)?.push(await run());
  }
  return contenders.map(({ name, skipped, isOurs = false }) =>
    skipped === undefined
      ? { name, isOurs, figures: spread(figures.get(name) ?? []) }
      : { name, isOurs, skipped },
  );
}
