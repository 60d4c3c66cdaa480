import type { PlannedPart } from './plan/plan.ts';
import { listSome } from './text.ts';

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
  const byKey = new Map<string, string[]>();
  const byFile = new Map<string, { readonly path: string; readonly labels: string[] }>();
  for (const { label = '', scanKey, parts } of scans) {
    if (scanKey !== undefined) add(byKey, scanKey.toLowerCase(), label);
    for (const { file } of parts) {
      const known = byFile.get(file.identity) ?? { path: file.displayPath, labels: [] };
      byFile.set(file.identity, known);
      known.labels.push(label);
    }
  }
  const repeats = [
    ...[...byKey].map(([key, labels]) => ({ what: `scan key, ${key}`, labels })),
    ...[...byFile.values()].map(({ path, labels }) => ({ what: `file, '${path}'`, labels })),
  ].filter(({ labels }) => labels.length > 1);
  const listed = repeats
    .slice(0, MAX_LISTED)
    .map(({ what, labels }) => `${listSome(labels, MAX_NAMED)} use the same ${what}.`);
  const more = repeats.length - listed.length;
  return more === 0 ? listed : [...listed, `And ${more} more.`];
}

function add(map: Map<string, string[]>, key: string, label: string): void {
  const labels = map.get(key) ?? [];
  map.set(key, labels);
  labels.push(label);
}
