import { settleWithin } from '../abort.ts';
import { errorMessage } from '../errors.ts';
import type { Credential } from '../inputs/credential.ts';
import { isFieldValue } from '../text.ts';

/** The OIDC token of the job could not be fetched. */
export class OidcError extends Error {
  /** Whether the job lacks the permission to request one, which no retry fixes. */
  readonly isPermission: boolean;

  constructor(message: string, isPermission: boolean) {
    super(message);
    this.name = 'OidcError';
    this.isPermission = isPermission;
  }
}

/** Fetches an OIDC token of the job for an audience, as `core.getIDToken` does. */
export type FetchIdToken = (audience: string) => Promise<string>;

/** How long parallel uploads share a token; shorter than any wait before a retry. */
const SHARED_MS = 500;

/** Fetches one token for all uploads that need one at about the same time: the provider may limit requests. */
export function shareBriefly(fetch: FetchIdToken): FetchIdToken {
  let token: Promise<string> | undefined;
  let fetchedAt = 0;
  return async (audience) => {
    if (token === undefined || performance.now() - fetchedAt > SHARED_MS) {
      token = fetch(audience);
      fetchedAt = performance.now();
    }
    return token;
  };
}

/**
 * The request headers with the credential. An OIDC token is fetched for each attempt, since it is
 * valid for minutes only, within `limitMs`: the toolkit's own call may never settle. Rejects with an
 * OidcError or the signal's reason.
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
  const onLimit = (): Error =>
    new OidcError(`The identity provider did not respond for ${limitMs / 1000} s.`, false);
  try {
    const token = await settleWithin(fetchIdToken(audience), signal, limitMs, onLimit);
    if (typeof token === 'string' && isFieldValue(token)) return token;
    throw new OidcError(
      'The identity provider returned no OIDC token that a header can carry.',
      false,
    );
  } catch (error) {
    if (signal.aborted || error instanceof OidcError) throw error;
    const message = errorMessage(error);
    const isPermission = message.includes('ACTIONS_ID_TOKEN_REQUEST');
    throw new OidcError(`The OIDC token could not be fetched: ${message}`, isPermission);
  }
}
