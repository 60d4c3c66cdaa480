import { setImmediate as endTurn } from 'node:timers/promises';
import { StepError } from '../errors.ts';
import type { Scope } from '../files/search.ts';
import { explainUnmatched } from '../files/unmatched.ts';
import type { HintScope } from '../files/unmatched.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ScanEntry } from '../inputs/scans.ts';
import { MAX_HEADLINE_CHARACTERS } from '../outcomes/failure.ts';
import { endNotSent, listLabels } from '../outcomes/scan-result.ts';
import type { PlannedScan, ScanResult } from '../outcomes/scan-result.ts';
import { checkContents } from '../plan/check.ts';
import { planUpload } from '../plan/plan.ts';
import { cutWhole } from '../text.ts';
import type { InspectedScan } from './inspect.ts';

/** How long a step searches for what patterns without a match may mean, in milliseconds. */
const MAX_HINTS_MS = 1000;

/**
 * Plans all scans before anything is sent. If one of them is invalid, all have a result then, and nothing is uploaded.
 * Throws a StepError if there are no scans and `if-no-files-found` is `error`, and the signal's reason once it fires.
 */
export async function planScans(
  scans: readonly (InspectedScan | ScanResult)[],
  inputs: Pick<Inputs, 'noFiles' | 'contentCheck'>,
  scope: Scope,
  signal: AbortSignal,
): Promise<readonly (PlannedScan | ScanResult)[]> {
  if (scans.length === 0 && inputs.noFiles === 'error') {
    const fix = 'If there may be nothing to upload, set `if-no-files-found: ignore`.';
    throw new StepError('files', '`scans` has no entries.', fix);
  }
  const hints = { ...scope, taken: listTaken(scans), limit: AbortSignal.timeout(MAX_HINTS_MS) };
  const planned: (PlannedScan | ScanResult)[] = [];
  for (const scan of scans) {
    // Many scans take long to plan, and timers and signals must be handled meanwhile.
    await endTurn();
    signal.throwIfAborted();
    planned.push('result' in scan ? scan : await planScan(scan, inputs, hints));
  }
  return holdPlanned(planned);
}

/** Lists the files of all scans, because no message should propose one of them for a pattern without a match. */
function listTaken(scans: readonly (InspectedScan | ScanResult)[]): ReadonlySet<string> {
  const inspected = scans.flatMap((scan) => ('result' in scan ? [] : [scan.files]));
  return new Set(
    inspected.flatMap(({ files, others }) => [...files, ...others]).map(({ path }) => path),
  );
}

async function planScan(
  scan: InspectedScan,
  inputs: Pick<Inputs, 'noFiles' | 'contentCheck'>,
  hints: HintScope,
): Promise<PlannedScan | ScanResult> {
  const { entry, files, unmatched } = scan;
  if (unmatched.length > 0) return endUnmatched(scan, hints, inputs.noFiles);
  let plan: PlannedScan['plan'] | undefined;
  try {
    plan = planUpload(files);
    return { entry, plan: checkContents(plan, inputs.contentCheck) };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return endNotSent(entry, plan, error);
  }
}

/** Ends a scan with patterns that match no file. That is an error, unless no pattern matches and `if-no-files-found` allows it. */
async function endUnmatched(
  { entry, files, unmatched }: InspectedScan,
  hints: HintScope,
  noFiles: Inputs['noFiles'],
): Promise<ScanResult> {
  const found = { files: files.others, unmatched };
  const error = await explainUnmatched(found, hints);
  if (found.files.length > 0 || noFiles === 'error') return endNotSent(entry, undefined, error);
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

/** Describes in a line each the keys that several scans share, which is allowed, but probably a mistake. */
export function describeRepeats(entries: readonly ScanEntry[]): readonly string[] {
  const groups = Map.groupBy(entries, ({ scanKey }) => scanKey.toLowerCase());
  // A dry run needs no key.
  groups.delete('');
  return Array.from(groups)
    .filter(([, same]) => same.length > 1)
    .map(
      ([key, same]) =>
        `${listLabels(same.map((entry) => ({ entry })))} use the same scan key, ${key}. If they are different scans, give each its own key: the service may keep only one.`,
    );
}
