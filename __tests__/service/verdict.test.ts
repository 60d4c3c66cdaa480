import { describe, expect, test } from '@jest/globals';
import { CancelledError, FileError, TimeLimitError } from '../../src/errors.ts';
import { TooLongError } from '../../src/service/response.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import { OidcError } from '../../src/service/auth.ts';
import {
  describeFailedAttempt,
  getResponse,
  judgeCredentialError,
  judgeExchange,
} from '../../src/service/verdict.ts';
import type { UploadResult, Verdict } from '../../src/service/verdict.ts';
import { StalledError } from '../../src/service/phase-timer.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import type { RetryClass } from '../../src/service/retry.ts';
import { ProxyError } from '../../src/service/tunnel.ts';
import { makeResponse, makeError } from '../support/bodies.ts';

const QUIET = new AbortController().signal;
const PHASES: readonly Phase[] = ['connect', 'continue', 'send', 'head', 'body'];
const PROBLEM = '{"title":"t","status":500}';

/** Judges a response that arrived after everything was sent, unless `isSent` is false. */
function judgeResponse(
  { isSent = true, ...response }: Partial<ServiceResponse> & { readonly isSent?: boolean },
  error?: Error,
): Verdict {
  const whole = makeResponse(response);
  const outcome = { kind: 'response', response: whole, ...(error && { error }) } as const;
  return judgeExchange({ outcome, isSent }, QUIET);
}

/** The headers of a response of this content type. */
function declare(contentType?: string): ServiceResponse['headers'] {
  return contentType === undefined ? {} : { 'content-type': contentType };
}

function judgeFailure(
  error: Error,
  phase: Phase,
  isSent: boolean,
  signal: AbortSignal = QUIET,
): Verdict {
  const outcome = { kind: 'failure', phase, error } as const;
  return judgeExchange({ outcome, isSent }, signal);
}

function summarise({ result, cause, retry }: Verdict): readonly [UploadResult, string, RetryClass] {
  return [result, cause.kind, retry];
}

describe('judgeExchange on a success', () => {
  test.each([200, 204, 299])(
    'accepts a %i only if it is complete and came after the last byte',
    (status) => {
      expect(summarise(judgeResponse({ status }))).toEqual(['accepted', 'accepted', 'never']);
      const error = new Error('aborted');
      const truncated = judgeResponse({ status, complete: false }, error);
      expect(summarise(truncated)).toEqual(['unconfirmed', 'truncated-response', 'always']);
      expect(truncated.cause).toHaveProperty('error', error);
      const long = judgeResponse({ status, complete: false }, new TooLongError());
      expect(summarise(long)).toEqual(['unconfirmed', 'truncated-response', 'never']);
      for (const complete of [true, false]) {
        const early = judgeResponse({ status, isSent: false, complete });
        expect(summarise(early)).toEqual(['not-sent', 'early-success', 'always']);
      }
    },
  );

  test('treats a web page as a refusal, even if it is incomplete or early', () => {
    for (const odd of [{}, { complete: false }, { isSent: false }]) {
      const verdict = judgeResponse({ text: '<!doctype html>', ...odd });
      expect(summarise(verdict)).toEqual(['rejected', 'web-page', 'never']);
    }
  });

  test.each(['text/html', 'application/xhtml+xml'])(
    'lets the type %s decide only if the response was early, so that its body was not read',
    (type) => {
      const early = judgeResponse({ headers: declare(type), isSent: false, complete: false });
      expect(summarise(early)).toEqual(['rejected', 'web-page', 'never']);
      const truncated = judgeResponse({ headers: declare(type), complete: false });
      expect(summarise(truncated)).toEqual(['unconfirmed', 'truncated-response', 'always']);
      expect(judgeResponse({ headers: declare(type) }).result).toBe('accepted');
    },
  );

  test.each([
    [{}, ['unconfirmed', 'unreadable-response', 'never']],
    [{ complete: false }, ['unconfirmed', 'truncated-response', 'always']],
    [{ isSent: false }, ['not-sent', 'early-success', 'always']],
  ])('never repeats an upload whose complete response cannot be read (%j)', (odd, expected) => {
    expect(summarise(judgeResponse({ confirmation: 'unreadable', ...odd }))).toEqual(expected);
  });
});

describe('judgeExchange on a 2xx response that contains or declares a problem', () => {
  test.each([
    [undefined, '{"title":"No","status":400}', { status: 400 }],
    [undefined, '[{"title":"No","status":400}]', undefined],
    ['application/problem+xml', '', undefined],
    ['application/problem+json', '{"detail":"no"}', { detail: 'no' }],
  ])(
    'treats it as a refusal, even if it is incomplete or early (%s, %j)',
    (contentType, text, problem) => {
      for (const odd of [{}, { complete: false }, { isSent: false, complete: false }]) {
        const verdict = judgeResponse({ headers: declare(contentType), text, ...odd });
        expect(summarise(verdict)).toEqual(['rejected', 'refused', 'never']);
        expect(verdict.cause).toMatchObject({ problem });
      }
    },
  );
});

describe('judgeExchange on a refusal', () => {
  test.each([300, 304, 399])('rejects a %i as a redirect, without a retry', (status) => {
    const expected = ['rejected', 'redirect', 'never'];
    for (const isSent of [true, false]) {
      const headers = { location: 'https://elsewhere.example/' };
      expect(summarise(judgeResponse({ status, headers, isSent }))).toEqual(expected);
    }
  });

  test.each<[RetryClass, readonly number[]]>([
    ['never', [400, 401, 403, 404, 409, 413, 417, 422, 499, 501, 505, 519, 525, 599]],
    // Node accepts any three digits as a status.
    ['never', [0, 99, 600, 999]],
    ['always', [408, 425, 429, 503]],
    ['limited', [500]],
  ])(
    'returns retry %s for a refusal with %j, even if it is incomplete or early',
    (retry, statuses) => {
      for (const status of statuses) {
        for (const odd of [{}, { complete: false }, { isSent: false }]) {
          const verdict = judgeResponse({ status, ...odd });
          expect([status, ...summarise(verdict)]).toEqual([status, 'rejected', 'refused', retry]);
        }
      }
    },
  );

  test.each([502, 504, 520, 521, 522, 523, 524])(
    'returns unconfirmed for a gateway’s %i after the last byte, and retries',
    (status) => {
      for (const complete of [true, false]) {
        const late = judgeResponse({ status, complete });
        expect(summarise(late)).toEqual(['unconfirmed', 'refused', 'always']);
        const early = judgeResponse({ status, complete, isSent: false });
        expect(summarise(early)).toEqual(['rejected', 'refused', 'always']);
      }
    },
  );

  test('does not retry a 500 with a problem', () => {
    expect(judgeResponse({ status: 500, text: PROBLEM }).retry).toBe('never');
    expect(judgeResponse({ status: 500, text: '<html>' }).retry).toBe('limited');
    expect(judgeResponse({ status: 503, text: PROBLEM }).retry).toBe('always');
  });

  test('uses the content type to read the problem', () => {
    const refusal = { status: 400, text: '{"message":"no"}' };
    const declared = judgeResponse({ ...refusal, headers: declare('application/problem+json') });
    expect(declared.cause).toMatchObject({ problem: { members: { message: 'no' } } });
    expect(judgeResponse(refusal).cause).toHaveProperty('problem', undefined);
  });

  test('treats a refusal in HTML as a refusal, not as a web page in place of a success', () => {
    const verdict = judgeResponse({ status: 403, headers: declare('text/html') });
    expect(verdict.cause.kind).toBe('refused');
  });
});

describe('judgeExchange on a failure', () => {
  test.each([
    [true, 'unconfirmed'],
    [false, 'not-sent'],
  ] as const)('returns for any error with isSent %s: %s', (isSent, result) => {
    const errors = [
      makeError('ECONNRESET'),
      makeError('CERT_HAS_EXPIRED'),
      new StalledError('send', 1000),
      new FileError('changed'),
    ];
    for (const error of errors) expect(judgeFailure(error, 'send', isSent).result).toBe(result);
  });

  test.each([
    ['ECONNRESET', undefined, 'always'],
    ['ENOTFOUND', undefined, 'limited'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 'never'],
    ['EPROTO', 'tlsv13 alert certificate required:SSL alert number 116', 'never'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', undefined, 'never'],
    ['HPE_INVALID_CONSTANT', undefined, 'never'],
  ] as const)('retries a connection that failed with %s (%s): %s', (code, message, retry) => {
    const verdict = judgeFailure(makeError(code, message), 'connect', false);
    expect(summarise(verdict)).toEqual(['not-sent', 'connection', retry]);
    expect(verdict.cause).toMatchObject({ phase: 'connect', diagnosis: expect.any(Object) });
  });

  test.each([
    [{ response: { status: 502, headers: {} } }, 'always'],
    [{ response: { status: 407, headers: {} } }, 'never'],
    [{ cause: makeError('ECONNREFUSED') }, 'always'],
    [{ cause: makeError('ENOTFOUND') }, 'limited'],
    [{ cause: makeError('CERT_HAS_EXPIRED') }, 'never'],
  ] as const)('retries a connection that failed at the proxy with %j: %s', (from, retry) => {
    const verdict = judgeFailure(new ProxyError('no tunnel', from), 'connect', false);
    expect(summarise(verdict)).toEqual(['not-sent', 'connection', retry]);
  });

  test.each(PHASES)('returns not-sent if the client certificate was refused (%s)', (phase) => {
    const error = makeError('EPROTO', 'SSL alert number 116');
    expect(judgeFailure(error, phase, true).result).toBe('not-sent');
    const other = makeError('EPROTO', 'SSL alert number 80');
    expect(judgeFailure(other, phase, true).result).toBe('unconfirmed');
  });

  test.each(PHASES)(
    'retries a stall (%s), unless everything was sent and no response arrived',
    (phase) => {
      const verdict = judgeFailure(new StalledError(phase, 1500), phase, false);
      expect(verdict.cause).toEqual({ kind: 'stalled', phase, limitMs: 1500 });
      expect(verdict.retry).toBe(phase === 'head' ? 'never' : 'always');
    },
  );

  test('never retries after a file has changed', () => {
    const error = new FileError('changed');
    const cause = { kind: 'file', error };
    expect(judgeFailure(error, 'send', false)).toMatchObject({ cause, retry: 'never' });
  });

  test.each([new CancelledError('SIGINT'), new TimeLimitError(9)])(
    'never retries after the signal has fired: $name',
    (reason) => {
      const signal = AbortSignal.abort(reason);
      const cause = { kind: 'aborted', phase: 'send', reason };
      const verdict = { result: 'unconfirmed', cause, retry: 'never', retryAfter: undefined };
      expect(judgeFailure(reason, 'send', true, signal)).toEqual(verdict);
      expect(judgeFailure(reason, 'send', false, signal).result).toBe('not-sent');
    },
  );
});

describe('judgeCredentialError', () => {
  test.each([
    [true, 'never'],
    [false, 'always'],
  ] as const)('returns for a missing permission (%s): retry %s', (isPermission, retry) => {
    const error = new OidcError('no token', isPermission);
    const cause = { kind: 'oidc', error };
    expect(judgeCredentialError(error)).toMatchObject({ result: 'not-sent', cause, retry });
  });

  test('reports the signal’s reason', () => {
    const reason = new CancelledError('SIGTERM');
    const cause = { kind: 'aborted', phase: undefined, reason };
    const verdict = { result: 'not-sent', cause, retry: 'never', retryAfter: undefined };
    expect(judgeCredentialError(reason)).toEqual(verdict);
  });
});

describe('getResponse', () => {
  test('returns the response, or undefined if there was none', () => {
    const response = makeResponse();
    expect(getResponse({ kind: 'redirect', response })).toBe(response);
    expect(getResponse({ kind: 'stalled', phase: 'head', limitMs: 1 })).toBeUndefined();
  });
});

describe('describeFailedAttempt', () => {
  const NOW = Date.UTC(2025, 0, 1);

  test.each([
    ['7', 7000],
    ['Wed, 01 Jan 2025 00:01:00 GMT', 60_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %s', (value, retryAfterMs) => {
    const headers = value === undefined ? {} : { 'retry-after': value };
    expect(describeFailedAttempt(judgeResponse({ status: 503, headers }), NOW)).toEqual({
      retry: 'always',
      isConnectionLevel: false,
      retryAfterMs,
    });
  });

  test('marks a failed connection', () => {
    const verdict = judgeFailure(makeError('ENOTFOUND'), 'connect', false);
    expect(describeFailedAttempt(verdict, NOW)).toEqual({
      retry: 'limited',
      isConnectionLevel: true,
      retryAfterMs: undefined,
    });
  });
});
