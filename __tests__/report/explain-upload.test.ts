import { describe, expect, test } from '@jest/globals';
import { CancelledError, FileError, TimeLimitError } from '../../src/errors.ts';
import { explainCause, explainUpload } from '../../src/report/explain-upload.ts';
import type { Explanation, Failure } from '../../src/report/result.ts';
import { OidcError } from '../../src/service/auth.ts';
import { cleanVerdict } from '../../src/service/clean-verdict.ts';
import type { UploadReport } from '../../src/service/upload.ts';
import type { Cause, Verdict } from '../../src/service/verdict.ts';
import { makeResponse } from '../support/bodies.ts';
import { FACTS, makeRefusal } from '../support/report.ts';

const TRACE = `Trace id of the requests: ${FACTS.traceId}`;
const UNCERTAIN =
  'Everything was sent, but no complete response arrived: the service may have the scan. Running the step again sends it again.';

const REFUSED: Verdict = {
  result: 'rejected',
  cause: makeRefusal({ status: 400, text: '{"detail":"Unknown key.","errors":{"a":["x"]}}' }),
  retry: 'never',
  retryAfter: undefined,
};
const RESET: Verdict = {
  result: 'unconfirmed',
  cause: { kind: 'connection', phase: 'head', diagnosis: { fault: 'connection', text: 'reset' } },
  retry: 'always',
  retryAfter: undefined,
};

function report(verdict: Verdict, more: Partial<UploadReport> = {}): UploadReport {
  const { result } = verdict;
  return { result, attempts: 1, verdict, stop: 'final', digests: undefined, ...more };
}

function explainFailure(
  verdict: Verdict,
  more: Partial<UploadReport> = {},
  aborted?: unknown,
): Failure {
  const failure = explainUpload(report(verdict, more), FACTS, aborted);
  if (failure === undefined) throw new Error('There is no failure.');
  return failure;
}

function redirect(location: string | undefined, status = 307): Explanation {
  const headers = location === undefined ? {} : { location };
  return explainCause({ kind: 'redirect', response: makeResponse({ status, headers }) }, FACTS);
}

function makeChallenge(description: string): Readonly<Record<string, string>> {
  return { 'www-authenticate': `Bearer error_description="${description}"` };
}

describe('explainCause', () => {
  const causes: readonly (readonly [Cause, Partial<Explanation>])[] = [
    [
      { kind: 'accepted', response: makeResponse() },
      { headline: 'The service accepted the upload.', advice: [] },
    ],
    [makeRefusal({ status: 409, text: '{"detail":"Known."}' }), { headline: 'Known.' }],
    [
      { kind: 'early-success', response: makeResponse({ status: 200 }) },
      {
        headline:
          'https://scan.example responded with HTTP 200 OK before everything was sent: it cannot have the whole upload.',
      },
    ],
    [
      {
        kind: 'truncated-response',
        response: makeResponse({ status: 201 }),
        error: new Error('aborted'),
      },
      {
        headline: 'The response of https://scan.example (HTTP 201 Created) was truncated: aborted',
      },
    ],
    [
      { kind: 'truncated-response', response: makeResponse({ status: 201 }), error: undefined },
      { headline: 'The response of https://scan.example (HTTP 201 Created) was truncated.' },
    ],
    [
      { kind: 'stalled', phase: 'send', limitMs: 60_000 },
      {
        headline:
          'Nothing moved to or from https://scan.example for 60 s while the files were being sent.',
        advice: ['The limit is stall-timeout-seconds.'],
      },
    ],
    [
      { kind: 'connection', phase: 'head', diagnosis: { fault: 'connection', text: 'gone' } },
      {
        headline:
          'The connection to https://scan.example failed after everything was sent, before a response came: gone',
      },
    ],
    [
      { kind: 'file', error: new FileError("'scan.json' became shorter.") },
      { headline: "'scan.json' became shorter.", advice: [] },
    ],
    [
      { kind: 'oidc', error: new OidcError('No token.', true) },
      { headline: 'No token.', advice: ['Give the job the permission id-token: write.'] },
    ],
    [
      { kind: 'oidc', error: new OidcError('No token.', false) },
      { headline: 'No token.', advice: [] },
    ],
    [
      { kind: 'aborted', phase: undefined, reason: new CancelledError('SIGINT') },
      { headline: 'The step was cancelled (SIGINT).', advice: [] },
    ],
    [
      { kind: 'aborted', phase: 'send', reason: new TimeLimitError(900) },
      {
        headline:
          'The time limit of 900 s (timeout-seconds) ended the step. It came while the files were being sent.',
        advice: ['The limit is timeout-seconds.'],
      },
    ],
  ];
  test.each(causes)('puts it into sentences: $kind', (cause, explanation) => {
    expect(explainCause(cause, FACTS)).toMatchObject(explanation);
  });

  test('says of a web page who showed it, and nothing of its text', () => {
    const headers = { 'content-type': 'text/html', server: 'portal' };
    const response = makeResponse({ status: 200, headers, text: '<title>Sign in</title>' });
    expect(explainCause({ kind: 'web-page', response }, FACTS)).toEqual({
      headline:
        "The response (HTTP 200 OK) is a web page, not the service's: nothing was accepted.",
      details: ['Answered by server: portal'],
      advice: [
        'A login page or a portal stands at this address: check base-url and the credential.',
      ],
    });
  });
});

describe('explainCause of a response that repeats a secret', () => {
  const SECRET = 's3z"q7<x9k';
  const clean = (text: string): string => text.replaceAll(SECRET, '***');

  /** The cause as an upload reports it. */
  function cleanCause(cause: Cause): Cause {
    const judged = { result: 'rejected', retry: 'never', retryAfter: undefined } as const;
    return cleanVerdict({ ...judged, cause }, clean).cause;
  }

  test.each<[string, Cause]>([
    ['challenge', makeRefusal({ status: 401, headers: makeChallenge(`bad ${SECRET}`) })],
    ['title', makeRefusal({ text: `<title>No ${SECRET}</title>` })],
    ['first line', makeRefusal({ text: `No ${SECRET}` })],
    ['server', makeRefusal({ headers: { server: SECRET } })],
    ['cookie', makeRefusal({ headers: { 'set-cookie': [SECRET], via: SECRET } })],
    ['page', { kind: 'web-page', response: makeResponse({ headers: { server: SECRET } }) }],
    [
      'target',
      {
        kind: 'redirect',
        response: makeResponse({
          status: 307,
          headers: { location: `/${SECRET}/v1/scanner/upload-file` },
        }),
      },
    ],
  ])('takes it out before it is taken to pieces (%s)', (_, cause) => {
    const explanation = JSON.stringify(explainCause(cleanCause(cause), FACTS));
    expect(explanation).toContain('***');
    expect(explanation).not.toMatch(/s3z|q7|x9k/);
  });
});

describe('explainCause of a redirect', () => {
  const LOGIN = ['It may lead to a login page: check base-url and the credential.'];
  const SERVICE = ['If that is the service, set base-url to its address.'];

  test.each([
    ['https://new.example/v1/scanner/upload-file', 'https://new.example', 'https://new.example'],
    [
      'https://new.example/a/b/v1/scanner/upload-multiple-files?x=1#y',
      'https://new.example',
      'https://new.example/a/b',
    ],
    [
      'http://scan.example/tenant/v1/scanner/upload-file',
      'http://scan.example',
      'http://scan.example/tenant',
    ],
    ['/v2/v1/scanner/upload-file', 'https://scan.example', 'https://scan.example/v2'],
    [
      '//new.example:8443/v1/scanner/upload-file',
      'https://new.example:8443',
      'https://new.example:8443',
    ],
  ])('to %s names the origin and the base-url to use', (location, origin, baseUrl) => {
    expect(redirect(location)).toEqual({
      headline: `https://scan.example redirects to ${origin} (HTTP 307 Temporary Redirect); redirects are not followed.`,
      details: [`base-url there: ${baseUrl}`],
      advice: SERVICE,
    });
  });

  test.each([
    ['/login?next=%2F', 'https://scan.example'],
    ['https://login.example/', 'https://login.example'],
    ['https://new.example/v1/scanner/', 'https://new.example'],
    ['https://new.example/v1/scanner/upload-file/more', 'https://new.example'],
  ])('to %s names the origin', (location, origin) => {
    expect(redirect(location, 302)).toEqual({
      headline: `https://scan.example redirects to ${origin} (HTTP 302 Found); redirects are not followed.`,
      details: [],
      advice: LOGIN,
    });
  });

  test.each([undefined, 'http://[', 'https://', 'mailto:a@b.example', 'javascript:alert(1)'])(
    'to %s has no usable target',
    (location) => {
      expect(redirect(location, 301)).toEqual({
        headline:
          'https://scan.example responded with HTTP 301 Moved Permanently without a usable target.',
        details: [],
        advice: [],
      });
    },
  );

  test('shows neither user nor query of the target', () => {
    const location = 'https://user:pass@new.example/t/v1/scanner/upload-file?token=abc#frag';
    expect(JSON.stringify(redirect(location))).not.toMatch(/user|pass@|token|abc|frag/);
  });
});

describe('explainUpload', () => {
  test('has nothing to explain of what was accepted', () => {
    const cause = { kind: 'accepted', response: makeResponse() } as const;
    const verdict: Verdict = { result: 'accepted', cause, retry: 'never', retryAfter: undefined };
    expect(explainUpload(report(verdict), FACTS, undefined)).toBeUndefined();
    const late = new CancelledError('SIGINT');
    expect(explainUpload(report(verdict), FACTS, late)).toBeUndefined();
  });

  test('names result and status, says the detail first, and ends with the trace id', () => {
    expect(explainFailure(REFUSED)).toEqual({
      title: 'Scan upload rejected (400)',
      headline: 'Unknown key.',
      details: ['a: x', TRACE],
      advice: [],
    });
  });

  test('says of an unconfirmed upload what it means to run it again', () => {
    expect(explainFailure(RESET)).toMatchObject({
      title: 'Scan upload unconfirmed',
      details: [UNCERTAIN, TRACE],
    });
  });

  test('says so too where a later attempt was refused', () => {
    expect(explainFailure(REFUSED, { result: 'unconfirmed', attempts: 2 })).toEqual({
      title: 'Scan upload unconfirmed (400)',
      headline: 'Unknown key.',
      details: ['a: x', `In an earlier attempt: ${UNCERTAIN}`, TRACE],
      advice: [],
    });
  });

  test('names what was not sent', () => {
    const cause = { kind: 'stalled', phase: 'connect', limitMs: 1000 } as const;
    const failure = explainFailure({
      result: 'not-sent',
      cause,
      retry: 'always',
      retryAfter: undefined,
    });
    expect(failure.title).toBe('Scan upload not sent');
    expect(failure.details).toEqual([TRACE]);
    expect(failure.advice).toEqual(['The limit is stall-timeout-seconds.']);
  });

  test.each([
    ['retries', 1, 'Gave up after 1 attempt.'],
    ['retries', 9, 'Gave up after 9 attempts.'],
    [
      'time',
      2,
      'Gave up after 2 attempts: the next one would begin after the time limit (timeout-seconds).',
    ],
    ['aborted', 3, 'Gave up after 3 attempts, while waiting for the next one.'],
    ['stopped', 2, 'Gave up after 2 attempts, since no scan gets a further attempt.'],
  ] as const)('says why there was no further attempt (%s, %i)', (stop, attempts, sentence) => {
    expect(explainFailure(REFUSED, { stop, attempts }).details).toEqual(['a: x', sentence, TRACE]);
  });

  test.each([
    [REFUSED, 'cancelled; not uploaded'],
    [RESET, 'cancelled; unconfirmed'],
  ])('says of a cancelled step in one line whether anything was uploaded', (verdict, headline) => {
    const failure = explainFailure(verdict, {}, new CancelledError('SIGTERM'));
    const plain = explainFailure(verdict);
    expect(failure).toEqual({
      ...plain,
      title: 'Scan upload cancelled',
      headline,
      details: [plain.headline, ...plain.details],
    });
  });

  test('keeps the title of a step that its time limit ended', () => {
    const reason = new TimeLimitError(9);
    const verdict: Verdict = {
      result: 'unconfirmed',
      cause: { kind: 'aborted', phase: 'head', reason },
      retry: 'never',
      retryAfter: undefined,
    };
    const failure = explainFailure(verdict, {}, reason);
    expect(failure.title).toBe('Scan upload unconfirmed');
    expect(failure.headline).toMatch(/^The time limit of 9 s \(timeout-seconds\) ended the step\./);
    expect(failure.advice).toEqual(['The limit is timeout-seconds.']);
  });
});
