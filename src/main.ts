import { errorMessage } from './errors.ts';
import { describeRef, findDefaultBranch } from './inputs/event.ts';
import { Problems } from './inputs/fields.ts';
import { readInputs, readTimeLimit } from './inputs/inputs.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { ScanEntry } from './inputs/scans.ts';
import { readSecrets } from './inputs/secrets.ts';
import { getExitCode, isExpectedEnd, settleWithin } from './lifecycle.ts';
import type { Lifecycle, StepLimits } from './lifecycle.ts';
import { spellError } from './outcomes/failure.ts';
import { hide } from './redaction/clean.ts';
import { joinSafe, safe, showText } from './redaction/gate.ts';
import { Log } from './report/log.ts';
import { narrateFiles, narrateSending, runPhase } from './report/narrate.ts';
import { publish } from './report/publish.ts';
import { checkNode, findJobStart, findWorkspace } from './runtime.ts';
import { describeRepeats, prepareScans } from './stages/prepare.ts';
import type { PreparedScan, ScanResult, StepResult } from './stages/scan-result.ts';
import { sendScans } from './stages/send.ts';

/** Runs the step and reports it. Returns the exit code: 0 only if every scan was accepted, read (`dry-run`) or skipped. */
export async function run(lifecycle: Pick<Lifecycle, 'limit'>): Promise<number> {
  const start = performance.now();
  const problems = new Problems();
  const limits = lifecycle.limit(readTimeLimit(problems));
  const log = new Log();
  conceal(problems, log);
  const ref = describeRef();
  if (ref !== undefined) log.info(showText(ref));
  const ended = await runStages(problems, limits, log);
  const succeeds = publish({ ...ended, durationMs: performance.now() - start }, log);
  const reason: unknown = limits.signal.reason;
  if (!succeeds) return getExitCode(reason);
  // A late cancellation does not change an accepted upload, but an unexpected error must be reported.
  if (reason === undefined || isExpectedEnd(reason)) return 0;
  log.error(safe`Scan upload failed unexpectedly`, showText(errorMessage(reason)));
  return 1;
}

/** Removes secrets from all texts that follow. */
function conceal(problems: Problems, log: Log): void {
  for (const { value, isMasked, mayBeWords } of readSecrets(problems)) {
    if (isMasked) log.protect(value, mayBeWords);
    else hide(value, mayBeWords);
  }
}

/** Runs the stages in order. An error that ends the step becomes the failure of every scan, or of the step if it has no scan. */
async function runStages(
  problems: Problems,
  limits: StepLimits,
  log: Log,
): Promise<Omit<StepResult, 'durationMs'>> {
  let entries: readonly ScanEntry[] = [];
  try {
    checkNode();
    const workspace = await settleWithin(findWorkspace(), limits.signal);
    const inputs = await settleWithin(readInputs(workspace, problems), limits.signal);
    if (inputs.dryRun) await settleWithin(noticeDryRun(log), limits.signal);
    entries = inputs.scans;
    const prepared = await prepare(inputs, workspace, limits.signal, log);
    const scans = await send(prepared, inputs, limits, log);
    return { scans, failure: undefined };
  } catch (error) {
    const failure = spellError(error);
    const scans = entries.map((entry) => {
      return { entry, plan: undefined, result: 'not-sent', failure } as const;
    });
    return { scans, failure: scans.length === 0 ? failure : undefined };
  }
}

/** A `dry-run` with a wrong branch in its expression would upload nothing for weeks. */
async function noticeDryRun(log: Log): Promise<void> {
  const branch = await findDefaultBranch();
  if (branch === undefined) return;
  const text = `Nothing is uploaded for this run of the default branch (${branch}), because \`dry-run\` is \`true\`. If it should be uploaded, check the expression in \`dry-run\`.`;
  log.notice(safe`Scan upload (dry run)`, showText(text));
}

/** Finds, inspects and plans all scans, and logs what they are. */
async function prepare(
  inputs: Inputs,
  workspace: string,
  signal: AbortSignal,
  log: Log,
): Promise<readonly PreparedScan[]> {
  const { scans: entries, noFiles } = inputs;
  const scope = { workspace, includeHidden: inputs.includeHidden };
  const title = `Inspecting ${entries.length} scans`;
  const jobStart = await settleWithin(findJobStart(), signal);
  return runPhase(title, entries.length, log, async (advance) => {
    const preparing = prepareScans(entries, { inputs, scope, signal }, advance);
    const prepared = await settleWithin(preparing, signal);
    await narrateFiles(prepared, noFiles, jobStart, signal, log);
    const repeats = describeRepeats(entries);
    if (repeats.length > 0) log.warning(safe`Scan upload (scans)`, joinSafe(repeats, safe`\n`));
    return prepared;
  });
}

/** Sends all scans that are ready, or reads them. */
async function send(
  prepared: readonly PreparedScan[],
  inputs: Inputs,
  limits: StepLimits,
  log: Log,
): Promise<readonly ScanResult[]> {
  const ready = prepared.filter(({ result }) => result === 'ready').length;
  const most = Math.min(inputs.maxParallel, ready);
  const title = inputs.dryRun
    ? `Reading the files of ${ready} scans (dry run)`
    : `Sending ${ready} scans to ${inputs.baseUrl?.origin}, up to ${most} in parallel`;
  return runPhase(title, ready, log, async (advance) =>
    sendScans(prepared, inputs, limits, narrateSending(inputs, log, advance)),
  );
}
