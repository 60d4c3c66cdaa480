import { settleWithin } from './abort.ts';
import { ContentError, FileError, NotStartedError, StepError } from './errors.ts';
import type { Inputs, Strictness } from './inputs.ts';
import type { ScanEntry } from './inputs/scans.ts';
import { describeRepeats } from './repeats.ts';
import { explainError } from './report/explain.ts';
import type { Log } from './report/log.ts';
import { narrateParts } from './report/narrate.ts';
import { checkContents } from './scan/check.ts';
import { findFiles } from './files/find.ts';
import type { FindResult } from './files/find.ts';
import type { Scope } from './files/search.ts';
import { planUpload } from './scan/plan.ts';
import type { UploadPlan } from './scan/plan.ts';
import { readScanFiles } from './formats/read.ts';
import type { ReadFiles } from './formats/read.ts';
import type { ScanDraft, StepDraft } from './drafts.ts';

const OTHERS_FAILED = 'Nothing was sent, since other scans of this step cannot be.';

/** What was found for a scan, or what is wrong with it. */
type PreparedFiles = ReadFiles | Extract<FindResult, { kind: 'none' }> | StepError;

/**
 * Finds and inspects the files of all scans, so that nothing is sent before everything can be. What is
 * wrong with a scan is noted in its draft; then the others fail with it. Rejects with the signal's
 * reason.
 */
export async function prepareScans(
  draft: StepDraft,
  inputs: Inputs,
  scope: Scope,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const { scans } = draft;
  if (scans.length === 0) {
    draft.resultOfNone = skip('scans lists no scan.', inputs, log);
    return;
  }
  // One after the other: parsing a large file takes a lot of memory.
  for (const scan of scans) {
    planScan(scan, await prepareFiles(scan.entry, scope, signal), inputs, log);
  }
  if (scans.some(({ failure }) => failure !== undefined)) {
    draft.failOpen(explainError(new NotStartedError(OTHERS_FAILED)));
    return;
  }
  const repeats = describeRepeats(scans);
  if (repeats.length > 0) log.warning('Scan upload: scans', repeats.join('\n'));
}

async function prepareFiles(
  entry: ScanEntry,
  scope: Scope,
  signal: AbortSignal,
): Promise<PreparedFiles> {
  if ('error' in entry) return entry.error;
  try {
    const found = await settleWithin(findFiles(entry.selection, scope, signal), signal);
    if (found.kind === 'none') return found;
    return await settleWithin(readScanFiles(found.files, scope, signal), signal);
  } catch (error) {
    if (error instanceof StepError) return error;
    throw error;
  }
}

function planScan(scan: ScanDraft, prepared: PreparedFiles, inputs: Inputs, stepLog: Log): void {
  const log = stepLog.named(scan.entry.label);
  try {
    if (prepared instanceof StepError) throw prepared;
    if ('problem' in prepared) {
      scan.result = skip(prepared.problem, inputs, log);
      return;
    }
    scan.plan = planUpload(prepared.files, prepared.unopened);
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
