import { InputError } from '../errors.ts';
import { parseBaseUrl } from './base-url.ts';
import { readCredential } from './credential.ts';
import type { Credential, Header, Proxy, TlsMaterial } from '../service/settings.ts';
import { DECLARED } from './declared.ts';
import { FieldReader, getText, mayBeOn } from './fields.ts';
import { parseHeaders } from './headers.ts';
import { settleProxy } from './proxy.ts';
import { parseInteger, parseScanKey } from './scalars.ts';
import { ENTRY_INPUTS, readScans } from './scans.ts';
import type { ScanEntry } from './scans.ts';
import { chooseSelection } from './selection.ts';
import { readTlsMaterial } from './tls.ts';

/** Values of `content-check`. */
export type Strictness = 'error' | 'warn' | 'off';
/** Values of `if-no-files-found`. */
type NoFilesPolicy = 'error' | 'warn' | 'ignore';

/** The action's inputs, checked as a whole. Durations are in milliseconds. */
export interface Inputs {
  /** URL of the service; its path is a prefix without a trailing slash. */
  readonly baseUrl: URL;
  /** The one scan of the step, or those of `scans`. */
  readonly scans: readonly ScanEntry[];
  /** How many scans are uploaded in parallel. */
  readonly maxParallel: number;
  /** Whether no further upload starts after the first one that fails. */
  readonly failFast: boolean;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  readonly noFiles: NoFilesPolicy;
  readonly includeHidden: boolean;
  readonly contentCheck: Strictness;
  readonly dryRun: boolean;
  /** Further attempts after the first. */
  readonly retries: number;
  readonly stallMs: number;
  readonly tls: TlsMaterial;
  readonly proxy: Proxy | undefined;
}

/** Five days, the limit of a job on a self-hosted runner. */
const MAX_TIMEOUT_SECONDS = 432_000;
const MAX_RETRIES = 100;
const MAX_PARALLEL = 32;

/** The time limit of the step in milliseconds; the default if the input is invalid, which readInputs reports. */
export function readTimeLimitMs(): number {
  try {
    return parseTimeLimitMs(getText('timeout-seconds'));
  } catch {
    return parseTimeLimitMs(DECLARED['timeout-seconds']);
  }
}

function parseTimeLimitMs(text: string): number {
  return parseInteger('timeout-seconds', text, 1, MAX_TIMEOUT_SECONDS) * 1000;
}

/**
 * Reads every input from the runner's environment variables; paths are relative to `workspace`.
 * Throws one InputError with all problems.
 */
export async function readInputs(workspace: string): Promise<Inputs> {
  const fields = new FieldReader();
  fields.flag('allow-http');
  // An invalid allow-http is reported above; base-url must not be reported because of it.
  const baseUrl = fields.read(() => parseBaseUrl(getText('base-url'), mayBeOn('allow-http')));
  const isSingle = getText('scans') === '';
  const scans = isSingle ? readSingle(fields) : await fields.readLater(readMany(fields, workspace));
  const maxParallel = fields.number('max-parallel', 1, MAX_PARALLEL);
  const failFast = fields.flag('fail-fast');
  const credential = fields.read(() => readCredential(baseUrl));
  const tokenHeader = getText('auth') === 'none' ? undefined : getText('token-header');
  const headers = fields.read(() => parseHeaders(getText('headers'), tokenHeader));
  const noFiles = fields.choice('if-no-files-found', ['error', 'warn', 'ignore']);
  const includeHidden = fields.flag('include-hidden-files');
  const contentCheck = fields.choice('content-check', ['error', 'warn', 'off']);
  const dryRun = fields.flag('dry-run');
  const retries = fields.number('retries', 0, MAX_RETRIES);
  const stallSeconds = fields.number('stall-timeout-seconds', 1, MAX_TIMEOUT_SECONDS);
  // Only checked here: main has read it before.
  fields.read(() => parseTimeLimitMs(getText('timeout-seconds')));
  fields.read(refuseUncheckedTls);
  const tls = await fields.readLater(readTls(workspace));
  const proxy = fields.read(() => settleProxy(baseUrl()));
  // Only checked here; main reads it, because a step with invalid inputs writes a summary too.
  fields.flag('summary');
  fields.throwProblems();
  return {
    baseUrl: baseUrl(),
    scans: scans(),
    maxParallel: maxParallel(),
    failFast: failFast(),
    credential: credential(),
    headers: headers(),
    noFiles: noFiles(),
    includeHidden: includeHidden(),
    contentCheck: contentCheck(),
    dryRun: dryRun(),
    retries: retries(),
    stallMs: stallSeconds() * 1000,
    tls: tls(),
    proxy: proxy(),
  };
}

/** The one scan of a step without `scans`. */
function readSingle(fields: FieldReader): () => readonly ScanEntry[] {
  const scanKey = fields.read(() => parseScanKey(getText('scan-key')));
  const selection = fields.read(() => chooseSelection(getText));
  return () => [{ label: undefined, name: undefined, scanKey: scanKey(), selection: selection() }];
}

/**
 * The entries of `scans`. Invalid entries do not throw here: they are reported together with problems of
 * the files of other entries.
 */
async function readMany(fields: FieldReader, workspace: string): Promise<readonly ScanEntry[]> {
  refuseBoth();
  const scans = await readScans(getText('scans'), workspace);
  for (const entry of scans) {
    if ('error' in entry) {
      fields.mention(entry.error.problems.map((text) => `${entry.label}: ${text}`));
    }
  }
  return scans;
}

/** Throws an InputError if an input is set that belongs into the entries of `scans`. */
function refuseBoth(): void {
  const others = ENTRY_INPUTS.filter((name) => getText(name) !== '');
  if (others.length === 0) return;
  throw new InputError(
    `\`scans\` cannot be combined with ${others.map((name) => `\`${name}\``).join(', ')}. Move them into its entries.`,
  );
}

function refuseUncheckedTls(): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new InputError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.',
  );
}

async function readTls(workspace: string): Promise<TlsMaterial> {
  const inputs = {
    ca: getText('ca-cert'),
    cert: getText('client-cert'),
    key: getText('client-key'),
  };
  return readTlsMaterial(inputs, workspace);
}
