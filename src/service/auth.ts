import * as http from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { HttpClient } from '@actions/http-client';
import { StepError, toError } from '../errors.ts';
import { isObject, tryJson } from '../json.ts';
import { settleWithin } from '../lifecycle.ts';
import { mask } from '../redaction/clean.ts';
import { isFieldValue } from '../text.ts';
import { createAgent } from './agent.ts';
import type { TlsMaterial } from './agent.ts';
import { readConnectionError } from './connection-error.ts';
import { MAX_BODY_BYTES } from './decode-body.ts';
import type { EndableOptions } from './request.ts';
import type { Proxy } from './tunnel.ts';

/** How a request authenticates. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly header: string; readonly value: string }
  | {
      readonly kind: 'oidc';
      readonly header: string;
      readonly prefix: string;
      readonly audience: string;
      /** Undefined if the job may not request OIDC tokens. */
      readonly source?: IdTokenSource | undefined;
    };

/** Where the job's OIDC tokens come from. The runner sets its variables for `id-token: write`. */
export interface IdTokenSource {
  readonly url: URL;
  /** The bearer token of the request. */
  readonly token: string;
  readonly proxy: Proxy | undefined;
}

/** How long an OIDC token serves, in milliseconds. GitHub's are valid for five minutes. */
const TOKEN_MS = 60_000;
const NO_SOURCE =
  'The job may not request an OIDC token: ACTIONS_ID_TOKEN_REQUEST_URL or ACTIONS_ID_TOKEN_REQUEST_TOKEN is not set.';
const GITEA_FIX = 'Gitea has no OIDC tokens: use `token`.';
const PERMISSION_FIX =
  'Give the job the permission `id-token: write`; of a reusable workflow, the job that calls it too.';
const FAILED_FIX =
  "Re-run the failed jobs later. On a runner of your own, check that it reaches GitHub's token service.";

/** Returns the request headers with the credential. Rejects with a StepError, or with the reason of the step's signal. */
export type Authenticate = () => Promise<Readonly<Record<string, string>>>;

/**
 * Makes the one function with which all uploads of a step authenticate. An OIDC token is fetched when it is needed, which
 * may take `limitMs`, and serves for a minute.
 */
export function makeAuthenticate(
  credential: Credential,
  tls: TlsMaterial,
  limitMs: number,
  signal: AbortSignal,
): Authenticate {
  if (credential.kind === 'none') return async () => ({});
  const { header } = credential;
  if (credential.kind === 'token') return async () => ({ [header]: credential.value });
  let token: Promise<string> | undefined;
  let fetchedAt = 0;
  return async () => {
    if (token === undefined || performance.now() >= fetchedAt + TOKEN_MS) {
      fetchedAt = performance.now();
      token = fetchToken(credential, tls, limitMs, signal);
      // After a failure, the next attempt asks again.
      token.catch(() => (token = undefined));
    }
    return { [header]: `${credential.prefix}${await token}` };
  };
}

async function fetchToken(
  { audience, source }: Credential & { readonly kind: 'oidc' },
  tls: TlsMaterial,
  limitMs: number,
  signal: AbortSignal,
): Promise<string> {
  if (source === undefined) {
    const fix = process.env.GITEA_ACTIONS === undefined ? PERMISSION_FIX : GITEA_FIX;
    throw new StepError('oidc-permission', NO_SOURCE, fix);
  }
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    // The request never settles if the response asks for another protocol (101).
    const token = await settleWithin(requestToken(source, audience, tls, ended), ended);
    if (isFieldValue(token)) return token;
    throw new Error('the identity provider returned none that a header can carry');
  } catch (error) {
    signal.throwIfAborted();
    const { text: why } = readConnectionError(toError(error));
    const late = `the identity provider did not respond for ${limitMs / 1000} s`;
    const problem = `The OIDC token could not be fetched: ${ended.aborted ? late : why}`;
    throw new StepError('oidc-failed', problem, FAILED_FIX);
  }
}

/** Requests a token as the toolkit's `getIDToken` does, but follows no redirect and repeats nothing. Returns '' if there is none. */
async function requestToken(
  { url, token, proxy }: IdTokenSource,
  audience: string,
  tls: TlsMaterial,
  ended: AbortSignal,
): Promise<string> {
  const parsedUrl = new URL(url);
  parsedUrl.search += `&audience=${encodeURIComponent(audience)}`;
  // Only the service gets the client certificate.
  const agent = createAgent(url, { ca: tls.ca }, proxy);
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
  const own: EndableOptions = { agent, headers, ended, signal: ended };
  const options = { ...urlToHttpOptions(parsedUrl), ...own };
  // get() would choose an agent itself. The module does not matter: the agent decides whether it is http or https.
  const info = { options, parsedUrl, httpModule: http };
  const { message } = await new HttpClient().requestRaw(info, null);
  if (message.statusCode !== 200) {
    message.destroy();
    throw new Error(`the identity provider responded with ${message.statusCode}`);
  }
  // readBody() would never settle if the body is truncated.
  let text = '';
  for await (const chunk of message.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) break;
  }
  const parsed = tryJson(text);
  const value = isObject(parsed) && 'value' in parsed ? String(parsed.value) : '';
  mask(value);
  return value;
}
