import { describe, expect, test } from '@jest/globals';
import { StepError, TimeLimitError } from '../../src/errors.ts';
import { hide } from '../../src/redaction/clean.ts';
import {
  explainEnd,
  makeBroken,
  makeRefusal,
  makeStalled,
  CUT,
  challenge,
  redirect,
  stop,
} from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { PROXIED } from '../support/scans.ts';
import type { TaskSpec } from '../support/scans.ts';

const SERVICE = 'https://scan.example';
const WAY = '(through the proxy proxy.example:3128)';
const PROXY = 'The proxy proxy.example:3128';
const PAGE = 'Nothing was accepted: HTTP 200 OK, but a web page';
const RESPONSE = `The response of ${SERVICE} (HTTP 200 OK)`;
const UNREADABLE = 'cannot be read: it is neither text nor XML, nor JSON that is whole.';
const READING = 'while the response was being read';
const SILENT = `No data was sent to or received from ${SERVICE}`;
const EARLY = `${SERVICE} responded with HTTP 200 OK before`;
const NO_SUCH = 'HTTP 307 Temporary Redirect without a usable target.';

const LONG = `Component a:\n${'no license '.repeat(30)}end.`;

/** A 401 with a challenge. */
function ask(header: string, body = ''): AttemptSpec {
  return makeRefusal({ status: 401, headers: { 'www-authenticate': header }, body });
}

/** The headline and the details, a line each. */
function describeEnd(spec: AttemptSpec, settings: TaskSpec = {}): string {
  const { headline, details } = explainEnd(spec, settings);
  return [headline, ...details].join('\n');
}

hide('s3cret-of-tests');

describe('an end', () => {
  test.each<[string, AttemptSpec]>([
    // A problem speaks for itself; other texts follow their status.
    ['D.\na: x', makeRefusal({ body: '{"title":"T.","detail":"D.","errors":{"a":["x"]}}' })],
    [
      `a: x\n${LONG}`,
      makeRefusal({ body: JSON.stringify({ detail: LONG, errors: { a: ['x'] } }) }),
    ],
    [LONG, makeRefusal({ body: JSON.stringify({ detail: LONG }) })],
    ['HTTP 400 Bad Request', makeRefusal({ body: '{"detail":""}' })],
    ['HTTP 524: x', makeRefusal({ status: 524, body: 'x' })],
    ['HTTP 502 Bad Gateway: a\nb', makeRefusal({ status: 502, says: ['a', 'b'] })],
    [`${PAGE}, not a response of the service.`, { response: { kind: 'web-page', says: [] } }],
    [`${PAGE}: a\nb`, { response: { kind: 'web-page', says: ['a', 'b'] } }],
    // A 401 shows its challenge, unless that has a description, and who issued a JWT.
    ['HTTP 401 Unauthorized: No.\nThe service asks for: `ApiKey`', ask('ApiKey', 'No.')],
    ['HTTP 401 Unauthorized: Too old', ask('Bearer error_description="Too old"')],
    [
      'HTTP 401 Unauthorized\nThe service asks for: `B error_description=x`',
      ask('B error_description=x'),
    ],
    // A success that does not count.
    ['HTTP 200 OK, but the body says `state: FAIL`', { response: { body: '{"state":"FAIL"}' } }],
    [
      `The firewall of Cloudflare in front of ${SERVICE} responded with a challenge (HTTP 403 Forbidden), which only a browser can pass: nothing was accepted.\nJust a moment...`,
      challenge(403),
    ],
    [`${EARLY} everything was sent.`, { response: {}, isSent: false }],
    [`${EARLY} the connection had taken everything.`, { response: {}, digests: undefined }],
    [`${RESPONSE} ${UNREADABLE}`, { response: { kind: 'other' } }],
    [`${RESPONSE} is too long: more than 1 MiB.`, { failure: { kind: 'too-long' }, ...CUT }],
    [
      `${RESPONSE} is not complete. ${SILENT} for 20 s ${READING}.`,
      { ...makeStalled('reading', true), ...CUT },
    ],
    // No response.
    [`${SILENT} for 20 s while the files were being sent.`, makeStalled('flushing')],
    [`${SILENT} for 20 s before the files were sent.`, makeStalled('asking')],
    [
      `Everything was sent to ${SERVICE}, but there was no response within 20 s.`,
      makeStalled('waiting', true),
    ],
    ['The name scan.example does not resolve: x', makeBroken({ code: 'ENOTFOUND', text: 'x' })],
    [
      `The certificate of ${SERVICE} is not trusted: it ended`,
      makeBroken({ code: 'CERT_HAS_EXPIRED' }),
    ],
    [`The connection to ${SERVICE} failed while connecting: it ended`, makeBroken({ alert: 42 })],
    [`The upload to ${SERVICE} ended without a response.`, {}],
    // Where the attempt was, if the error does not say it.
    ['Changed.\nTwice.', stop(new StepError('files', ['Changed.', 'Twice.'], []))],
    [
      `The time limit of 9 s (\`timeout-seconds\`) ended the step ${READING}.`,
      stop(new TimeLimitError(9), { state: 'reading' }),
    ],
  ])('is described: %j', (text, spec) => {
    expect(describeEnd(spec)).toBe(text);
  });

  test.each<[string, AttemptSpec]>([
    [`${SILENT} ${WAY} for 20 s while connecting.`, makeStalled('connecting')],
    [
      `The connection to ${SERVICE} ${WAY} failed while the files were being sent, after 9 of 30 MiB: it ended`,
      makeBroken({}, { state: 'sending', sentBytes: 9 * 2 ** 20 }),
    ],
    [
      `The certificate of the proxy proxy.example:3128 is not trusted: it ended`,
      makeBroken({ isOfProxy: true, code: 'CERT_HAS_EXPIRED' }),
    ],
    [
      `${PROXY} opened no connection to scan.example:443: it ended`,
      makeBroken({ isOfProxy: true }),
    ],
    [
      `${PROXY} refused the connection to scan.example:443: HTTP 407 Proxy Authentication Required.`,
      makeBroken({ isOfProxy: true, proxyStatus: 407 }),
    ],
    [
      `${PROXY} could not reach scan.example:443: HTTP 502 Bad Gateway.`,
      makeBroken({ isOfProxy: true, proxyStatus: 502 }),
    ],
  ])('is described, through a proxy: %j', (text, spec) => {
    expect(describeEnd(spec, { ...PROXIED, bodyBytes: 30 * 2 ** 20 })).toBe(text);
  });

  test('names the issuer of a JWT that the service rejects', () => {
    const claims = { iss: 'https://login.staging.example.com/realms/a', aud: 'x' };
    const token = `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
    const text = 'HTTP 401 Unauthorized\n`token` is a JWT of login.staging.example.com.';
    expect(describeEnd(makeRefusal({ status: 401 }), { token })).toBe(text);
    expect(describeEnd(makeRefusal({ status: 401 }), { token: 'a.b.c' })).toBe(
      'HTTP 401 Unauthorized',
    );
  });

  test.each([
    ['/login?next=%2F#y', `${SERVICE}/login`],
    ['//new.example:8443/a;id=1/b;jsessionid=2', 'https://new.example:8443/a/b'],
    ['https://user:pass@login.example/', 'https://login.example'],
    [`/${'a'.repeat(200)}`, `${SERVICE}/${'a'.repeat(177)} …`],
    // Parameters divided it.
    ['/s3cret;id=1-of-tests', `${SERVICE}/s3cret`],
  ])('names only a part of the target of a redirect: %s', (location, target) => {
    expect(describeEnd(redirect(location))).toBe(
      `${SERVICE} redirects to ${target} (HTTP 307 Temporary Redirect); redirects are not followed.`,
    );
  });

  test.each(['', 'http://[', 'mailto:a@b.example'])(
    'does not name the target %j of a redirect',
    (location) => {
      expect(describeEnd(redirect(location))).toBe(`${SERVICE} responded with ${NO_SUCH}`);
    },
  );
});
