import { settleWithin } from './abort.ts';
import { ContentError, FileError, NotBegunError, StepError } from './errors.ts';
import type { Inputs, Strictness } from './inputs.ts';
import type { ScanEntry } from './inputs/scans.ts';
import { mapInLanes } from './lanes.ts';
import { describeRepeats } from './repeats.ts';
import { explainError } from './report/explain.ts';
import type { Log } from './report/log.ts';
import { narrateParts } from './report/narrate.ts';
import type { Roots } from './files/bounds.ts';
import { checkContents } from './scan/check.ts';
import { findFiles } from './files/find.ts';
import type { FindResult } from './files/find.ts';
import { planUpload } from './scan/plan.ts';
import type { UploadPlan } from './scan/plan.ts';
import { readScanFiles } from './formats/read.ts';
import type { ReadFiles } from './formats/read.ts';
import type { ScanDraft, StepDraft } from './drafts.ts';

const OTHERS_FAILED = 'Nothing was sent, since other scans of this step cannot be.';

/** How many scans are looked at side by side: what takes its time is the file system. */
const LANES = 4;

/** What was found for a scan, or what is wrong with it. */
type Sighting = ReadFiles | Extract<FindResult, { kind: 'none' }> | StepError;

/**
 * Finds and looks at the files of all scans, so that nothing is sent before everything can be. What is
 * wrong with a scan is noted in its draft; then the others fail with it. Rejects with the signal's
 * reason.
 */
export async function prepareScans(
  draft: StepDraft,
  inputs: Inputs,
  roots: Roots,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const { scans } = draft;
  if (scans.length === 0) {
    draft.resultOfNone = skip('scans lists no scan.', inputs, log);
    return;
  }
  const seen = await mapInLanes(scans, LANES, async (scan) => ({
    scan,
    sighting: await sight(scan.entry, roots, signal),
  }));
  for (const { scan, sighting } of seen) planScan(scan, sighting, inputs, log);
  if (scans.some(({ failure }) => failure !== undefined)) {
    draft.failOpen(explainError(new NotBegunError(OTHERS_FAILED)));
    return;
  }
  const repeats = describeRepeats(scans);
  if (repeats.length > 0) log.warning('Scan upload: scans', repeats.join('\n'));
}

async function sight(entry: ScanEntry, roots: Roots, signal: AbortSignal): Promise<Sighting> {
  if ('error' in entry) return entry.error;
  const { workspace, includeHidden = false } = roots;
  try {
    const options = { workspace, includeHidden, signal };
    const found = await settleWithin(findFiles(entry.selection, options), signal);
    if (found.kind === 'none') return found;
    return await settleWithin(readScanFiles(found.files, roots, signal), signal);
  } catch (error) {
    if (error instanceof StepError) return error;
    throw error;
  }
}

function planScan(scan: ScanDraft, sighting: Sighting, inputs: Inputs, stepLog: Log): void {
  const log = stepLog.named(scan.entry.label);
  try {
    if (sighting instanceof StepError) throw sighting;
    if ('problem' in sighting) {
      scan.result = skip(sighting.problem, inputs, log);
      return;
    }
    scan.plan = planUpload(sighting.files, sighting.unopened);
    narrateParts(scan.plan, log);
    applyContentCheck(scan.plan, inputs.contentCheck, log);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    scan.failure = explainError(error);
  }
}

/** What if-no-files-found says about no files at all. Throws a FileError if they are an error. */
function skip(problem: string, { noFiles }: Inputs, log: Log): 'skipped' {
  if (noFiles === 'error') throw new FileError(problem);
  if (noFiles === 'warn') log.warning('Scan upload skipped', problem);
  else log.info(`Skipped: ${problem}`);
  return 'skipped';
}

/** Faults stop the step or are annotated, as the author wishes; warnings never stop it. */
function applyContentCheck(plan: UploadPlan, strictness: Strictness, log: Log): void {
  if (strictness === 'off') return;
  const findings = checkContents(plan);
  const faults = findings.filter(({ level }) => level === 'fault');
  if (strictness === 'error' && faults.length > 0) {
    throw new ContentError(...faults.map(({ message }) => message));
  }
  for (const { message } of findings) log.warning('Scan file', message);
}
