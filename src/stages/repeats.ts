import type { ScanEntry } from '../inputs/scans.ts';
import { listSome } from '../text.ts';

/** How many repeats are listed; an annotation holds 4,096 characters. */
const MAX_LISTED = 10;
/** How many scans are named for each repeat. */
const MAX_NAMED = 20;

/** Describes keys that several scans of a step share, a line each: allowed, but probably a mistake. */
export function describeRepeats(entries: readonly ScanEntry[]): readonly string[] {
  // A dry run needs no key.
  const keyed = entries.filter(({ scanKey }) => scanKey !== undefined);
  const groups = Map.groupBy(keyed, ({ scanKey = '' }) => scanKey.toLowerCase());
  const repeats = [...groups].filter(([, same]) => same.length > 1);
  const lines = repeats.slice(0, MAX_LISTED).map(([key, same]) => {
    const labels = same.map(({ label = '' }) => label);
    return `${listSome(labels, MAX_NAMED)} use the same scan key, ${key}. If they are different scans, give each its own key: the service may keep only one.`;
  });
  const more = repeats.length - MAX_LISTED;
  return more > 0 ? [...lines, `And ${more} more.`] : lines;
}
