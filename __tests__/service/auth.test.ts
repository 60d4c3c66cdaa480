import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError, StepError, errorMessage } from '../../src/errors.ts';
import { recordNoCredential } from '../../src/service/attempt.ts';
import { makeCredentialHeaders } from '../../src/service/auth.ts';
import type { FetchIdToken } from '../../src/service/auth.ts';
import { ProxyError } from '../../src/service/tunnel.ts';
import { makeError } from '../support/bodies.ts';

const AUDIENCE = 'https://scan.example';
const OIDC = { kind: 'oidc', header: 'X-Identity', prefix: 'Bearer ', audience: AUDIENCE } as const;
const QUIET = new AbortController().signal;
const LIMIT_MS = 30_000;

const neverFetch: FetchIdToken = async () => {
  throw new Error('must not be called');
};
const hang: FetchIdToken = async () => new Promise(() => {});

function failFor(error: Error): FetchIdToken {
  return async () => {
    throw error;
  };
}

/** The headers with an OIDC token, or the error of a failed fetch of it. */
async function authenticate(
  fetchIdToken: FetchIdToken,
  limitMs = LIMIT_MS,
  signal = QUIET,
): Promise<unknown> {
  return makeCredentialHeaders(OIDC, fetchIdToken, limitMs, signal).catch(
    (error: unknown) => error,
  );
}

test('an attempt without a credential has sent nothing', () => {
  const error = new StepError('oidc-failed', 'none', []);
  const nothing = { sentBytes: 0, isSent: false, digests: undefined, response: undefined };
  const failure = { kind: 'step', error, text: 'none' };
  expect(recordNoCredential(error)).toEqual({ state: 'credential', ...nothing, failure });
});

describe('makeCredentialHeaders', () => {
  test.each([
    [{ kind: 'none' } as const, {}],
    [{ kind: 'token', header: 'X-Key', value: 'Key s3cret' } as const, { 'X-Key': 'Key s3cret' }],
  ])('sends it unchanged without an OIDC token: %j', async (credential, headers) => {
    const made = await makeCredentialHeaders(credential, neverFetch, LIMIT_MS, QUIET);
    expect(made).toStrictEqual(headers);
  });

  test('fetches an OIDC token for the audience each time', async () => {
    const fetchIdToken = jest.fn<FetchIdToken>();
    fetchIdToken.mockResolvedValueOnce('first').mockResolvedValueOnce('second');
    expect(await authenticate(fetchIdToken)).toEqual({ 'X-Identity': 'Bearer first' });
    expect(await authenticate(fetchIdToken)).toEqual({ 'X-Identity': 'Bearer second' });
    const call = [AUDIENCE, expect.any(AbortSignal)];
    expect(fetchIdToken.mock.calls).toEqual([call, call]);
  });

  const NO_HEADER = 'returned no OIDC token that a header can carry';
  const CLOSED = 'the other side closed the connection';
  const FAR = new AggregateError([makeError('EHOSTUNREACH', 'no way')]);
  test.each<[string, FetchIdToken]>([
    ['did not respond for 0.3 s', hang],
    [NO_HEADER, async () => ''],
    [NO_HEADER, async () => 'two\nlines'],
    ['read ECONNRESET', failFor(makeError('ECONNRESET', 'read ECONNRESET'))],
    [CLOSED, failFor(new Error('socket hang up'))],
    ['no way (EHOSTUNREACH)', failFor(FAR)],
    ['the proxy is gone', failFor(new ProxyError(undefined, new Error('the proxy is gone')))],
  ])('reports why there is no token: row %#', async (reason, fetch) => {
    const fetchIdToken = jest.fn(fetch);
    const error = await authenticate(fetchIdToken, 300);
    expect(error).toBeInstanceOf(StepError);
    const messages = [
      `The identity provider ${reason}.`,
      `The OIDC token could not be fetched: ${reason}`,
    ];
    expect(messages).toContain(errorMessage(error));
    const fix = /^Re-run the failed jobs later\. On a runner of your own, /;
    expect(error).toMatchObject({ situation: 'oidc-failed', fixes: [expect.stringMatching(fix)] });
    expect(fetchIdToken.mock.calls[0]?.[1].aborted).toBe(true);
  });

  test('passes on that a permission is missing', async () => {
    const missing = new StepError('oidc-permission', 'none', []);
    expect(await authenticate(failFor(missing))).toBe(missing);
  });

  test('ends with the signal’s reason while the token is being fetched', async () => {
    const controller = new AbortController();
    const reason = new CancelledError('SIGINT');
    const fetchIdToken = jest.fn<FetchIdToken>(hang);
    const fetching = authenticate(fetchIdToken, LIMIT_MS, controller.signal);
    controller.abort(reason);
    expect(await fetching).toBe(reason);
    expect(fetchIdToken.mock.calls[0]?.[1].reason).toBe(reason);
    const other = new Error('an error that nobody caught');
    expect(await authenticate(hang, LIMIT_MS, AbortSignal.abort(other))).toBe(other);
  });
});
