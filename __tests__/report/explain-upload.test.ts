import { describe, expect, test } from '@jest/globals';
import { CancelledError, FileError, TimeLimitError } from '../../src/errors.ts';
import { annotateFailures } from '../../src/report/annotations.ts';
import { explainCause, explainUpload } from '../../src/report/explain-upload.ts';
import { Log } from '../../src/report/log.ts';
import type { Explanation, Failure, Reason } from '../../src/report/result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { OidcError } from '../../src/service/auth.ts';
import type { UploadReport } from '../../src/service/upload.ts';
import { StalledError } from '../../src/service/phase-timer.ts';
import type { Cause, Verdict } from '../../src/service/verdict.ts';
import { makeResponse } from '../support/bodies.ts';
import { FACTS, captureOutput, makeBatch, makeRefusal, makeScan } from '../support/report.ts';

const LONG = 'x'.repeat(4096);
const SHORT = Array.from({ length: 3000 }, () => 'y');
const CREATED = makeResponse({ status: 201 });
const TRACE = `Trace id of the requests: ${FACTS.traceId}`;
const UNCERTAIN =
  'Everything was sent, but no complete and readable response of the service arrived: it may have the scan. Running the step again sends it again.';

const REFUSED = makeVerdict(
  'rejected',
  makeRefusal({ status: 400, text: '{"detail":"Unknown key.","errors":{"a":["x"]}}' }),
);
const RESET = makeVerdict('unconfirmed', {
  kind: 'connection',
  phase: 'head',
  diagnosis: { fault: 'connection', text: 'reset' },
});

function makeVerdict(result: Verdict['result'], cause: Cause): Verdict {
  return { result, cause, retry: 'never', retryAfter: undefined };
}

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

describe('explainCause', () => {
  test.each<[Cause, Reason, string, readonly string[]]>([
    [
      { kind: 'accepted', response: makeResponse() },
      'internal',
      'The service accepted the upload.',
      [],
    ],
    [makeRefusal({ status: 409, text: '{"detail":"Known."}' }), 'problem', 'Known.', []],
    [
      { kind: 'early-success', response: makeResponse({ status: 200 }) },
      'connection',
      'https://scan.example responded with HTTP 200 OK before everything was sent: it cannot have the whole upload.',
      [],
    ],
    [
      { kind: 'truncated-response', response: CREATED, error: new Error('aborted') },
      'connection',
      'The response of https://scan.example (HTTP 201 Created) was truncated: aborted',
      [],
    ],
    [
      { kind: 'truncated-response', response: CREATED, error: undefined },
      'connection',
      'The response of https://scan.example (HTTP 201 Created) was truncated.',
      [],
    ],
    [
      { kind: 'truncated-response', response: CREATED, error: new StalledError('body', 9000) },
      'stalled',
      'No data was sent to or received from https://scan.example for 9 s while the response was being read.',
      ['Increase `stall-timeout-seconds` if the service needs longer.'],
    ],
    [
      { kind: 'truncated-response', response: CREATED, error: new TimeLimitError(9) },
      'time-limit',
      'The time limit of 9 s (`timeout-seconds`) ended the step. This happened while the response was being read.',
      ['Increase `timeout-seconds`.'],
    ],
    [
      { kind: 'stalled', phase: 'head', limitMs: 60_000 },
      'stalled',
      'No data was sent to or received from https://scan.example for 60 s after everything was sent, before a response arrived.',
      [],
    ],
    [
      { kind: 'connection', phase: 'head', diagnosis: { fault: 'connection', text: 'gone' } },
      'connection',
      'The connection to https://scan.example failed after everything was sent, before a response arrived: gone',
      [],
    ],
    [
      { kind: 'file', error: new FileError("'a.json' is shorter.") },
      'files',
      "'a.json' is shorter.",
      [],
    ],
    [
      { kind: 'oidc', error: new OidcError('No token.', true) },
      'credentials',
      'No token.',
      ['Give the job the permission `id-token: write`.'],
    ],
    [{ kind: 'oidc', error: new OidcError('No token.', false) }, 'credentials', 'No token.', []],
    [
      { kind: 'aborted', phase: undefined, reason: new CancelledError('SIGINT') },
      'cancelled',
      'The step was cancelled or the job timed out (SIGINT).',
      [],
    ],
    [{ kind: 'aborted', phase: undefined, reason: new Error('No.') }, 'internal', 'No.', []],
    [
      { kind: 'aborted', phase: 'send', reason: new TimeLimitError(900) },
      'time-limit',
      'The time limit of 900 s (`timeout-seconds`) ended the step. This happened while the files were being sent.',
      ['Increase `timeout-seconds`.'],
    ],
  ])('explains %j', (cause, reason, headline, advice) => {
    const explanation = { reason, headline, details: [], advice, traces: [] };
    expect(explainCause(cause, FACTS)).toEqual(explanation);
  });

  test('names the server of a web page, and does not show its text', () => {
    const headers = { 'content-type': 'text/html', server: 'portal' };
    const response = makeResponse({ status: 200, headers, text: '<title>Sign in</title>' });
    expect(explainCause({ kind: 'web-page', response }, FACTS)).toEqual({
      headline:
        'The response (HTTP 200 OK) is a web page, not a response of the service: nothing was accepted.',
      reason: 'web-page',
      details: [],
      advice: ['It may be a login page or a portal: check `base-url` and the credential.'],
      traces: ['Response headers: server: portal'],
    });
  });
});

describe('explainCause of a success that cannot be read', () => {
  test.each([
    [{ 'content-encoding': 'zstd', server: 'cache' }, 'HTTP 200 OK, zstd', ['server: cache']],
    [{}, 'HTTP 200 OK', []],
  ])('says what it is and what can be read (%j)', (headers, name, traces) => {
    const response = makeResponse({ headers });
    expect(explainCause({ kind: 'unreadable-response', response }, FACTS)).toEqual({
      reason: 'connection',
      headline: `The response of ${FACTS.origin} (${name}) cannot be read.`,
      details: [],
      advice: [
        'The service, or a gateway in front of it, must respond without compression, or with gzip, deflate or br.',
      ],
      traces: traces.map((trace) => `Response headers: ${trace}`),
    });
  });
});

describe('explainCause of a redirect', () => {
  test.each([
    ['https://new.example/v1/scanner/upload-file', 'https://new.example', ''],
    [
      'https://new.example/a/b/v1/scanner/upload-multiple-files?x=1#y',
      'https://new.example',
      '/a/b',
    ],
    ['http://scan.example/tenant/v1/scanner/upload-file', 'http://scan.example', '/tenant'],
    ['/v2/v1/scanner/upload-file', 'https://scan.example', '/v2'],
    ['//new.example:8443/v1/scanner/upload-file', 'https://new.example:8443', ''],
    ['https://user:pass@new.example/t/v1/scanner/upload-file?k=v', 'https://new.example', '/t'],
  ])('names the origin and the base-url to use for the target %s', (location, origin, prefix) => {
    expect(redirect(location)).toEqual({
      reason: 'redirect',
      headline: `https://scan.example redirects to ${origin} (HTTP 307 Temporary Redirect); redirects are not followed.`,
      details: [`Base URL there: ${origin}${prefix}`],
      advice: ['If this is your service, set `base-url` to this address.'],
      traces: [],
    });
  });

  test.each([
    ['/login?next=%2F', 'https://scan.example'],
    ['https://login.example/', 'https://login.example'],
    ['https://user:pass@new.example/v1/scanner/', 'https://new.example'],
    ['https://new.example/v1/scanner/upload-file/more', 'https://new.example'],
  ])('names only the origin for the target %s', (location, origin) => {
    expect(redirect(location, 302)).toEqual({
      reason: 'redirect',
      headline: `https://scan.example redirects to ${origin} (HTTP 302 Found); redirects are not followed.`,
      details: [],
      advice: ['It may lead to a login page: check `base-url` and the credential.'],
      traces: [],
    });
  });

  test.each([undefined, 'http://[', 'https://', 'mailto:a@b.example', 'javascript:alert(1)'])(
    'reports that the target %s is not usable',
    (location) => {
      expect(redirect(location, 301)).toEqual({
        reason: 'redirect',
        headline:
          'https://scan.example responded with HTTP 301 Moved Permanently without a usable target.',
        details: [],
        advice: [],
        traces: [],
      });
    },
  );
});

describe('explainUpload', () => {
  test("prints one trace id if the service's contains the one that was sent", () => {
    const traceId = `00-${FACTS.traceId}-00f067aa0ba902b7-00`;
    const cause = makeRefusal({ text: JSON.stringify({ detail: 'No.', traceId }) });
    const failure = explainUpload(report(makeVerdict('rejected', cause)), FACTS, undefined);
    expect(failure?.traces).toEqual([`Trace id of the service: ${traceId}`]);
  });

  test('returns undefined for an accepted upload, even if the step was cancelled', () => {
    const verdict = makeVerdict('accepted', { kind: 'accepted', response: makeResponse() });
    for (const reason of [undefined, new CancelledError('SIGINT')]) {
      expect(explainUpload(report(verdict), FACTS, reason)).toBeUndefined();
    }
  });

  test('names result and status, shows the detail first and the trace id last', () => {
    expect(explainFailure(REFUSED)).toEqual({
      title: 'Scan upload rejected (400)',
      reason: 'problem',
      headline: 'Unknown key.',
      details: ['a: x'],
      advice: [],
      traces: [TRACE],
    });
    const stalled = { kind: 'stalled', phase: 'connect', limitMs: 1000 } as const;
    expect(explainFailure(makeVerdict('not-sent', stalled))).toMatchObject({
      title: 'Scan upload not sent',
      details: [],
      traces: [TRACE],
    });
  });

  test('says what running the step again does if an attempt was unconfirmed', () => {
    expect(explainFailure(RESET)).toMatchObject({
      title: 'Scan upload unconfirmed',
      details: [UNCERTAIN],
      traces: [TRACE],
    });
    expect(explainFailure(REFUSED, { result: 'unconfirmed', attempts: 2 })).toMatchObject({
      title: 'Scan upload unconfirmed (400)',
      headline: 'Unknown key.',
      details: ['a: x', `In an earlier attempt: ${UNCERTAIN}`],
    });
  });

  test.each([
    ['retries', 1, 'Gave up after 1 attempt.'],
    ['retries', 9, 'Gave up after 9 attempts.'],
    [
      'time',
      2,
      'Gave up after 2 attempts: the next one would begin after the time limit (`timeout-seconds`).',
    ],
    ['aborted', 3, 'Gave up after 3 attempts, while waiting for the next one.'],
    ['stopped', 2, 'Gave up after 2 attempts, because no scan gets further attempts.'],
  ] as const)('says why there was no further attempt (%s, %i)', (stop, attempts, sentence) => {
    expect(explainFailure(REFUSED, { stop, attempts }).details).toEqual(['a: x', sentence]);
  });

  test.each<[string, number, string]>([
    ['a detail of 4 KB', 413, JSON.stringify({ detail: LONG, traceId: 'of-the-service' })],
    ['many short errors', 413, JSON.stringify({ detail: LONG, errors: { '': SHORT } })],
    ['long errors', 504, JSON.stringify({ detail: LONG, errors: { a: [LONG, LONG] } })],
    ['a long body', 504, LONG],
  ])('keeps the sentences of the action and the trace id in full with %s', (_, status, text) => {
    const headers = { server: LONG };
    const verdict = makeVerdict('unconfirmed', makeRefusal({ status, text, headers }));
    for (const aborted of [undefined, new CancelledError('SIGTERM')]) {
      const failure = explainFailure(verdict, { stop: 'retries', attempts: 9 }, aborted);
      const scan = makeScan({ result: 'unconfirmed', label: 'x'.repeat(200), failure });
      const output = captureOutput();
      annotateFailures(makeBatch([scan]), new Log());
      const annotation = output.lines.join('\n').replaceAll('%0A', '\n');
      const summaries = [[scan], [scan, makeScan()]].map((scans) => makeSummary(makeBatch(scans)));
      for (const shown of [annotation, ...summaries]) {
        for (const line of ['Gave up after 9 attempts.', UNCERTAIN, TRACE]) {
          expect(shown).toContain(`\n${line}`);
        }
      }
      for (const advice of failure.advice) expect(annotation).toContain(`\n${advice}\n`);
      expect(annotation.length).toBeLessThan(4096);
    }
    const { headline, details, traces } = explainFailure(verdict);
    expect(headline.length).toBeLessThanOrEqual(1000);
    expect(details.slice(0, -1).join('\n').length).toBeLessThanOrEqual(1500);
    expect(traces.join('\n').length).toBeLessThanOrEqual(500);
  });

  test.each([
    [REFUSED, 'Cancelled: the scan was not uploaded.'],
    [RESET, 'Cancelled: the upload is unconfirmed.'],
  ])(
    'says in the first line of a cancelled step whether anything was uploaded',
    (verdict, headline) => {
      const failure = explainFailure(verdict, {}, new CancelledError('SIGTERM'));
      const plain = explainFailure(verdict);
      expect(failure).toEqual({
        ...plain,
        title: 'Scan upload cancelled',
        reason: 'cancelled',
        headline,
        details: [plain.headline, ...plain.details],
      });
    },
  );

  test('keeps the title of a step that the time limit ended', () => {
    const reason = new TimeLimitError(9);
    const verdict = makeVerdict('unconfirmed', { kind: 'aborted', phase: 'head', reason });
    expect(explainFailure(verdict, {}, reason)).toMatchObject({
      title: 'Scan upload unconfirmed',
      headline: expect.stringMatching(
        /^The time limit of 9 s \(`timeout-seconds`\) ended the step\./,
      ),
      advice: ['Increase `timeout-seconds`.'],
    });
  });
});
