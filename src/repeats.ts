import type { PreparedScan } from './prepare.ts';
import { listSome } from './text.ts';

/** How many repeats are listed; an annotation holds 4,096 characters. */
const MAX_LISTED = 10;
/** How many scans are named for each repeat. */
const MAX_NAMED = 20;

/** Describes keys and files that several scans of a step share: allowed, but probably a mistake. */
export function describeRepeats(scans: readonly PreparedScan[]): readonly string[] {
  const byKey = new Map<string, string[]>();
  const byFile = new Map<string, { readonly path: string; readonly labels: string[] }>();
  for (const { entry, plan } of scans) {
    if ('error' in entry) continue;
    const { label = '' } = entry;
    add(byKey, entry.scanKey.toLowerCase(), label);
    for (const { file } of plan?.parts ?? []) {
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
