import { StepError } from '../errors.ts';
import { findFiles } from '../files/find.ts';
import type { FindResult } from '../files/find.ts';
import type { Scope } from '../files/search.ts';
import { explainUnmatched } from '../files/unmatched.ts';
import type { HintScope } from '../files/unmatched.ts';
import { readScanFiles } from '../formats/inspect.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ScanEntry } from '../inputs/scans.ts';
import { spellError } from '../outcomes/failure.ts';
import { checkContents } from '../plan/check.ts';
import { planUpload } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { MAX_HEADLINE_CHARACTERS, safe, showId, showText } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import { cutWhole } from '../text.ts';
import { listLabels } from './scan-result.ts';
import type { PreparedScan, ScanResult } from './scan-result.ts';

/** How long a step searches for what patterns without a match may mean, in milliseconds. */
const MAX_HINTS_MS = 1000;

/** A scan with patterns that match no file; the message about it needs the files of all scans. */
interface UnmatchedScan {
  readonly entry: ScanEntry;
  readonly result: 'unmatched';
  readonly found: FindResult;
}

/** What the preparation of every scan needs. */
interface Preparation {
  readonly inputs: Pick<Inputs, 'noFiles' | 'contentCheck'>;
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

/**
 * Finds, inspects and plans the files of all scans before anything is sent. If one scan is invalid, none
 * is ready. Calls `advance` after each. Rejects with the signal's reason before the next scan, and with a StepError if
 * there are no entries and `if-no-files-found` is `error`.
 */
export async function prepareScans(
  entries: readonly ScanEntry[],
  preparation: Preparation,
  advance: () => void,
): Promise<readonly PreparedScan[]> {
  const { inputs, scope, signal } = preparation;
  if (entries.length === 0 && inputs.noFiles === 'error') {
    const fix = 'If there may be nothing to upload, set `if-no-files-found: ignore`.';
    throw new StepError('files', '`scans` has no entries.', fix);
  }
  /** The matched files: no message proposes one of them for another pattern. */
  const taken = new Set<string>();
  const inspected: (PreparedScan | UnmatchedScan)[] = [];
  // One after the other, because parsing a large file takes a lot of memory.
  for (const entry of entries) {
    inspected.push(await inspectScan(entry, preparation, taken));
    signal.throwIfAborted();
    advance();
  }
  const hints = { ...scope, taken, limit: AbortSignal.timeout(MAX_HINTS_MS) };
  const prepared: PreparedScan[] = [];
  for (const scan of inspected) {
    const isUnmatched = scan.result === 'unmatched';
    prepared.push(isUnmatched ? await endUnmatched(scan, hints, inputs.noFiles) : scan);
  }
  return holdReady(prepared);
}

async function inspectScan(
  entry: ScanEntry,
  { inputs, scope, signal }: Preparation,
  taken: Set<string>,
): Promise<PreparedScan | UnmatchedScan> {
  let plan: UploadPlan | undefined;
  try {
    const found = await findFiles(entry.selection, scope, signal);
    for (const { path } of found.files) taken.add(path);
    if (found.unmatched.length > 0) return { entry, result: 'unmatched', found };
    plan = planUpload(await readScanFiles(found.files, scope, signal));
    return { entry, plan: checkContents(plan, inputs.contentCheck), result: 'ready' };
  } catch (error) {
    return endScan(entry, plan, error);
  }
}

/** Ends a scan with patterns that match no file: with an error, unless none matches and `if-no-files-found` allows it. */
async function endUnmatched(
  { entry, found }: UnmatchedScan,
  hints: HintScope,
  noFiles: Inputs['noFiles'],
): Promise<ScanResult> {
  const error = await explainUnmatched(found, hints);
  if (found.files.length > 0 || noFiles === 'error') return endScan(entry, undefined, error);
  // It contains the author's patterns.
  const skipped = showText(cutWhole(error.message, MAX_HEADLINE_CHARACTERS));
  return { entry, plan: undefined, result: 'skipped', skipped };
}

/** If a scan failed, those that are ready are not sent because of it. */
function holdReady(scans: readonly PreparedScan[]): readonly PreparedScan[] {
  const failed = scans.filter(({ result }) => result === 'not-sent');
  if (failed.length === 0) return scans;
  const text = `Not tried, because other scans of the step are invalid: ${listLabels(failed)}.`;
  const error = new StepError('other-scans', text, []);
  return scans.map((scan) =>
    scan.result === 'ready' ? endScan(scan.entry, scan.plan, error) : scan,
  );
}

/** Ends a scan with an error that its author can fix; throws any other error. */
function endScan(entry: ScanEntry, plan: UploadPlan | undefined, error: unknown): ScanResult {
  if (!(error instanceof StepError)) throw error;
  return { entry, plan, result: 'not-sent', failure: spellError(error) };
}

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
