import { settleWithin } from '../abort.ts';
import { StepError, toError } from '../errors.ts';
import type { Credential } from './settings.ts';
import { isFieldValue } from '../text.ts';
import { readConnectionError } from './connection-error.ts';

/**
 * Fetches an OIDC token of the job for an audience. Once `ended` fires nobody waits for it any more: it
 * gives up the request and rejects with the signal's reason.
 */
export type FetchIdToken = (audience: string, ended: AbortSignal) => Promise<string>;

/** How long parallel uploads share a token; shorter than any wait before a retry. */
const SHARED_MS = 500;

/** Fetches one token for all uploads that need one at about the same time: the provider may limit requests. */
export function shareBriefly(fetch: FetchIdToken): FetchIdToken {
  let token: Promise<string> | undefined;
  let fetchedAt = 0;
  return async (audience, ended) => {
    if (token === undefined || performance.now() - fetchedAt > SHARED_MS) {
      token = fetch(audience, ended);
      fetchedAt = performance.now();
    }
    return token;
  };
}

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
  switch (credential.kind) {
    case 'none':
      return {};
    case 'token':
      return { [credential.header]: credential.value };
    case 'oidc': {
      const token = await fetchToken(credential.audience, fetchIdToken, limitMs, signal);
      return { [credential.header]: `${credential.prefix}${token}` };
    }
  }
}

async function fetchToken(
  audience: string,
  fetchIdToken: FetchIdToken,
  limitMs: number,
  signal: AbortSignal,
): Promise<string> {
  const ended = new AbortController();
  const onLimit = (): Error =>
    new StepError('oidc-failed', `The identity provider did not respond for ${limitMs / 1000} s.`);
  try {
    const token = await settleWithin(
      fetchIdToken(audience, ended.signal),
      signal,
      limitMs,
      onLimit,
    );
    if (isFieldValue(token)) return token;
    throw new StepError(
      'oidc-failed',
      'The identity provider returned no OIDC token that a header can carry.',
    );
  } catch (error) {
    ended.abort(error);
    if (signal.aborted || error instanceof StepError) throw error;
    const { text } = readConnectionError(toError(error));
    throw new StepError('oidc-failed', `The OIDC token could not be fetched: ${text}`);
  }
}
