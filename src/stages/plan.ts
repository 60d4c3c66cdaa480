import { setImmediate as endTurn } from 'node:timers/promises';
import { StepError } from '../errors.ts';
import type { Scope } from '../files/search.ts';
import { explainUnmatched } from '../files/unmatched.ts';
import type { HintScope } from '../files/unmatched.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { MAX_HEADLINE_CHARACTERS } from '../outcomes/failure.ts';
import { endNotSent, listLabels } from '../outcomes/scan-result.ts';
import type { PlannedScan, ScanResult } from '../outcomes/scan-result.ts';
import { checkContents } from '../plan/check.ts';
import { markFiles } from '../plan/marks.ts';
import { planUpload } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { cutWhole } from '../text.ts';
import type { InspectedScan } from './inspect.ts';

/** How long a step searches for what patterns without a match may mean, in milliseconds. */
const MAX_HINTS_MS = 1000;

type PlanInputs = Pick<Inputs, 'noFiles' | 'contentCheck'>;

/** What the planning of all scans needs. */
interface Planning {
  readonly scope: Scope;
  /** When the job began, in milliseconds since 1970. */
  readonly jobStart: number;
  readonly signal: AbortSignal;
}

/**
 * Plans all scans before anything is sent. If one of them is invalid, all have a result then, and nothing is uploaded.
 * Throws a StepError if there are no scans and `if-no-files-found` is `error`, and the signal's reason once it fires.
 */
export async function planScans(
  scans: readonly (InspectedScan | ScanResult)[],
  inputs: PlanInputs,
  { scope, jobStart, signal }: Planning,
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
    planned.push('result' in scan ? scan : await planScan(scan, inputs, hints, jobStart));
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
  inputs: PlanInputs,
  hints: HintScope,
  jobStart: number,
): Promise<PlannedScan | ScanResult> {
  const { entry, files, unmatched } = scan;
  if (unmatched.length > 0) return endUnmatched(scan, hints, inputs.noFiles);
  let plan: UploadPlan | undefined;
  try {
    plan = markFiles(planUpload(files), { ...inputs, jobStart });
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
