import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError, StepError } from '../../src/errors.ts';
import { recordNoCredential } from '../../src/service/attempt.ts';
import { makeCredentialHeaders } from '../../src/service/auth.ts';
import type { FetchIdToken } from '../../src/service/auth.ts';
import { ProxyError } from '../../src/service/tunnel.ts';
import { makeError } from '../support/bodies.ts';

const OIDC = {
  kind: 'oidc',
  header: 'X-Identity',
  prefix: 'Bearer ',
  audience: 'https://scan.example',
} as const;
const QUIET = new AbortController().signal;
const LIMIT_MS = 30_000;

const neverFetch: FetchIdToken = async () => {
  throw new Error('must not be called');
};
const hang: FetchIdToken = async () => new Promise(() => {});

/** The error of a failed fetch of an OIDC token; undefined if it succeeds. */
async function catchError(
  fetchIdToken: FetchIdToken,
  limitMs = LIMIT_MS,
  signal = QUIET,
): Promise<unknown> {
  return makeCredentialHeaders(OIDC, fetchIdToken, limitMs, signal).then(
    () => undefined,
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
  ])('sends a credential that needs no OIDC token unchanged: %j', async (credential, headers) => {
    const made = await makeCredentialHeaders(credential, neverFetch, LIMIT_MS, QUIET);
    expect(made).toStrictEqual(headers);
  });

  test('fetches an OIDC token for the audience each time', async () => {
    const fetchIdToken = jest.fn<FetchIdToken>();
    fetchIdToken.mockResolvedValueOnce('first').mockResolvedValueOnce('second');
    expect(await makeCredentialHeaders(OIDC, fetchIdToken, LIMIT_MS, QUIET)).toEqual({
      'X-Identity': 'Bearer first',
    });
    const bare = { ...OIDC, prefix: '' };
    expect(await makeCredentialHeaders(bare, fetchIdToken, LIMIT_MS, QUIET)).toEqual({
      'X-Identity': 'second',
    });
    const call = ['https://scan.example', expect.any(AbortSignal)];
    expect(fetchIdToken.mock.calls).toEqual([call, call]);
  });

  test('ends a request to which the provider never responds', async () => {
    const fetchIdToken = jest.fn<FetchIdToken>(hang);
    const error = await catchError(fetchIdToken, 40);
    expect(error).toBeInstanceOf(StepError);
    const message = 'The identity provider did not respond for 0.04 s.';
    const fixes = [
      expect.stringMatching(/^Re-run the failed jobs later\. On a runner of your own, /),
    ];
    expect(error).toMatchObject({ situation: 'oidc-failed', message, fixes });
    expect(fetchIdToken.mock.calls[0]?.[1].reason).toBe(error);
  });

  test.each([
    [makeError('ECONNRESET', 'read ECONNRESET'), 'read ECONNRESET'],
    [new Error('socket hang up'), 'the other side closed the connection'],
    [new AggregateError([makeError('EHOSTUNREACH', 'no way')]), 'no way (EHOSTUNREACH)'],
    [new ProxyError({ cause: new Error('the proxy is gone') }), 'the proxy is gone'],
  ])('reports why there is no token: %s', async (why, text) => {
    const error = await catchError(async () => Promise.reject(why));
    expect(error).toBeInstanceOf(StepError);
    const message = `The OIDC token could not be fetched: ${text}`;
    expect(error).toMatchObject({ situation: 'oidc-failed', message });
  });

  test('passes on that a permission is missing', async () => {
    const missing = new StepError('oidc-permission', 'none', []);
    expect(await catchError(async () => Promise.reject(missing))).toBe(missing);
  });

  test.each(['', 'two\nlines'])('refuses a token that no header can carry: %j', async (token) => {
    const error = await catchError(async () => token);
    expect(error).toBeInstanceOf(StepError);
    const message = 'The identity provider returned no OIDC token that a header can carry.';
    expect(error).toMatchObject({ situation: 'oidc-failed', message });
  });

  test('ends with the signal’s reason while the token is being fetched', async () => {
    const controller = new AbortController();
    const reason = new CancelledError('SIGINT');
    const fetchIdToken = jest.fn<FetchIdToken>(hang);
    const fetching = catchError(fetchIdToken, LIMIT_MS, controller.signal);
    controller.abort(reason);
    expect(await fetching).toBe(reason);
    expect(fetchIdToken.mock.calls[0]?.[1].reason).toBe(reason);
  });

  test.each([new CancelledError('SIGTERM'), new Error('an error that nobody caught')])(
    'ends with the signal’s reason if it has already fired: %p',
    async (reason) => {
      expect(await catchError(hang, 50, AbortSignal.abort(reason))).toBe(reason);
    },
  );
});
