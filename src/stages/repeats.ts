import type { ScanEntry } from '../inputs/scans.ts';
import { safe, showId } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import { listLabels } from './scan-result.ts';

/** Describes keys that several scans of a step share, a line each: allowed, but probably a mistake. */
export function describeRepeats(entries: readonly ScanEntry[]): readonly SafeText[] {
  const groups = Map.groupBy(entries, ({ scanKey = '' }) => scanKey.toLowerCase());
  // A dry run needs no key.
  groups.delete('');
  return Array.from(groups)
    .filter(([, same]) => same.length > 1)
    .map(
      ([key, same]) =>
        safe`${listLabels(same.map((entry) => ({ entry })))} use the same scan key, ${showId(key)}. If they are different scans, give each its own key: the service may keep only one.`,
    );
}
