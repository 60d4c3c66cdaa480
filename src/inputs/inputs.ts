import type { Credential, Header, Proxy, TlsMaterial } from '../service/settings.ts';
import { parseBaseUrl } from './base-url.ts';
import { readCredential } from './credential.ts';
import { Problems, getText } from './fields.ts';
import { findFork } from './event.ts';
import { parseHeaders } from './headers.ts';
import { refuseOtherDryRun } from './mistakes.ts';
import { findProxy } from './proxy.ts';
import { readChoice, readFlag, readInteger } from './scalars.ts';
import { readStepScans } from './scans.ts';
import type { ScanEntry } from './scans.ts';
import { readSecrets, refuseLongSecrets } from './secrets.ts';
import type { Secret } from './secrets.ts';
import { readTlsMaterial } from './tls.ts';

/** Five days, the limit of a job on a self-hosted runner. */
const MAX_TIMEOUT_SECONDS = 432_000;

/** The action's inputs, checked as a whole. */
export interface Inputs {
  /** URL of the service; its path is a prefix. Undefined only in a dry run. */
  readonly baseUrl: URL | undefined;
  /** The one scan of the step, or those of `scans`. */
  readonly scans: readonly ScanEntry[];
  /** How many scans are uploaded in parallel. */
  readonly maxParallel: number;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  readonly noFiles: 'error' | 'warn' | 'ignore';
  readonly includeHidden: boolean;
  readonly contentCheck: 'error' | 'warn' | 'off';
  readonly dryRun: boolean;
  /** Further attempts after the first. */
  readonly retries: number;
  /** In milliseconds. */
  readonly stallMs: number;
  readonly tls: TlsMaterial;
  readonly proxy: Proxy | undefined;
}

/** What is needed before the other inputs, and even if some are invalid. */
export interface EarlyInputs {
  readonly timeLimitMs: number;
  readonly secrets: readonly Secret[];
  /** What is wrong so far, which readInputs reports. */
  readonly problems: Problems;
}

/** Reads the time limit, 900 s if it is invalid, and the secrets. */
export function readEarly(): EarlyInputs {
  const problems = new Problems();
  problems.read(undefined, refuseLongSecrets);
  const seconds = readInteger(problems, 'timeout-seconds', 900, 1, MAX_TIMEOUT_SECONDS);
  return { timeLimitMs: 1000 * seconds, secrets: readSecrets(), problems };
}

/**
 * Reads all other inputs; an empty one has the default of action.yml. Paths are relative to `workspace`. Throws one
 * InputError with all problems, those of `readEarly` first.
 */
export async function readInputs(workspace: string, { problems }: EarlyInputs): Promise<Inputs> {
  const dryRun = readFlag(problems, 'dry-run');
  const reading = { problems, workspace, dryRun };
  if (!dryRun) refuseOtherDryRun();
  const fork = dryRun ? undefined : await findFork();
  const allowHttp = readFlag(problems, 'allow-http');
  const baseUrl = problems.read(undefined, () =>
    parseBaseUrl(getText('base-url'), allowHttp, dryRun),
  );
  const credential = readCredential(reading, baseUrl, fork);
  const inputs: Inputs = {
    dryRun,
    baseUrl,
    credential,
    headers: problems.read([], () => parseHeaders(getText('headers'), credential, dryRun)),
    scans: await readStepScans(reading),
    maxParallel: readInteger(problems, 'max-parallel', 4, 1, 32),
    noFiles: readChoice(problems, 'if-no-files-found', ['error', 'warn', 'ignore']),
    includeHidden: readFlag(problems, 'include-hidden-files'),
    contentCheck: readChoice(problems, 'content-check', ['error', 'warn', 'off']),
    retries: readInteger(problems, 'retries', 8, 0, 100),
    stallMs: 1000 * readInteger(problems, 'stall-timeout-seconds', 60, 1, MAX_TIMEOUT_SECONDS),
    tls: await readTlsMaterial(reading),
    proxy: problems.read(undefined, () => baseUrl && findProxy(baseUrl)),
  };
  problems.throwAny();
  return inputs;
}
