import { StepError } from '../errors.ts';
import { findFiles } from '../files/find.ts';
import type { FindResult } from '../files/find.ts';
import type { Scope } from '../files/search.ts';
import { explainUnmatched } from '../files/unmatched.ts';
import { readScanFiles } from '../formats/inspect.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ScanEntry } from '../inputs/scans.ts';
import { MAX_HEADLINE_CHARACTERS } from '../outcomes/failure.ts';
import { endNotSent, listLabels } from '../outcomes/scan-result.ts';
import type { PlannedScan, ScanResult } from '../outcomes/scan-result.ts';
import { checkContents } from '../plan/check.ts';
import { planUpload } from '../plan/choose.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { cutWhole } from '../text.ts';

/** How long a step searches for what patterns without a match may mean, in milliseconds. */
const MAX_HINTS_MS = 1000;

/** What the preparation of all scans needs. */
interface Preparation {
  readonly inputs: Pick<Inputs, 'noFiles' | 'contentCheck'>;
  readonly scope: Scope;
  /** When the job began, in milliseconds since 1970. */
  readonly jobStart: number;
  readonly signal: AbortSignal;
}

/** Makes the error for a selection with patterns that match no file. */
type Explain = (found: FindResult) => Promise<StepError>;

/**
 * Finds, inspects, plans and checks the files of each scan before anything is sent, and calls `advance` after each scan.
 * If one of them is invalid, all have a result then, and nothing is uploaded. Throws a StepError if there are no scans
 * and `if-no-files-found` is `error`, and the signal's reason before the next scan once it fires.
 */
export async function prepareScans(
  entries: readonly ScanEntry[],
  preparation: Preparation,
  advance: () => void,
): Promise<readonly (PlannedScan | ScanResult)[]> {
  const { inputs, scope, signal } = preparation;
  if (entries.length === 0 && inputs.noFiles === 'error') {
    const fix = 'If there may be nothing to upload, set `if-no-files-found: ignore`.';
    throw new StepError('files', '`scans` has no entries.', fix);
  }
  let limit: AbortSignal | undefined;
  const explain: Explain = async (found) => {
    limit ??= AbortSignal.timeout(MAX_HINTS_MS);
    return explainUnmatched(found, scope, limit);
  };
  const prepared: (PlannedScan | ScanResult)[] = [];
  // They are inspected one after the other, because parsing a large file takes a lot of memory.
  for (const entry of entries) {
    prepared.push(await prepareScan(entry, preparation, explain));
    signal.throwIfAborted();
    advance();
  }
  return holdPlanned(prepared);
}

async function prepareScan(
  entry: ScanEntry,
  { inputs, scope, jobStart, signal }: Preparation,
  explain: Explain,
): Promise<PlannedScan | ScanResult> {
  let plan: UploadPlan | undefined;
  try {
    const found = await findFiles(entry.selection, scope, signal);
    if (found.unmatched.length > 0) return endUnmatched(entry, found, await explain(found), inputs);
    const files = await readScanFiles(found.files, scope, signal);
    plan = planUpload(files, { ...inputs, jobStart });
    return { entry, plan: checkContents(plan, inputs.contentCheck) };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return endNotSent(entry, plan, error);
  }
}

/** Ends a scan with patterns that match no file. That is an error, unless no pattern matches and `if-no-files-found` allows it. */
function endUnmatched(
  entry: ScanEntry,
  { files }: FindResult,
  error: StepError,
  { noFiles }: Pick<Inputs, 'noFiles'>,
): ScanResult {
  if (files.length > 0 || noFiles === 'error') return endNotSent(entry, undefined, error);
  // The message contains the author's patterns.
  const skipped = cutWhole(error.message, MAX_HEADLINE_CHARACTERS);
  return { entry, plan: undefined, result: 'skipped', skipped };
}

/** Ends the planned scans if another one failed. */
function holdPlanned(
  scans: readonly (PlannedScan | ScanResult)[],
): readonly (PlannedScan | ScanResult)[] {
  const failed = scans.filter((scan) => 'result' in scan && scan.result === 'not-sent');
  if (failed.length === 0) return scans;
  const text = `Not tried, because other scans of the step are invalid: ${listLabels(failed)}.`;
  const error = new StepError('other-scans', text, []);
  return scans.map((scan) => ('result' in scan ? scan : endNotSent(scan.entry, scan.plan, error)));
}

/** Describes in a line each what several scans share, and probably by mistake: their key, or all of their files. */
export function describeRepeats(scans: readonly (PlannedScan | ScanResult)[]): readonly string[] {
  const keys = listGroups(scans, ({ entry }) => entry.scanKey.toLowerCase());
  const files = listGroups(scans, ({ plan }) =>
    (plan?.parts ?? [])
      .map(({ file }) => file.identity)
      .toSorted()
      .join(),
  );
  return [
    ...keys.map(
      (same) =>
        `${listLabels(same)} use the same scan key, ${same[0]?.entry.scanKey}. If they are different scans, give each its own key: the service may keep only one.`,
    ),
    ...files.map(
      (same) =>
        `${listLabels(same)} have the same files. If they are different scans, correct their paths.`,
    ),
  ];
}

/** The scans that have the same text, if it is not empty. A dry run needs no key, and a scan without a match has no file. */
function listGroups<T>(scans: readonly T[], read: (scan: T) => string): readonly (readonly T[])[] {
  const groups = Map.groupBy(scans, read);
  groups.delete('');
  return [...groups.values()].filter(({ length }) => length > 1);
}
