import { describe, expect, test } from '@jest/globals';
import { showText } from '../../src/redaction/gate.ts';
import { hide } from '../../src/redaction/clean.ts';
import { CancelledError, StepError } from '../../src/errors.ts';
import type { UploadFacts } from '../../src/service/settings.ts';
import { makeResponse } from '../support/attempts.ts';
import type { AttemptSpec, ResponseSpec } from '../support/attempts.ts';
import { PROXIED, connect, describeEnd, refuse, stall } from '../support/endings.ts';

const PROXY = 'The proxy proxy.example:3128';
const WAY = '(through the proxy proxy.example:3128)';
const SERVICE = 'https://scan.example';
const SENDING = { state: 'sending', sentBytes: 9 * 2 ** 20 } as const;
const WAITING = { state: 'waiting', isSent: true, sentBytes: 1500 } as const;
const EXPIRED = { code: 'CERT_HAS_EXPIRED', text: 'expired' };
const BUG = { failure: { kind: 'unexpected', text: 'broken' } } as const;
const MORE = ['Line two', 'Line three', 'Line four', 'Line five'];
const CHALLENGE = { headers: { 'cf-mitigated': 'challenge' } };
const PAGE =
  'The response (HTTP 200 OK) is a web page, not a response of the service: nothing was accepted.';
const EARLY = `${SERVICE} responded with HTTP 200 OK`;
const RESPONSE = `The response of ${SERVICE} (HTTP 200 OK)`;
const UNREADABLE = 'cannot be read: it is neither text nor XML, nor JSON that is whole.';
const BROKEN = `${RESPONSE} is not complete.`;
const READING = 'while the response was being read';
const REFUSED = `${PROXY} refused the connection to scan.example:443`;
const CUT = { response: { complete: false } };

function stop(situation: 'files' | 'cancelled', state: 'connecting' | 'reading'): AttemptSpec {
  const error =
    situation === 'files' ? new StepError('files', '', []) : new CancelledError('SIGINT');
  return { failure: { kind: 'step', error, text: 'It ended.' }, isSent: false, state };
}

/** The response of a proxy to CONNECT. */
function refuseConnect(response: ResponseSpec): AttemptSpec {
  return connect({ isOfProxy: true, proxyResponse: makeResponse(response) });
}

/** A 401 with a challenge. */
function challenge(header: string, body = ''): AttemptSpec {
  return refuse({ status: 401, headers: { 'www-authenticate': header }, body });
}

function webPage(body: string): AttemptSpec {
  return { response: { kind: 'web-page', body } };
}

function say(...lines: readonly string[]): readonly string[] {
  return lines.map((line) => `The page says: ${line}`);
}

function redirect(location: string): AttemptSpec {
  return refuse({ status: 307, headers: { location } });
}

describe('an attempt with a response', () => {
  test.each<[AttemptSpec, readonly string[]]>([
    // A problem speaks for itself; other texts follow their status.
    [refuse({ body: '{"title":"T.","detail":"D.","errors":{"a":["x"]}}' }), ['D.', 'a: x', 'T.']],
    [refuse({ body: '{"detail":""}' }), ['HTTP 400 Bad Request']],
    [refuse(), ['HTTP 400 Bad Request']],
    [refuse({ body: '{"message":"no"}' }), ['HTTP 400 Bad Request: no']],
    [refuse({ body: '<p>It&#39;s <b>over</b>.<br>x' }), ["HTTP 400 Bad Request: It's over.", 'x']],
    [refuse({ status: 524, body: 'x' }), ['HTTP 524: x']],
    [refuse({ status: 413 }), ['HTTP 413 Payload Too Large']],
    // A 401 shows its challenge, unless that has a description.
    [challenge('ApiKey'), ['HTTP 401 Unauthorized', 'The service asks for: ApiKey']],
    [challenge('ApiKey', 'No.'), ['HTTP 401 Unauthorized: No.', 'The service asks for: ApiKey']],
    [challenge('Bearer error_description="Too old"'), ['HTTP 401 Unauthorized: Too old']],
    [refuse({ status: 403, headers: { 'www-authenticate': 'ApiKey' } }), ['HTTP 403 Forbidden']],
    // A success that does not count.
    [{ response: { body: '{"detail":"Quota.","status":400}' } }, ['Quota.']],
    [webPage('<title>Sign in</title>\n<p>x'), [PAGE, ...say('Sign in', 'x')]],
    [
      webPage(`<p>Denied here<br>${MORE.join('<br>')}<p>Support id: 7`),
      [PAGE, ...say('Denied here', ...MORE, 'Support id: 7')],
    ],
    ...['200 OK', '403 Forbidden'].map((name): [AttemptSpec, readonly string[]] => [
      { response: { ...CHALLENGE, status: Number(name.slice(0, 3)), body: '<p>Just a moment...' } },
      [
        `The firewall of Cloudflare in front of ${SERVICE} responded with a challenge (HTTP ${name}), which only a browser can pass: nothing was accepted.`,
        ...say('Just a moment...'),
      ],
    ]),
    [{ response: {}, isSent: false }, [`${EARLY} before everything was sent.`]],
    [
      { response: {}, digests: undefined },
      [`${EARLY} before the connection had taken everything.`],
    ],
    [
      { response: { kind: 'other', headers: { 'content-encoding': 'zstd' } } },
      [`The response of ${SERVICE} (HTTP 200 OK, zstd) ${UNREADABLE}`],
    ],
    [
      { response: { kind: 'endless' } },
      [`${RESPONSE} ended with its connection, so that it may not be whole.`],
    ],
    [{ failure: { kind: 'too-long' }, ...CUT }, [`${RESPONSE} is too long: more than 1 MiB.`]],
    [
      { ...connect({ text: 'aborted' }), isSent: true, state: 'reading', ...CUT },
      [`${BROKEN} The connection to ${SERVICE} failed ${READING}: aborted`],
    ],
    [
      { ...stall('reading', true), ...CUT },
      [`${BROKEN} No data was sent to or received from ${SERVICE} for 20 s ${READING}.`],
    ],
  ])('for %j is %j', (spec, lines) => {
    const { headline, details } = describeEnd(spec);
    expect([headline, ...details]).toEqual(lines);
  });

  test.each([
    ['https://new.example/v1/a?x=1#y', 'https://new.example/v1/a'],
    ['/login?next=%2F', `${SERVICE}/login`],
    ['//new.example:8443/a;id=1/b;jsessionid=2', 'https://new.example:8443/a/b'],
    ['https://user:pass@login.example/', 'https://login.example'],
    [`/${'a'.repeat(200)}`, `${SERVICE}/${'a'.repeat(177)} …`],
  ])('names as the target of a redirect for %s only %s', (location, target) => {
    const { headline } = describeEnd(redirect(location));
    expect(headline).toBe(
      `${SERVICE} redirects to ${target} (HTTP 307 Temporary Redirect); redirects are not followed.`,
    );
  });

  test('hides a secret that the parameters in the target of a redirect divided', () => {
    hide('path/secret');
    const { headline } = describeEnd(redirect('/path;id=1/secret'));
    expect(showText(headline)).toContain(`${SERVICE}/*** (`);
  });

  test.each(['', 'http://[', 'mailto:a@b.example', 'app:/v1/scanner/upload-file'])(
    'says that the target %j of a redirect is not usable',
    (location) => {
      const { headline } = describeEnd(redirect(location));
      expect(headline).toMatch(/HTTP 307 Temporary Redirect without a usable target\.$/);
    },
  );
});

describe('an attempt without a response', () => {
  test.each<[AttemptSpec, string, Partial<UploadFacts>?]>([
    [stall('resolving'), `${SERVICE} for 20 s while the host name was being looked up.`],
    [
      stall('tunnelling'),
      `No data was sent to or received from ${SERVICE} ${WAY} for 20 s while the proxy was opening a tunnel.`,
      PROXIED,
    ],
    [
      stall('waiting', true),
      `Everything was sent to ${SERVICE}, but there was no response within 20 s.`,
    ],
    [connect({ code: 'ENOTFOUND', text: 'x' }), 'The name scan.example does not resolve: x'],
    [
      connect({ code: 'ECONNREFUSED', text: 'refused' }),
      `The connection to ${SERVICE} failed while connecting: refused`,
    ],
    [
      connect({ text: 'closed' }, SENDING),
      `The connection to ${SERVICE} ${WAY} failed while the files were being sent, after 9 of 30 MiB: closed`,
      { ...PROXIED, bodyBytes: 30 * 2 ** 20 },
    ],
    [
      connect({ text: 'closed' }, WAITING),
      `The connection to ${SERVICE} ${WAY} failed after everything was sent, before a response arrived: closed`,
      PROXIED,
    ],
    [connect({ isTlsRecord: true }), 'scan.example:443 speaks TLS, not plain HTTP.'],
    [connect(EXPIRED), `The certificate of ${SERVICE} is not trusted: expired`],
    [
      connect({ isOfProxy: true, ...EXPIRED }),
      'The certificate of the proxy proxy.example:3128 is not trusted: expired',
      PROXIED,
    ],
    [
      connect({ isOfProxy: true, text: 'refused' }),
      `${PROXY} opened no connection to scan.example:443: refused`,
      PROXIED,
    ],
    [
      refuseConnect({ status: 407 }),
      `${REFUSED}: HTTP 407 Proxy Authentication Required.`,
      PROXIED,
    ],
    [
      refuseConnect({ status: 502, body: '<p>No route' }),
      `${PROXY} could not reach scan.example:443: HTTP 502 Bad Gateway.\nThe proxy says: No route`,
      PROXIED,
    ],
    [{}, `The upload to ${SERVICE} ended without a response.`],
    [connect({}, BUG), 'broken. This happened while connecting.'],
    [stop('files', 'connecting'), 'It ended. This happened while connecting.'],
    [
      stop('cancelled', 'connecting'),
      'Cancelled: the scan was not uploaded. It ended. This happened while connecting.',
    ],
    [
      { ...stop('cancelled', 'reading'), isSent: true },
      `Cancelled: the upload is unconfirmed. It ended. This happened ${READING}.`,
    ],
  ])('for %j ends with %j, with %j', (spec, lines, settings = {}) => {
    const { headline, details } = describeEnd(spec, settings);
    const text = [headline, ...details].join('\n');
    expect(text.slice(-lines.length)).toBe(lines);
  });
});
