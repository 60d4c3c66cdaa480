import { settleWithin } from '../abort.ts';
import { StepError } from '../errors.ts';
import { findFiles } from '../files/find.ts';
import type { FindResult } from '../files/find.ts';
import type { Scope } from '../files/search.ts';
import { explainUnmatched } from '../files/unmatched.ts';
import { readScanFiles } from '../formats/inspect.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ScanEntry } from '../inputs/scans.ts';
import { describeRepeats } from './repeats.ts';
import { MAX_HEADLINE_CHARACTERS } from '../redaction/gate.ts';
import { explainError } from '../results/failure.ts';
import type { Log } from '../report/log.ts';
import { narrateParts, runPhase } from '../report/narrate.ts';
import type { ScanResult } from '../results/scan-result.ts';
import { checkContents } from '../plan/check.ts';
import { planUpload } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { cutWhole, listSome } from '../text.ts';

/** How many scans a message names. */
const MAX_NAMED = 20;
/** How long a step searches for what patterns without a match may mean, in milliseconds. */
const MAX_HINTS_MS = 1000;

const NO_ENTRIES_FIX = 'If there may be nothing to upload, set `if-no-files-found: ignore`.';

/** A scan to be sent. */
export interface ReadyScan {
  readonly entry: ScanEntry;
  readonly plan: UploadPlan;
}

/** A scan whose files were inspected, or that ended before. */
export type PreparedScan =
  | { readonly kind: 'ready'; readonly scan: ReadyScan }
  | { readonly kind: 'ended'; readonly scan: ScanResult };

/** A scan after its search; the message about one without a match needs the files of all scans. */
type InspectedScan =
  | PreparedScan
  | { readonly kind: 'unmatched'; readonly entry: ScanEntry; readonly found: FindResult };

/** What the preparation of every scan needs. */
interface Preparation {
  readonly inputs: Inputs;
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

/**
 * Finds, inspects and plans the files of all scans before anything is sent. If one scan is invalid, none
 * is sent. Rejects with the signal's reason, and with a StepError if `scans` is empty and
 * `if-no-files-found` is `error`.
 */
export async function prepareScans(
  entries: readonly ScanEntry[],
  preparation: Preparation,
  log: Log,
): Promise<readonly PreparedScan[]> {
  const { inputs, scope, signal } = preparation;
  if (entries.length === 0) {
    const error = new StepError('files', '`scans` has no entries.', NO_ENTRIES_FIX);
    if (inputs.noFiles === 'error') throw error;
    skip(error, inputs, log);
  }
  const phase = { title: `Inspecting ${entries.length} scans`, scans: entries.length };
  /** The matched files: no message proposes one of them for another pattern. */
  const taken = new Set<string>();
  const inspected: InspectedScan[] = [];
  await runPhase({ ...phase, done: 'inspected' }, log, async (advance) => {
    // One after the other, because parsing a large file takes a lot of memory.
    for (const entry of entries) {
      inspected.push(await inspectScan(entry, preparation, taken, log.named(entry.label)));
      signal.throwIfAborted();
      advance();
    }
  });
  const hints = { ...scope, taken, limit: AbortSignal.timeout(MAX_HINTS_MS) };
  const explain = async (found: FindResult): Promise<StepError> =>
    settleWithin(explainUnmatched(found, hints), signal);
  const prepared: PreparedScan[] = [];
  for (const scan of inspected) {
    const isOver = scan.kind !== 'unmatched';
    prepared.push(isOver ? scan : endUnmatched(scan, await explain(scan.found), inputs, log));
  }
  const failed = prepared.flatMap(({ kind, scan }) =>
    kind === 'ended' && scan.failure !== undefined ? [scan.entry.label ?? ''] : [],
  );
  if (failed.length > 0) {
    const text = `Not tried, because other scans of the step are invalid: ${listSome(failed, MAX_NAMED)}.`;
    const error = new StepError('other-scans', text, []);
    return prepared.map((each) => (each.kind === 'ended' ? each : endScan(each.scan, error)));
  }
  const repeats = describeRepeats(
    prepared.map(({ scan: { entry, plan } }) => ({ ...entry, parts: plan?.parts ?? [] })),
  );
  if (repeats.length > 0) log.warning('Scan upload (scans)', repeats.join('\n'));
  return prepared;
}

async function inspectScan(
  entry: ScanEntry,
  { inputs, scope, signal }: Preparation,
  taken: Set<string>,
  log: Log,
): Promise<InspectedScan> {
  let plan: UploadPlan | undefined;
  try {
    const found = await settleWithin(findFiles(entry.selection, scope, signal, taken), signal);
    if (found.unmatched.length > 0) return { kind: 'unmatched', entry, found };
    const read = await settleWithin(readScanFiles(found.files, scope, signal), signal);
    plan = planUpload(read);
    narrateParts(plan, log);
    plan = checkContents(plan, inputs.contentCheck);
    const warnings = plan.parts.flatMap((part) => part.warnings ?? []);
    // A warning about two parts is in both.
    for (const warning of new Set(warnings)) log.warning('Scan file', warning);
    return { kind: 'ready', scan: { entry, plan } };
  } catch (error) {
    return endScan({ entry, plan }, error);
  }
}

/** Ends a scan with patterns that match no file: with an error, unless none matches and `if-no-files-found` allows it. */
function endUnmatched(
  { entry, found }: Extract<InspectedScan, { kind: 'unmatched' }>,
  error: StepError,
  inputs: Inputs,
  stepLog: Log,
): PreparedScan {
  const log = stepLog.named(entry.label);
  const scan = { entry, plan: undefined };
  if (found.files.length > 0 || inputs.noFiles === 'error') return endScan(scan, error);
  return { kind: 'ended', scan: { ...scan, result: 'skipped', skipped: skip(error, inputs, log) } };
}

/** Ends a scan with an error that its author can fix; throws any other error. */
function endScan(scan: Pick<ScanResult, 'entry' | 'plan'>, error: unknown): PreparedScan {
  if (!(error instanceof StepError)) throw error;
  const failure = explainError(error);
  return { kind: 'ended', scan: { ...scan, result: 'not-sent', failure } };
}

/** Logs why there is nothing to upload, as `if-no-files-found` says. Returns it. */
function skip({ message }: StepError, { noFiles }: Inputs, log: Log): string {
  // It contains the author's patterns.
  const text = cutWhole(message, MAX_HEADLINE_CHARACTERS);
  if (noFiles === 'warn') log.warning('Scan upload skipped', text);
  else log.info(`Skipped: ${text}`);
  return text;
}
