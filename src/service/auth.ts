import { settleWithin } from '../abort.ts';
import { readClock } from '../clock.ts';
import { errorMessage } from '../errors.ts';
import type { Credential } from '../inputs/credential.ts';
import { isFieldValue } from '../text.ts';

/** The job's identity token could not be had. */
export class IdentityError extends Error {
  /** Whether the job lacks the permission to ask for one, which no retry mends. */
  readonly isPermission: boolean;

  constructor(message: string, isPermission: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IdentityError';
    this.isPermission = isPermission;
  }
}

/** Fetches an OIDC token of the job for an audience; the runner's toolkit does, `core.getIDToken`. */
export type FetchIdToken = (audience: string) => Promise<string>;

/** For how long uploads side by side share a token; no attempt is repeated as soon as that. */
const SHARED_MS = 500;

/** Fetches once for all who ask within a moment, so that many uploads do not ask as often. */
export function shareBriefly(fetch: FetchIdToken): FetchIdToken {
  let token: Promise<string> | undefined;
  let fetchedAt = 0;
  return async (audience) => {
    if (token === undefined || readClock() - fetchedAt > SHARED_MS) {
      token = fetch(audience);
      fetchedAt = readClock();
    }
    return token;
  };
}

/**
 * The request headers that prove who sends it. An OIDC token is fetched afresh for each attempt,
 * since it lives for minutes only, and for at most `limitMs`: the toolkit's own call may never
 * settle. Rejects with an IdentityError or the signal's reason.
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
    new IdentityError(`The job's identity provider did not answer for ${limitMs / 1000} s.`, false);
  try {
    const token = await settleWithin(fetchIdToken(audience), signal, limitMs, onLimit);
    if (typeof token === 'string' && isFieldValue(token)) return token;
    throw new IdentityError('The identity provider gave no token that a header can carry.', false);
  } catch (error) {
    if (signal.aborted || error instanceof IdentityError) throw error;
    const message = errorMessage(error);
    const isPermission = message.includes('ACTIONS_ID_TOKEN_REQUEST');
    throw new IdentityError(
      `The job's identity token could not be fetched: ${message}`,
      isPermission,
      {
        cause: error,
      },
    );
  }
}
