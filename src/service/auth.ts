import { settleWithin } from '../abort.ts';
import { StepError, toError } from '../errors.ts';
import { isFieldValue } from '../text.ts';
import { readConnectionError } from './connection-error.ts';
import type { Credential } from './settings.ts';

const OIDC_FIX =
  "Re-run the failed jobs later. On a runner of your own, check that it reaches GitHub's token service.";

/**
 * Fetches an OIDC token of the job for an audience; empty if the response has none. Once `ended` fires nobody
 * waits for it any more: it gives up the request.
 */
export type FetchIdToken = (audience: string, ended: AbortSignal) => Promise<string>;

/**
 * The request headers with the credential. An OIDC token is fetched for each attempt, since it is
 * valid for minutes only, within `limitMs`. Rejects with a StepError or the signal's reason.
 */
export async function makeCredentialHeaders(
  credential: Credential,
  fetchIdToken: FetchIdToken,
  limitMs: number,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (credential.kind === 'none') return {};
  if (credential.kind === 'token') return { [credential.header]: credential.value };
  const ended = new AbortController();
  try {
    const fetching = fetchIdToken(credential.audience, ended.signal);
    const token = await settleWithin(fetching, signal, limitMs, () =>
      fail(`The identity provider did not respond for ${limitMs / 1000} s.`),
    );
    if (isFieldValue(token)) return { [credential.header]: `${credential.prefix}${token}` };
    throw fail('The identity provider returned no OIDC token that a header can carry.');
  } catch (error) {
    ended.abort(error);
    signal.throwIfAborted();
    if (error instanceof StepError) throw error;
    const { text } = readConnectionError(toError(error));
    throw fail(`The OIDC token could not be fetched: ${text}`);
  }
}

function fail(text: string): StepError {
  return new StepError('oidc-failed', text, OIDC_FIX);
}
