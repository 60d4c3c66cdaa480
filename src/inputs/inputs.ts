import type { Proxy } from '../service/settings.ts';
import { parseBaseUrl } from './base-url.ts';
import { readCredential, readTokenHeader } from './credential.ts';
import { getText, mayBeEmpty, readAll } from './fields.ts';
import { parseHeaders } from './headers.ts';
import { refuseNames } from './missing.ts';
import { findProxy } from './proxy.ts';
import { readChoice, readFlag, readInteger } from './scalars.ts';
import { readStepScans } from './scans.ts';
import { readSecrets, refuseLongSecrets } from './secrets.ts';
import type { Secret } from './secrets.ts';
import { readTlsMaterial } from './tls.ts';

const TIMEOUT_SECONDS = '900';
/** Five days, the limit of a job on a self-hosted runner. */
const MAX_TIMEOUT_SECONDS = 432_000;

/**
 * How each input is read; problems are reported in this order. The texts are the defaults of action.yml,
 * which also stand for an empty string. `workspace` is where relative paths begin.
 */
const READERS = {
  allowHttp: () => readFlag('allow-http'),
  /** URL of the service; its path is a prefix without a trailing slash. Undefined only in a dry run. */
  baseUrl: readBaseUrl,
  /** The one scan of the step, or those of `scans`. */
  scans: readStepScans,
  /** How many scans are uploaded in parallel. */
  maxParallel: () => readInteger('max-parallel', '4', 1, 32),
  credential: () => readCredential(readBaseUrl),
  headers: () => parseHeaders(getText('headers'), readTokenHeader()),
  noFiles: () => readChoice('if-no-files-found', ['error', 'warn', 'ignore']),
  includeHidden: () => readFlag('include-hidden-files'),
  contentCheck: () => readChoice('content-check', ['error', 'warn', 'off']),
  dryRun: () => readFlag('dry-run'),
  /** Further attempts after the first. */
  retries: () => readInteger('retries', '8', 0, 100),
  stallMs: () => 1000 * readInteger('stall-timeout-seconds', '60', 1, MAX_TIMEOUT_SECONDS),
  timeLimitMs: () => 1000 * readInteger('timeout-seconds', TIMEOUT_SECONDS, 1, MAX_TIMEOUT_SECONDS),
  tls: readTlsMaterial,
  proxy: readProxy,
  secretLengths: refuseLongSecrets,
  warnings: () => {
    const auth = getText('auth', 'token');
    if (auth === 'token' || getText('token') === '') return [];
    return [`\`auth: ${auth}\` does not send \`token\`. Remove it, or set \`auth: token\`.`];
  },
};

/** The action's inputs, checked as a whole. Durations are in milliseconds. */
export type Inputs = {
  readonly [M in keyof typeof READERS]: Awaited<ReturnType<(typeof READERS)[M]>>;
};

/**
 * Reads every input from the runner's environment variables; paths are relative to `workspace`.
 * Throws one InputError with all problems.
 */
export async function readInputs(workspace: string): Promise<Inputs> {
  const reading = readAll<Inputs, [string]>(READERS, workspace);
  await refuseNames(await reading.catch((error: unknown) => error));
  return reading;
}

/** What is needed before the other inputs, and even if some are invalid, which readInputs reports. */
export function readEarly(): { readonly timeLimitMs: number; readonly secrets: readonly Secret[] } {
  const secrets = readSecrets();
  try {
    return { timeLimitMs: READERS.timeLimitMs(), secrets };
  } catch {
    return { timeLimitMs: 1000 * Number(TIMEOUT_SECONDS), secrets };
  }
}

/** An invalid `allow-http` is reported by itself: `base-url` must not be reported because of it. */
function readBaseUrl(): URL | undefined {
  const text = getText('base-url');
  if (text === '' && mayBeEmpty()) return undefined;
  return parseBaseUrl(text, !/^(?:false)?$/i.test(getText('allow-http')));
}

function readProxy(): Proxy | undefined {
  const baseUrl = readBaseUrl();
  return baseUrl && findProxy(baseUrl);
}
