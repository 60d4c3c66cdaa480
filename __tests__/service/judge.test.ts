import { describe, expect, test } from '@jest/globals';
import { StepError, TimeLimitError } from '../../src/errors.ts';
import type { AttemptFailure, ConnectionError } from '../../src/service/attempt.ts';
import { IIS_BODY_BYTES, findSituation, followAttempt } from '../../src/service/judge.ts';
import type { JudgeSettings } from '../../src/service/judge.ts';
import type { Situation } from '../../src/situations.ts';
import { makeAttempt, makeConnectionError, makeResponse } from '../support/attempts.ts';
import type { AttemptSpec, ResponseSpec } from '../support/attempts.ts';

const DIRECT: JudgeSettings = { bodyBytes: 1500, isSecure: false, proxyHost: undefined };
const PROXIED = { ...DIRECT, proxyHost: 'proxy.example:3128' };
const SECURE = { ...DIRECT, isSecure: true };
const PROBLEM = { body: '{"detail":"No."}' };
const HTML = { 'content-type': 'text/html' };
const CHALLENGE = { 'www-authenticate': 'Bearer' };
const ALWAYS = Number.POSITIVE_INFINITY;

/** Situation, result, retries, reason. */
type Verdict = readonly [Situation | undefined, string, number, string];

const ACCEPTED: Verdict = [undefined, 'accepted', 0, 'internal'];
const PAGE: Verdict = ['web-page', 'rejected', 0, 'web-page'];
const EARLY: Verdict = ['early-success', 'not-sent', 0, 'connection'];
const REDIRECT: Verdict = ['redirect', 'rejected', 0, 'redirect'];
const INVALID: Verdict = ['invalid', 'rejected', 0, 'refused'];
const FORBIDDEN: Verdict = ['forbidden', 'rejected', 0, 'credentials'];
const ASKED: Verdict = ['client-certificate-asked', 'rejected', 0, 'certificate'];
const NOT_FOUND: Verdict = ['not-found', 'rejected', 0, 'refused'];
const REFUSED: Verdict = ['refused', 'rejected', 0, 'refused'];
const TOO_LARGE: Verdict = ['too-large', 'rejected', 0, 'too-large'];
const FAILED: Verdict = ['service-failed', 'rejected', 3, 'unavailable'];
const UNAVAILABLE: Verdict = ['unavailable', 'rejected', ALWAYS, 'unavailable'];
const LATE: Verdict = ['gateway-timeout', 'unconfirmed', 2, 'unavailable'];
const NAME: Verdict = ['name-unknown', 'not-sent', 5, 'name'];
const CONNECT: Verdict = ['connect-failed', 'not-sent', 5, 'connection'];
const TLS: Verdict = ['tls-failed', 'not-sent', 0, 'connection'];
const CLIENT: Verdict = ['client-certificate', 'not-sent', 0, 'certificate'];
const NOT_HTTP: Verdict = ['not-http', 'not-sent', 0, 'connection'];
const PROXY_FAILED: Verdict = ['proxy-failed', 'not-sent', 5, 'proxy'];
const PROXY_REFUSED: Verdict = ['proxy-refused', 'not-sent', 0, 'proxy'];
const PROXY_CREDENTIALS: Verdict = ['proxy-credentials', 'not-sent', 0, 'proxy'];
const BROKEN: Verdict = ['connection-broken', 'not-sent', ALWAYS, 'connection'];
const LOST: Verdict = ['response-lost', 'unconfirmed', ALWAYS, 'connection'];
const UNREADABLE: Verdict = ['response-unreadable', 'unconfirmed', 0, 'connection'];
const SILENT: Verdict = ['response-silent', 'unconfirmed', 0, 'stalled'];
const STALLED: Verdict = ['stalled', 'not-sent', ALWAYS, 'stalled'];
const STALLED_SENT: Verdict = ['stalled', 'unconfirmed', ALWAYS, 'stalled'];
const UNEXPECTED: Verdict = ['unexpected', 'unconfirmed', 0, 'internal'];

const LIMIT = { failure: { kind: 'limit', limitMs: 1000 } } as const;
const TIME_LIMIT = {
  failure: { kind: 'step', error: new TimeLimitError(1), text: '' },
} as const;

function page(text: string): Pick<ResponseSpec, 'headers' | 'body'> {
  return { headers: HTML, body: `<html><title>${text}</title></html>` };
}

function json(message: string): Pick<ResponseSpec, 'body'> {
  return { body: JSON.stringify({ message }) };
}

function judge(spec: AttemptSpec, settings = DIRECT): Verdict {
  const attempt = makeAttempt(spec);
  const situation = findSituation(attempt, settings);
  const { result, retries, reason } = followAttempt(situation, attempt);
  return [situation, result, retries, reason];
}

function fail(error: Partial<ConnectionError>): { readonly failure: AttemptFailure } {
  return { failure: { kind: 'connection', error: makeConnectionError(error) } };
}

describe('findSituation of a 2xx response', () => {
  test.each<[AttemptSpec, Verdict]>([
    [{ response: {} }, ACCEPTED],
    [{ response: { status: 299 } }, ACCEPTED],
    [{ response: { kind: 'problem' } }, ['success-refused', 'rejected', 0, 'refused']],
    [
      { response: { body: '{"detail":"No.","status":400}' } },
      ['success-refused', 'rejected', 0, 'problem'],
    ],
    [{ response: { kind: 'json' } }, ['success-refused', 'rejected', 0, 'refused']],
    [{ response: { kind: 'web-page' } }, PAGE],
    [{ response: { kind: 'other' } }, UNREADABLE],
    [{ response: { complete: false } }, LOST],
    [{ ...LIMIT, response: { complete: false } }, STALLED_SENT],
    [{ failure: { kind: 'too-long' }, response: { complete: false } }, UNREADABLE],
    [
      { ...TIME_LIMIT, response: { complete: false } },
      ['time-limit', 'unconfirmed', 0, 'time-limit'],
    ],
    [{ ...TIME_LIMIT, isSent: false, response: {} }, ['time-limit', 'not-sent', 0, 'time-limit']],
    [{ isSent: false, response: {} }, EARLY],
    [{ isSent: false, response: { headers: HTML } }, PAGE],
    // Over TLS: the last piece was handed over, but its write failed, or did not end.
    [
      { ...fail({ code: 'EPIPE' }), digests: undefined, response: {} },
      ['early-success', 'unconfirmed', 0, 'connection'],
    ],
    [
      { ...LIMIT, digests: undefined, response: {} },
      ['early-success', 'unconfirmed', 0, 'connection'],
    ],
    [{ digests: undefined, response: { headers: HTML } }, PAGE],
  ])('reads %j as %j', (spec, verdict) => {
    expect(judge(spec)).toEqual(verdict);
  });
});

describe('findSituation of a refusal', () => {
  test.each<[ResponseSpec, Verdict]>([
    [{ status: 300 }, REDIRECT],
    [{ status: 308 }, REDIRECT],
    ...[400, 409, 422].map((status): [ResponseSpec, Verdict] => [{ status }, INVALID]),
    [{ status: 400, ...PROBLEM }, ['invalid', 'rejected', 0, 'problem']],
    [{ status: 401, ...PROBLEM }, ['credential-rejected', 'rejected', 0, 'credentials']],
    [{ status: 403, ...PROBLEM }, FORBIDDEN],
    [{ status: 403 }, FORBIDDEN],
    [{ status: 403, body: 'RBAC: access denied' }, FORBIDDEN],
    [{ status: 403, ...page('Blocked by the firewall') }, FORBIDDEN],
    [{ status: 403, ...page('CSRF verification failed.') }, FORBIDDEN],
    [{ status: 403, ...page('No client certificate') }, ASKED],
    [{ status: 403, ...page('Cannot perform Post-Handshake Authentication.') }, ASKED],
    [
      { status: 403, ...page('No client certificate'), headers: { ...HTML, ...CHALLENGE } },
      FORBIDDEN,
    ],
    [{ status: 403, body: 'No client certificate' }, FORBIDDEN],
    [{ status: 403, ...json('No client certificate') }, FORBIDDEN],
    [{ status: 404 }, NOT_FOUND],
    [{ status: 404, ...PROBLEM }, ['not-found', 'rejected', 0, 'problem']],
    [{ status: 408 }, ['request-timeout', 'rejected', ALWAYS, 'refused']],
    [{ status: 413 }, TOO_LARGE],
    [{ status: 425 }, UNAVAILABLE],
    [{ status: 429 }, ['rate-limited', 'rejected', ALWAYS, 'rate-limited']],
    [{ status: 500 }, FAILED],
    [{ status: 500, body: '{"status":500,"error":"Internal Server Error"}' }, FAILED],
    [{ status: 500, ...PROBLEM }, ['service-problem', 'rejected', 0, 'problem']],
    [{ status: 503 }, UNAVAILABLE],
    [{ status: 503, ...PROBLEM }, UNAVAILABLE],
    [{ status: 503, body: 'no healthy upstream' }, UNAVAILABLE],
    ...[405, 415, 418, 419, 501, 505].map((status): [ResponseSpec, Verdict] => [
      { status },
      REFUSED,
    ]),
    ...[502, 520, 521, 522, 523].map((status): [ResponseSpec, Verdict] => [
      { status },
      ['gateway-failed', 'unconfirmed', ALWAYS, 'unavailable'],
    ]),
    [{ status: 504 }, LATE],
    [{ status: 524 }, LATE],
    ...[
      'upstream connect error. reset reason: connection termination',
      'Backend fetch failed',
      'server closed connection',
      'Error reading from remote server',
    ].flatMap((body) =>
      [502, 503, 504].map((status): [ResponseSpec, Verdict] => [
        { status, body },
        ['gateway-interrupted', 'unconfirmed', 1, 'unavailable'],
      ]),
    ),
    [{ status: 500, body: 'Backend fetch failed' }, FAILED],
  ])('reads %j as %j', (response, verdict) => {
    expect(judge({ response })).toEqual(verdict);
    // The status of a refusal decides, even if its body is incomplete; only its last word is not read.
    const isJson = response.body?.startsWith('{') === true;
    const ending = /(?:<\/title><\/html>)?$/;
    const body = isJson ? response.body : (response.body ?? '').replace(ending, ' and');
    const cut = { ...response, ...(response.body && { body }), complete: false };
    expect(judge({ ...LIMIT, response: cut })).toEqual(verdict);
  });

  test.each([
    'http: request body too large',
    'Multipart body length limit 9 exceeded.',
    'MulterError: File too large',
    'The payload is too big.',
    'Maximum upload size exceeded',
    'A payload reached size limit.',
    'The request was rejected because its size (2) exceeds the configured maximum (1)',
    'It is configured to deny a request that exceeds the request content length.',
    'Request body exceeded settings.DATA_UPLOAD_MAX_MEMORY_SIZE.',
    'The request was larger than 9 bytes.',
  ])('reads a 400, 404 or 500 with the text %j as too large, no other status', (text) => {
    for (const status of [400, 404]) {
      expect(judge({ response: { status, body: text } })).toEqual(TOO_LARGE);
    }
    const body = JSON.stringify({ detail: text });
    expect(judge({ response: { status: 500, body } })).toEqual(TOO_LARGE);
    expect(judge({ response: { status: 422, body: text } })).toEqual(INVALID);
  });

  test.each<[ResponseSpec, Verdict, Verdict]>([
    [
      page('The plain HTTP request was sent to HTTPS port'),
      ['https-required', 'rejected', 0, 'refused'],
      ASKED,
    ],
    [{ body: 'This port needs SSL.' }, ['https-required', 'rejected', 0, 'refused'], ASKED],
    [{ body: 'See https://docs.example' }, INVALID, INVALID],
    [{ body: 'The name is too long' }, INVALID, INVALID],
    [json('The link must use HTTPS'), INVALID, INVALID],
  ])('reads a 400 with %j to http:// as %j, to https:// as %j', (spec, plain, secure) => {
    expect(judge({ response: { status: 400, ...spec } })).toEqual(plain);
    expect(judge({ response: { status: 400, ...spec } }, SECURE)).toEqual(secure);
  });

  test('reads a 404 of IIS to a body above its default limit as too large', () => {
    const large = { ...DIRECT, bodyBytes: IIS_BODY_BYTES + 1 };
    const iis = { response: { status: 404, headers: { server: 'Microsoft-IIS/10.0' } } };
    expect(judge(iis, { ...DIRECT, bodyBytes: IIS_BODY_BYTES })).toEqual(NOT_FOUND);
    expect(judge(iis, large)).toEqual(TOO_LARGE);
    expect(judge({ response: { status: 404 } }, large)).toEqual(NOT_FOUND);
  });

  test.each<[ResponseSpec, Verdict]>([
    [{ status: 503, body: 'Backend fetch failed' }, UNAVAILABLE],
    [{ status: 502 }, ['gateway-failed', 'rejected', ALWAYS, 'unavailable']],
    [{ status: 504 }, ['gateway-timeout', 'rejected', 2, 'unavailable']],
  ])('knows that a gateway cannot have passed on a part of the upload: %j', (response, verdict) => {
    expect(judge({ isSent: false, response })).toEqual(verdict);
  });
});

describe('findSituation without a response', () => {
  test.each<[AttemptSpec, Verdict]>([
    [{ ...LIMIT, state: 'resolving', isSent: false }, NAME],
    [{ ...LIMIT, state: 'connecting', isSent: false }, CONNECT],
    [{ ...LIMIT, state: 'tunnelling', isSent: false }, PROXY_FAILED],
    [{ ...LIMIT, state: 'asking', isSent: false }, STALLED],
    [{ ...LIMIT, state: 'sending', isSent: false }, STALLED],
    [{ ...LIMIT, state: 'flushing' }, STALLED_SENT],
    [{ ...LIMIT, state: 'waiting' }, SILENT],
    [{ failure: { kind: 'too-long' } }, UNREADABLE],
    [{ failure: { kind: 'unexpected', text: 'no' } }, UNEXPECTED],
    [{}, UNEXPECTED],
    [
      { failure: { kind: 'step', error: new StepError('files', 'x'), text: 'x' } },
      ['files', 'not-sent', 0, 'files'],
    ],
    [
      { failure: { kind: 'step', error: new StepError('oidc-failed', 'x'), text: 'x' } },
      ['oidc-failed', 'not-sent', ALWAYS, 'credentials'],
    ],
    [TIME_LIMIT, ['time-limit', 'unconfirmed', 0, 'time-limit']],
  ])('reads %j as %j', (spec, verdict) => {
    expect(judge(spec)).toEqual(verdict);
  });

  test.each<[Partial<ConnectionError>, Verdict]>([
    [{ code: 'ENOTFOUND' }, NAME],
    [{ code: 'EAI_AGAIN' }, NAME],
    [{ code: 'EAI_NONAME' }, NAME],
    [{ code: 'ECONNREFUSED' }, CONNECT],
    [{ code: 'EHOSTUNREACH' }, CONNECT],
    [{ code: 'ECONNRESET' }, CONNECT],
    [{ code: 'EPROTO' }, TLS],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, TLS],
    [{ code: 'ERR_TLS_X' }, TLS],
    [{ code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', alert: 40 }, CLIENT],
    [{ code: 'HPE_INVALID_CONSTANT' }, NOT_HTTP],
    [{ code: 'HPE_INVALID_CONSTANT', isTlsRecord: true }, NOT_HTTP],
    [{ code: 'HPE_INVALID_EOF_STATE' }, CONNECT],
    ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CRL_HAS_EXPIRED'].map(
      (code): [Partial<ConnectionError>, Verdict] => [
        { code },
        ['certificate-date', 'not-sent', 0, 'certificate'],
      ],
    ),
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'].map(
      (code): [Partial<ConnectionError>, Verdict] => [
        { code },
        ['certificate-name', 'not-sent', 0, 'certificate'],
      ],
    ),
    ...[
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_SIGNATURE_FAILURE',
      'INVALID_CA',
      'INVALID_PURPOSE',
      'PATH_LENGTH_EXCEEDED',
    ].flatMap((code) =>
      [false, true].map((isProxys): [Partial<ConnectionError>, Verdict] => [
        { code, isProxys },
        ['certificate-untrusted', 'not-sent', 0, 'certificate'],
      ]),
    ),
    ...['ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'EPROTO', 'HPE_INVALID_CONSTANT'].map(
      (code): [Partial<ConnectionError>, Verdict] => [{ isProxys: true, code }, PROXY_FAILED],
    ),
    [{ isProxys: true, code: 'EPROTO', alert: 42 }, PROXY_FAILED],
  ])('reads the error %j while connecting as %j', (error, verdict) => {
    expect(judge({ ...fail(error), state: 'connecting', isSent: false })).toEqual(verdict);
  });

  test.each<[readonly number[], Verdict]>([
    [[401, 407], PROXY_CREDENTIALS],
    [[302, 403, 501], PROXY_REFUSED],
    [[500, 502, 503, 504], PROXY_FAILED],
  ])('reads the responses %j of a proxy as %j', (statuses, verdict) => {
    for (const status of statuses) {
      const error = fail({ isProxys: true, proxyResponse: makeResponse({ status }) });
      expect(judge({ ...error, state: 'tunnelling', isSent: false }, PROXIED)).toEqual(verdict);
    }
  });

  test('tells a tunnel that ended while connecting from a connection that failed', () => {
    const reset = { ...fail({ code: 'ECONNRESET' }), isSent: false };
    expect(judge({ ...reset, state: 'connecting' }, PROXIED)).toEqual(PROXY_FAILED);
    expect(judge({ ...reset, state: 'sending' }, PROXIED)).toEqual(BROKEN);
    expect(judge({ ...LIMIT, state: 'connecting', isSent: false }, PROXIED)).toEqual(CONNECT);
    const other = { ...fail({ code: 'ETIMEDOUT' }), isSent: false };
    expect(judge({ ...other, state: 'connecting' }, PROXIED)).toEqual(CONNECT);
  });

  test.each([
    [40, CLIENT],
    [41, CLIENT],
    [42, CLIENT],
    [46, CLIENT],
    [49, CLIENT],
    [116, CLIENT],
    [39, LOST],
    [50, LOST],
    [115, LOST],
    [117, LOST],
  ])('reads the alert %i after everything was sent as %j', (alert, verdict) => {
    expect(judge(fail({ code: 'ERR_SSL_TLSV13_ALERT', alert }))).toEqual(verdict);
  });

  test('tells a connection that broke before everything was sent from one that lost the response', () => {
    const reset = fail({ code: 'ECONNRESET' });
    expect(judge({ ...reset, state: 'sending', isSent: false })).toEqual(BROKEN);
    expect(judge({ ...reset, state: 'flushing', isSent: true })).toEqual(LOST);
    // TLS errors after connecting are a broken connection.
    const tls = fail({ code: 'ERR_SSL_BAD_RECORD_TYPE' });
    expect(judge({ ...tls, state: 'sending', isSent: false })).toEqual(BROKEN);
    const protocol = ['not-http', 'unconfirmed', 0, 'connection'];
    expect(judge(fail({ code: 'HPE_INVALID_CONSTANT' }))).toEqual(protocol);
  });
});
