import { settleWithin } from '../lifecycle.ts';
import { StepError } from '../errors.ts';
import { findFiles } from '../files/find.ts';
import type { FindResult } from '../files/find.ts';
import type { Scope } from '../files/search.ts';
import { explainUnmatched } from '../files/unmatched.ts';
import { readScanFiles } from '../formats/inspect.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ScanEntry } from '../inputs/scans.ts';
import { spellError } from '../outcomes/failure.ts';
import { checkContents } from '../plan/check.ts';
import { planUpload } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { MAX_HEADLINE_CHARACTERS, showText } from '../redaction/gate.ts';
import { cutWhole, listSome } from '../text.ts';
import type { ReadyScan, ScanResult } from './scan-result.ts';

/** How many scans a message names. */
const MAX_NAMED = 20;
/** How long a step searches for what patterns without a match may mean, in milliseconds. */
const MAX_HINTS_MS = 1000;
const NO_ENTRIES_FIX = 'If there may be nothing to upload, set `if-no-files-found: ignore`.';

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
 * is ready. Calls `advance` after each. Rejects with the signal's reason, and with a StepError if there are no
 * entries and `if-no-files-found` is `error`.
 */
export async function prepareScans(
  entries: readonly ScanEntry[],
  preparation: Preparation,
  advance: () => void,
): Promise<readonly (ReadyScan | ScanResult)[]> {
  const { inputs, scope, signal } = preparation;
  if (entries.length === 0 && inputs.noFiles === 'error') {
    throw new StepError('files', '`scans` has no entries.', NO_ENTRIES_FIX);
  }
  /** The matched files: no message proposes one of them for another pattern. */
  const taken = new Set<string>();
  const inspected: (ReadyScan | ScanResult | UnmatchedScan)[] = [];
  // One after the other, because parsing a large file takes a lot of memory.
  for (const entry of entries) {
    inspected.push(await inspectScan(entry, preparation, taken));
    signal.throwIfAborted();
    advance();
  }
  const hints = { ...scope, taken, limit: AbortSignal.timeout(MAX_HINTS_MS) };
  const prepared: (ReadyScan | ScanResult)[] = [];
  for (const scan of inspected) {
    if (scan.result === 'unmatched') {
      const why = await settleWithin(explainUnmatched(scan.found, hints), signal);
      prepared.push(endUnmatched(scan, why, inputs));
    } else {
      prepared.push(scan);
    }
  }
  return holdReady(prepared);
}

async function inspectScan(
  entry: ScanEntry,
  { inputs, scope, signal }: Preparation,
  taken: Set<string>,
): Promise<ReadyScan | ScanResult | UnmatchedScan> {
  let plan: UploadPlan | undefined;
  try {
    const found = await settleWithin(findFiles(entry.selection, scope, signal, taken), signal);
    if (found.unmatched.length > 0) return { entry, result: 'unmatched', found };
    plan = planUpload(await settleWithin(readScanFiles(found.files, scope, signal), signal));
    return { entry, plan: checkContents(plan, inputs.contentCheck), result: 'ready' };
  } catch (error) {
    return endScan(entry, plan, error);
  }
}

/** Ends a scan with patterns that match no file: with an error, unless none matches and `if-no-files-found` allows it. */
function endUnmatched(
  { entry, found }: UnmatchedScan,
  error: StepError,
  { noFiles }: Preparation['inputs'],
): ScanResult {
  const isError = found.files.length > 0 || noFiles === 'error';
  if (isError) return endScan(entry, undefined, error);
  // It contains the author's patterns.
  const skipped = showText(cutWhole(error.message, MAX_HEADLINE_CHARACTERS));
  return { entry, plan: undefined, result: 'skipped', skipped };
}

/** If a scan failed, those that are ready are not sent because of it. */
function holdReady(scans: readonly (ReadyScan | ScanResult)[]) {
  const failed = scans.filter(({ result }) => result === 'not-sent');
  if (failed.length === 0) return scans;
  const labels = failed.map(({ entry: { label = '' } }) => label);
  const text = `Not tried, because other scans of the step are invalid: ${listSome(labels, MAX_NAMED)}.`;
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
