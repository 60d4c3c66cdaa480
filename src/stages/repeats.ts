import type { PlannedPart } from '../plan/plan.ts';
import { listSome } from '../text.ts';

/** How many repeats are listed; an annotation holds 4,096 characters. */
const MAX_LISTED = 10;
/** How many scans are named for each repeat. */
const MAX_NAMED = 20;

/** A scan with its key and the files that are sent for it. */
export interface KeyedScan {
  readonly label: string | undefined;
  readonly scanKey: string | undefined;
  readonly parts: readonly PlannedPart[];
}

/** Describes keys and files that several scans of a step share: allowed, but probably a mistake. */
export function describeRepeats(scans: readonly KeyedScan[]): readonly string[] {
  const keys = scans.map(({ label = '', scanKey }) => {
    const id = scanKey?.toLowerCase();
    const fix = 'If they are different scans, give each its own key: the service may keep only one';
    return { label, id, what: `scan key, ${id}. ${fix}` };
  });
  const files = scans.flatMap(({ label = '', parts }) =>
    parts.map(({ file }) => ({ label, id: file.identity, what: `file, '${file.displayPath}'` })),
  );
  // A dry run needs no key.
  const uses = [...keys, ...files].filter(({ id }) => id !== undefined);
  const repeats = [...Map.groupBy(uses, ({ id }) => id).values()].flatMap((same) => {
    const labels = same.map(({ label }) => label);
    return same.length === 1
      ? []
      : [`${listSome(labels, MAX_NAMED)} use the same ${same[0]?.what}.`];
  });
  const more = repeats.length - MAX_LISTED;
  return [...repeats.slice(0, MAX_LISTED), ...(more > 0 ? [`And ${more} more.`] : [])];
}
