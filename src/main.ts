import { errorMessage } from './errors.ts';
import { findDefaultBranch, findRevision } from './inputs/event.ts';
import { Faults } from './inputs/fields.ts';
import { hideSecrets, readInputs, readTimeLimit } from './inputs/inputs.ts';
import type { ScanEntry } from './inputs/scans.ts';
import { getExitCode, isExpectedEnd, settleWithin } from './lifecycle.ts';
import type { Lifecycle, StepLimits } from './lifecycle.ts';
import { spellError } from './outcomes/failure.ts';
import { endDryRun, endNotSent } from './outcomes/scan-result.ts';
import type { StepResult } from './outcomes/scan-result.ts';
import { Log } from './report/log.ts';
import { narrateDryRun, narrateFiles, narratePhase, narrateUploads } from './report/narrate.ts';
import { publish } from './report/publish.ts';
import { checkNode, findJobStart, findWorkspace } from './runtime.ts';
import { describeRepeats, prepareScans } from './stages/prepare.ts';
import { uploadScans } from './stages/upload.ts';

/** Runs the step and reports it. Returns the exit code, which is 0 only if every scan was accepted, planned in a dry run or skipped. */
export async function run(lifecycle: Pick<Lifecycle, 'limit'>): Promise<number> {
  const faults = new Faults();
  const limits = lifecycle.limit(readTimeLimit(faults));
  hideSecrets(faults);
  const log = new Log();
  const revision = await settleWithin(findRevision(), limits.signal).catch(() => undefined);
  if (revision !== undefined) log.info(revision.text);
  const ended = await runStages(faults, limits, log);
  const succeeds = publish({ ...ended, revision }, log);
  const endedBy: unknown = limits.signal.reason;
  if (!succeeds) return getExitCode(endedBy);
  // A late cancellation does not change an accepted upload, but an unexpected error must be reported.
  if (endedBy === undefined || isExpectedEnd(endedBy)) return 0;
  log.error('Scan upload failed unexpectedly', errorMessage(endedBy));
  return 1;
}

/** Runs the stages in order. An error that ends the step becomes the failure of every scan, or of the step if it has no scan. */
async function runStages(
  faults: Faults,
  limits: StepLimits,
  log: Log,
): Promise<Pick<StepResult, 'failure' | 'scans' | 'repeats'>> {
  // Each stage ends when the signal fires. `settleWithin` also ends the wait for a system call that never returns.
  const { signal } = limits;
  let entries: readonly ScanEntry[] = [];
  let repeats: readonly string[] = [];
  try {
    checkNode();
    const workspace = await settleWithin(findWorkspace(), signal);
    const inputs = await settleWithin(readInputs(workspace, faults), signal);
    if (inputs.dryRun) await settleWithin(noticeDryRun(log), signal);
    entries = inputs.scans;
    const scope = { workspace, includeHidden: inputs.includeHidden };
    const jobStart = await settleWithin(findJobStart(), signal);

    const onPrepared = narratePhase(`Inspecting ${entries.length} scans`, entries.length, log);
    const preparing = prepareScans(entries, { inputs, scope, jobStart, signal }, onPrepared);
    const planned = await settleWithin(preparing, signal);
    await narrateFiles(planned, inputs.noFiles, signal, log);
    repeats = describeRepeats(planned);
    if (repeats.length > 0) log.warning('Scan upload (scans)', repeats.join('\n'));

    if (inputs.dryRun) {
      narrateDryRun(planned, inputs, log);
      const scans = planned.map((scan) => ('result' in scan ? scan : endDryRun(scan)));
      return { scans, failure: undefined, repeats };
    }
    const scans = await uploadScans(planned, inputs, limits, narrateUploads(planned, inputs, log));
    return { scans, failure: undefined, repeats };
  } catch (error) {
    const scans = entries.map((entry) => endNotSent(entry, undefined, error));
    return { scans, failure: scans.length === 0 ? spellError(error) : undefined, repeats };
  } finally {
    log.endGroup();
  }
}

/** Logs a notice for the default branch, because a `dry-run` with a wrong branch in its expression would upload nothing for weeks. */
async function noticeDryRun(log: Log): Promise<void> {
  const branch = await findDefaultBranch();
  if (branch === undefined) return;
  const text = `Nothing is uploaded for this run of the default branch (${branch}), because \`dry-run\` is \`true\`. If it should be uploaded, check the expression in \`dry-run\`.`;
  log.notice('Scan upload (dry run)', text);
}
