import { settleWithin } from './abort.ts';
import { ContentError, FileError, StepError } from './errors.ts';
import type { Inputs, Strictness } from './inputs.ts';
import { describeRepeats } from './repeats.ts';
import { explainError } from './report/explain.ts';
import type { Log } from './report/log.ts';
import { narrateParts } from './report/narrate.ts';
import type { Failure } from './report/result.ts';
import type { Runtime } from './runtime.ts';
import { checkContents } from './scan/check.ts';
import { findFiles } from './scan/find.ts';
import { planUpload } from './scan/plan.ts';
import type { UploadPlan } from './scan/plan.ts';
import { readScanFiles } from './scan/read.ts';
import type { ScanDraft, StepDraft } from './step.ts';

const OTHERS_FAILED: Failure = {
  title: 'Scan upload not sent',
  headline: 'Nothing was sent, since other scans of this step cannot be.',
  details: [],
  advice: [],
  isFollowing: true,
};

/**
 * Finds and looks at the files of all scans, so that nothing is sent before everything can be. What is
 * wrong with a scan is noted in its draft; then the others fail with it. Rejects with the signal's
 * reason.
 */
export async function prepareScans(
  draft: StepDraft,
  inputs: Inputs,
  roots: Runtime,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  if (draft.scans.length === 0) {
    draft.resultOfNone = skip('scans lists no scan.', inputs, log);
    return;
  }
  for (const scan of draft.scans) {
    try {
      await prepareScan(scan, inputs, roots, signal, log.named(scan.entry.label));
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      scan.failure = explainError(error);
    }
  }
  if (draft.scans.some(({ failure }) => failure !== undefined)) {
    draft.failOpen(OTHERS_FAILED);
    return;
  }
  const repeats = describeRepeats(draft.scans);
  if (repeats.length > 0) log.warning('Scan upload: scans', repeats.join('\n'));
}

async function prepareScan(
  scan: ScanDraft,
  inputs: Inputs,
  roots: Runtime,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const { entry } = scan;
  if ('error' in entry) throw entry.error;
  const options = { workspace: roots.workspace, includeHidden: inputs.includeHidden };
  const found = await settleWithin(findFiles(entry.selection, { ...options, signal }), signal);
  if (found.kind === 'none') {
    scan.result = skip(found.problem, inputs, log);
    return;
  }
  const read = await settleWithin(
    readScanFiles(found.files, { ...roots, ...options }, signal),
    signal,
  );
  scan.plan = planUpload(read.files, read.unopened);
  narrateParts(scan.plan, log);
  applyContentCheck(scan.plan, inputs.contentCheck, log);
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
