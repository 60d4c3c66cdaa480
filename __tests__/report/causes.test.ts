import { describe, expect, test } from '@jest/globals';
import { CancelledError, FileError, TimeLimitError } from '../../src/errors.ts';
import { explainCause } from '../../src/report/causes.ts';
import type { Explanation } from '../../src/report/explanation.ts';
import { OidcError } from '../../src/service/auth.ts';
import type { Cause } from '../../src/service/verdict.ts';
import { makeResponse } from '../service/fixtures.ts';
import { FACTS, KEEP, makeRefusal } from './fixtures.ts';

function redirect(location: string | undefined, status = 307): Explanation {
  const headers = location === undefined ? {} : { location };
  return explainCause(
    { kind: 'redirect', response: makeResponse({ status, headers }) },
    FACTS,
    KEEP,
  );
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
    expect(explainCause(cause, FACTS, KEEP)).toMatchObject(explanation);
  });

  test('says of a web page who showed it, and nothing of its text', () => {
    const headers = { 'content-type': 'text/html', server: 'portal' };
    const response = makeResponse({ status: 200, headers, text: '<title>Sign in</title>' });
    expect(explainCause({ kind: 'web-page', response }, FACTS, KEEP)).toEqual({
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
  const redact = (text: string): string => text.replaceAll(SECRET, '***');

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
    const explanation = JSON.stringify(explainCause(cause, FACTS, redact));
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
