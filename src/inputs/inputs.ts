import { InputError } from '../errors.ts';
import { foldName } from '../json.ts';
import type { TlsMaterial } from '../service/agent.ts';
import type { Credential } from '../service/auth.ts';
import type { Proxy } from '../service/tunnel.ts';
import { parseBaseUrl } from './base-url.ts';
import { checkFork, readCredential } from './credential.ts';
import { readInput } from './fields.ts';
import type { Faults } from './fields.ts';
import { parseHeaders } from './request-headers.ts';
import type { Header } from './request-headers.ts';
import { findProxy, hidePasswords } from './proxy.ts';
import { readChoice, readFlag, readInteger } from './scalars.ts';
import { readStepScans } from './scans.ts';
import type { ScanEntry } from './scans.ts';
import { hideHeaders, hideClientKey, hideRequestToken, hideToken } from './secrets.ts';
import { readTlsMaterial } from './tls.ts';

/** A job on a self-hosted runner ends after five days. */
const MAX_TIMEOUT_SECONDS = 432_000;

/** The action's inputs, checked as a whole: for an upload, or for a dry run, which may lack the service. */
export type Inputs = UploadInputs | DryRunInputs;

export interface UploadInputs extends CommonInputs {
  readonly dryRun: false;
  /** URL of the service; its path is a prefix. */
  readonly baseUrl: URL;
}

interface DryRunInputs extends CommonInputs {
  readonly dryRun: true;
  readonly baseUrl: URL | undefined;
}

interface CommonInputs {
  /** The one scan of the step, or those of `scans`. */
  readonly scans: readonly ScanEntry[];
  readonly maxParallel: number;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  readonly noFiles: 'error' | 'warn' | 'ignore';
  readonly includeHidden: boolean;
  readonly contentCheck: 'error' | 'warn' | 'off';
  readonly retries: number;
  readonly stallMs: number;
  readonly tls: TlsMaterial;
  readonly proxy: Proxy | undefined;
}

/** Hides all secrets that inputs and environment variables have, before anything is written. */
export function hideSecrets(faults: Faults): void {
  for (const hide of [hideToken, hideClientKey, hideHeaders, hideRequestToken, hidePasswords]) {
    faults.read<unknown>(undefined, hide);
  }
}

/** Reads the time limit of the step in milliseconds, which is needed even if inputs are invalid. */
export function readTimeLimit(faults: Faults): number {
  return 1000 * readInteger(faults, 'timeout-seconds', 900, 1, MAX_TIMEOUT_SECONDS);
}

/**
 * Reads all other inputs. An empty one has the default of action.yml, and paths are relative to `workspace`. Throws one
 * InputError with all faults, those in `faults` first.
 */
export async function readInputs(workspace: string, faults: Faults): Promise<Inputs> {
  const dryRun = readFlag(faults, 'dry-run');
  const reading = { faults, workspace, dryRun };
  if (!dryRun) {
    checkDryRunName();
    await checkFork();
  }
  const allowHttp = readFlag(faults, 'allow-http');
  const baseUrl = faults.read(undefined, () =>
    parseBaseUrl(readInput('base-url'), allowHttp, dryRun),
  );
  const credential = readCredential(reading, baseUrl);
  const inputs: CommonInputs = {
    credential,
    headers: faults.read([], () => parseHeaders(hideHeaders(), credential, dryRun)),
    scans: await faults.readLater([], readStepScans(reading)),
    maxParallel: readInteger(faults, 'max-parallel', 4, 1, 32),
    noFiles: readChoice(faults, 'if-no-files-found', ['error', 'warn', 'ignore']),
    includeHidden: readFlag(faults, 'include-hidden-files'),
    contentCheck: readChoice(faults, 'content-check', ['error', 'warn', 'off']),
    retries: readInteger(faults, 'retries', 8, 0, 100),
    stallMs: 1000 * readInteger(faults, 'stall-timeout-seconds', 60, 1, MAX_TIMEOUT_SECONDS),
    tls: await readTlsMaterial(reading),
    proxy: faults.read(undefined, () => baseUrl && findProxy(baseUrl)),
  };
  faults.throwAny();
  if (dryRun) return { ...inputs, dryRun, baseUrl };
  // The compiler does not know that a missing URL is one of the faults above.
  if (baseUrl === undefined) throw new InputError('`base-url` is empty.');
  return { ...inputs, dryRun, baseUrl };
}

/** Throws an InputError for `dry-run` in another spelling: the runner only warns of it, and the step would upload. */
function checkDryRunName(): void {
  for (const [variable, text = ''] of Object.entries(process.env)) {
    const name = variable.slice('INPUT_'.length).toLowerCase();
    const isOther = foldName(variable) === 'inputdryrun' && name !== 'dry-run';
    if (!isOther || ['', 'false'].includes(text.trim().toLowerCase())) continue;
    throw new InputError(`\`${name}\` is no input of this action: write \`dry-run\`.`);
  }
}
