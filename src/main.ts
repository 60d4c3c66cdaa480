import { settleWithin } from './abort.ts';
import { ContentError, FileError } from './errors.ts';
import { readInputs } from './inputs.ts';
import type { Inputs, NoFilesPolicy, Strictness } from './inputs.ts';
import { getText } from './inputs/fields.ts';
import { isMaskable, listSecretParts, listSecrets } from './inputs/secrets.ts';
import { getExitCode } from './lifecycle.ts';
import type { Lifecycle } from './lifecycle.ts';
import { explainError } from './report/explain.ts';
import { Log } from './report/log.ts';
import { narrateParts } from './report/narrate.ts';
import { publish } from './report/publish.ts';
import { readRuntime } from './runtime.ts';
import { checkContents } from './scan/check.ts';
import { findFiles } from './scan/find.ts';
import { planUpload } from './scan/plan.ts';
import type { UploadPlan } from './scan/plan.ts';
import { closeScanFiles, readScanFiles } from './scan/read.ts';
import { sendPlan } from './send.ts';
import { StepDraft } from './step.ts';

/** Of a proxy's password; shorter ones would be found in most of what is said. */
const MIN_HIDDEN_CHARACTERS = 4;

/** What a step needs of the process around it. */
type StepLifecycle = Pick<Lifecycle, 'signal' | 'limit'>;

/** Runs the step and reports it. Returns the exit code; 0 only if the promise of the step was kept. */
export async function run(lifecycle: StepLifecycle): Promise<number> {
  const log = new Log();
  const draft = new StepDraft();
  try {
    await runStages(lifecycle, draft, log);
  } catch (error) {
    draft.failure = explainError(error);
  }
  const succeeds = await publish(draft.finish(), log, getText('summary').toLowerCase() !== 'false');
  return succeeds ? 0 : getExitCode(lifecycle.signal.reason);
}

/** The stages in order; throws for whatever ends the step before anything is sent. */
async function runStages(lifecycle: StepLifecycle, draft: StepDraft, log: Log): Promise<void> {
  maskInputs(log);
  const roots = readRuntime();
  const inputs = readInputs(roots.workspace);
  maskSettled(inputs, log);
  draft.origin = inputs.baseUrl.origin;
  const limits = lifecycle.limit(inputs.timeoutMs);
  const options = { workspace: roots.workspace, includeHidden: inputs.includeHidden };
  const found = await settleWithin(
    findFiles(inputs.selection, { ...options, signal: limits.signal }),
    limits.signal,
  );
  if (found.kind === 'none') return skipStep(found.problem, inputs.noFiles, draft, log);
  const read = await settleWithin(
    readScanFiles(found.files, { ...roots, ...options }, limits.signal),
    limits.signal,
  );
  try {
    const plan = planUpload(read.files, read.unopened);
    draft.plan = plan;
    narrateParts(plan, log);
    applyContentCheck(plan, inputs.contentCheck, log);
    await sendPlan(plan, inputs, limits, draft, log);
  } finally {
    await closeScanFiles(read.files);
  }
}

/** First of all, also before the inputs are judged: what is secret must not show in a complaint. */
function maskInputs(log: Log): void {
  const [token, headers] = [getText('token'), getText('headers')];
  for (const secret of listSecrets(token, headers, getText('client-key'))) log.protect(secret);
  for (const part of listSecretParts(token, getText('token-prefix'), headers)) log.hide(part);
}

/** Masks what only the checked inputs tell, and says which header values are too short to be masked. */
function maskSettled({ proxy, headers }: Inputs, log: Log): void {
  for (const secret of proxy?.secrets ?? []) {
    if (isMaskable(secret)) log.protect(secret);
    else if (secret.length >= MIN_HIDDEN_CHARACTERS) log.hide(secret);
  }
  const names = headers.filter(({ value }) => !isMaskable(value)).map(({ name }) => name);
  if (names.length === 0) return;
  const text = `Too short to be masked in the log: the values of ${names.join(', ')}`;
  log.notice('Scan upload: headers', text);
}

function skipStep(problem: string, policy: NoFilesPolicy, draft: StepDraft, log: Log): void {
  if (policy === 'error') throw new FileError(problem);
  draft.result = 'skipped';
  if (policy === 'warn') log.warning('Scan upload skipped', problem);
  else log.info(`Skipped: ${problem}`);
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
