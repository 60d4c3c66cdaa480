import { readInputs } from './inputs.ts';
import type { Inputs } from './inputs.ts';
import { getText, mayBeOn } from './inputs/fields.ts';
import { isMaskable, listSecretParts, listSecrets } from './inputs/secrets.ts';
import { getExitCode } from './lifecycle.ts';
import type { Lifecycle } from './lifecycle.ts';
import { prepareScans } from './prepare.ts';
import { explainError } from './report/explain.ts';
import { Log } from './report/log.ts';
import { publish } from './report/publish.ts';
import { checkNode, getWorkspace } from './runtime.ts';
import { sendScans } from './send.ts';
import { ScanDraft, StepDraft } from './drafts.ts';

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
    draft.fail(explainError(error));
  }
  const succeeds = await publish(draft.finish(), log, mayBeOn('summary'));
  return succeeds ? 0 : getExitCode(lifecycle.signal.reason);
}

/** The stages in order; throws for whatever ends the step as a whole. */
async function runStages(lifecycle: StepLifecycle, draft: StepDraft, log: Log): Promise<void> {
  maskInputs(log);
  checkNode();
  const workspace = getWorkspace();
  const inputs = readInputs(workspace);
  maskSettled(inputs, log);
  draft.origin = inputs.baseUrl.origin;
  draft.scans = inputs.scans.map((entry) => new ScanDraft(entry));
  const scope = { workspace, includeHidden: inputs.includeHidden };
  const limits = lifecycle.limit(inputs.timeoutMs);
  await prepareScans(draft, inputs, scope, limits.signal, log);
  await sendScans(draft.scans, inputs, limits, log);
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
