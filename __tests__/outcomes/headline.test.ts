import { describe, expect, test } from '@jest/globals';
import { showText } from '../../src/redaction/gate.ts';
import { hide } from '../../src/redaction/clean.ts';
import { CancelledError, StepError } from '../../src/errors.ts';
import type { UploadFacts } from '../../src/outcomes/advice.ts';
import { PROXIED, explainEnd, makeBroken, makeRefusal, makeStalled } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';

const PROXY = 'The proxy proxy.example:3128';
const WAY = '(through the proxy proxy.example:3128)';
const SERVICE = 'https://scan.example';
const SENDING = { state: 'sending', sentBytes: 9 * 2 ** 20 } as const;
const WAITING = { state: 'waiting', isSent: true } as const;
const EXPIRED = { code: 'CERT_HAS_EXPIRED', text: 'expired' };
const BUG = { failure: { kind: 'unexpected', text: 'broken' } } as const;
const CUT = { response: { complete: false } };
const PAGE =
  'The response (HTTP 200 OK) is a web page, not a response of the service: nothing was accepted.';
const EARLY = `${SERVICE} responded with HTTP 200 OK before`;
const RESPONSE = `The response of ${SERVICE} (HTTP 200 OK)`;
const UNREADABLE = 'cannot be read: it is neither text nor XML, nor JSON that is whole.';
const READING = 'while the response was being read';
const SILENT = `No data was sent to or received from ${SERVICE}`;
const STOPPED = 'It ended. This happened while connecting.';

function stop(error: StepError, more: AttemptSpec = {}): AttemptSpec {
  const failure = { kind: 'step', error, text: 'It ended.' } as const;
  return { failure, isSent: false, state: 'connecting', ...more };
}

/** The response of a proxy to CONNECT. */
function refuseConnect(proxyStatus: number): AttemptSpec {
  return makeBroken({ isOfProxy: true, proxyStatus });
}

/** A 401 with a challenge. */
function ask(header: string, body = ''): AttemptSpec {
  return makeRefusal({ status: 401, headers: { 'www-authenticate': header }, body });
}

function webPage(body: string): AttemptSpec {
  return { response: { kind: 'web-page', body } };
}

/** Cloudflare's firewall in place of the service. */
function challenge(status: number): AttemptSpec {
  const headers = { 'cf-mitigated': 'challenge' };
  return { response: { headers, status, body: '<p>Just a moment...' } };
}

function describeChallenge(status: string): string {
  return `The firewall of Cloudflare in front of ${SERVICE} responded with a challenge (${status}), which only a browser can pass: nothing was accepted.\nThe page says: Just a moment...`;
}

function redirect(location: string): AttemptSpec {
  return makeRefusal({ status: 307, headers: { location } });
}

function problem(body: string): AttemptSpec {
  return { response: { headers: { 'content-type': 'application/problem+json' }, body } };
}

/** The headline and the details, a line each. */
function describeEnd(spec: AttemptSpec, settings: Partial<UploadFacts> = {}): string {
  const { headline, details } = explainEnd(spec, settings);
  return [headline, ...details].join('\n');
}

describe('an attempt with a response', () => {
  test.each<[string, AttemptSpec]>([
    // A problem speaks for itself; other texts follow their status.
    ['D.\na: x\nT.', makeRefusal({ body: '{"title":"T.","detail":"D.","errors":{"a":["x"]}}' })],
    ['HTTP 400 Bad Request', makeRefusal({ body: '{"detail":""}' })],
    ['HTTP 400 Bad Request', makeRefusal()],
    ['HTTP 400 Bad Request: no', makeRefusal({ body: '{"message":"no"}' })],
    ["HTTP 400 Bad Request: It's over.\nx", makeRefusal({ body: '<p>It&#39;s <b>over</b>.<br>x' })],
    ['HTTP 524: x', makeRefusal({ status: 524, body: 'x' })],
    // A 401 shows its challenge, unless that has a description.
    ['HTTP 401 Unauthorized\nThe service asks for: ApiKey', ask('ApiKey')],
    ['HTTP 401 Unauthorized: No.\nThe service asks for: ApiKey', ask('ApiKey', 'No.')],
    ['HTTP 401 Unauthorized: Too old', ask('Bearer error_description="Too old"')],
    ['HTTP 403 Forbidden', makeRefusal({ status: 403, headers: { 'www-authenticate': 'ApiKey' } })],
    // A success that does not count.
    ['HTTP 200 OK, but the body is a problem: Quota.', problem('{"detail":"Quota."}')],
    [
      'HTTP 200 OK, but the body says `status: 400`: No.',
      { response: { body: '{"detail":"No.","status":400}' } },
    ],
    ['HTTP 200 OK, but the body says `error: No.`', { response: { body: '{"error":"No."}' } }],
    ['HTTP 200 OK, but the body says `ok: false`', { response: { body: '{"ok":false}' } }],
    [`${PAGE}\nThe page says: Sign in\nThe page says: x`, webPage('<title>Sign in</title>\n<p>x')],
    [describeChallenge('HTTP 200 OK'), challenge(200)],
    [describeChallenge('HTTP 403 Forbidden'), challenge(403)],
    [`${EARLY} everything was sent.`, { response: {}, isSent: false }],
    [`${EARLY} the connection had taken everything.`, { response: {}, digests: undefined }],
    [
      `The response of ${SERVICE} (HTTP 200 OK, zstd) ${UNREADABLE}`,
      { response: { kind: 'other', headers: { 'content-encoding': 'zstd' } } },
    ],
    [`${RESPONSE} is too long: more than 1 MiB.`, { failure: { kind: 'too-long' }, ...CUT }],
    [
      `${RESPONSE} is not complete. The connection to ${SERVICE} failed ${READING}: aborted`,
      { ...makeBroken({ text: 'aborted' }), isSent: true, state: 'reading', ...CUT },
    ],
    [
      `${RESPONSE} is not complete. ${SILENT} for 20 s ${READING}.`,
      { ...makeStalled('reading', true), ...CUT },
    ],
  ])('is described: row %#', (text, spec) => {
    expect(describeEnd(spec)).toBe(text);
  });

  test.each([
    ['https://new.example/v1/a?x=1#y', 'https://new.example/v1/a'],
    ['/login?next=%2F', `${SERVICE}/login`],
    ['//new.example:8443/a;id=1/b;jsessionid=2', 'https://new.example:8443/a/b'],
    ['https://user:pass@login.example/', 'https://login.example'],
    [`/${'a'.repeat(200)}`, `${SERVICE}/${'a'.repeat(177)} …`],
  ])('names only a part of the target of a redirect: row %#', (location, target) => {
    expect(describeEnd(redirect(location))).toBe(
      `${SERVICE} redirects to ${target} (HTTP 307 Temporary Redirect); redirects are not followed.`,
    );
  });

  test('hides a secret that the parameters in the target of a redirect divided', () => {
    hide('path/secret');
    const headline = describeEnd(redirect('/path;id=1/secret'));
    expect(showText(headline)).toContain(`${SERVICE}/*** (`);
  });

  test.each(['', 'http://[', 'mailto:a@b.example', 'app:/v1/scanner/upload-file'])(
    'says that the target %j of a redirect is not usable',
    (location) => {
      const words = /HTTP 307 Temporary Redirect without a usable target\.$/;
      expect(describeEnd(redirect(location))).toMatch(words);
    },
  );
});

describe('an attempt without a response', () => {
  test.each<[string, AttemptSpec]>([
    [`${SILENT} for 20 s while connecting.`, makeStalled('connecting')],
    [
      `Everything was sent to ${SERVICE}, but there was no response within 20 s.`,
      makeStalled('waiting', true),
    ],
    ['The name scan.example does not resolve: x', makeBroken({ code: 'ENOTFOUND', text: 'x' })],
    [
      `The connection to ${SERVICE} failed while connecting: refused`,
      makeBroken({ code: 'ECONNREFUSED', text: 'refused' }),
    ],
    ['scan.example:443 speaks TLS, not plain HTTP.', makeBroken({ isTlsRecord: true })],
    [`The certificate of ${SERVICE} is not trusted: expired`, makeBroken(EXPIRED)],
    [`The upload to ${SERVICE} ended without a response.`, {}],
    [`The upload to ${SERVICE} ended without a response.`, { failure: { kind: 'too-long' } }],
    ['broken. This happened while connecting.', makeBroken({}, BUG)],
    [STOPPED, stop(new StepError('files', '', []))],
    [`Cancelled: the scan was not uploaded. ${STOPPED}`, stop(new CancelledError('SIGINT'))],
    [
      `Cancelled: the upload is unconfirmed. It ended. This happened ${READING}.`,
      stop(new CancelledError('SIGINT'), { state: 'reading', isSent: true }),
    ],
  ])('is described: row %#', (text, spec) => {
    expect(describeEnd(spec)).toBe(text);
  });

  test.each<[string, AttemptSpec]>([
    [`${SILENT} ${WAY} for 20 s while connecting.`, makeStalled('connecting')],
    [
      `The connection to ${SERVICE} ${WAY} failed while the files were being sent, after 9 of 30 MiB: closed`,
      makeBroken({ text: 'closed' }, SENDING),
    ],
    [
      `The connection to ${SERVICE} ${WAY} failed after everything was sent, before a response arrived: closed`,
      makeBroken({ text: 'closed' }, WAITING),
    ],
    [
      'The certificate of the proxy proxy.example:3128 is not trusted: expired',
      makeBroken({ isOfProxy: true, ...EXPIRED }),
    ],
    [
      `${PROXY} opened no connection to scan.example:443: refused`,
      makeBroken({ isOfProxy: true, text: 'refused' }),
    ],
    [
      `${PROXY} refused the connection to scan.example:443: HTTP 407 Proxy Authentication Required.`,
      refuseConnect(407),
    ],
    [`${PROXY} could not reach scan.example:443: HTTP 502 Bad Gateway.`, refuseConnect(502)],
  ])('is described, through a proxy: row %#', (text, spec) => {
    expect(describeEnd(spec, { ...PROXIED, bodyBytes: 30 * 2 ** 20 })).toBe(text);
  });
});
