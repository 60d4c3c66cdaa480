import { describe, expect, test } from '@jest/globals';
import { StepError, TimeLimitError } from '../../src/errors.ts';
import type { AttemptFailure, ConnectionError } from '../../src/service/attempt.ts';
import {
  IIS_BODY_BYTES,
  findSituation,
  followAttempt,
  judgeCertificate,
} from '../../src/service/judge.ts';
import type { JudgeSettings } from '../../src/service/judge.ts';
import type { Situation } from '../../src/situations.ts';
import { makeAttempt, makeConnectionError, makeResponse } from '../support/attempts.ts';
import type { AttemptSpec, ResponseSpec } from '../support/attempts.ts';

const DIRECT: JudgeSettings = {
  bodyBytes: 1500,
  hasClientCertificate: false,
  isSecure: false,
  proxyHost: undefined,
};
const PROXIED = { ...DIRECT, proxyHost: 'proxy.example:3128' };
const PROBLEM = { body: '{"detail":"No."}' };
const FRAMEWORKS_PROBLEM = {
  body: '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found"}',
};
const PAGE = { headers: { 'content-type': 'text/html' }, body: '<html></html>' };
const CHALLENGE = { 'www-authenticate': 'Bearer' };
const SECURE = { ...DIRECT, isSecure: true };

function page(text: string): Pick<ResponseSpec, 'headers' | 'body'> {
  return { ...PAGE, body: `<html><title>${text}</title></html>` };
}

function json(message: string): Pick<ResponseSpec, 'body'> {
  return { body: JSON.stringify({ message }) };
}

function judge(spec: AttemptSpec, settings = DIRECT): Situation | undefined {
  return findSituation(makeAttempt(spec), settings);
}

function respond(response: ResponseSpec, settings = DIRECT): Situation | undefined {
  return judge({ response }, settings);
}

function fail(error: Partial<ConnectionError>): { readonly failure: AttemptFailure } {
  return { failure: { kind: 'connection', error: makeConnectionError(error) } };
}

const LIMIT = { failure: { kind: 'limit', limitMs: 1000 } } as const;

describe('findSituation of a response', () => {
  test('counts only a whole 2xx response without a problem or a page, after everything was sent', () => {
    expect(respond({})).toBeUndefined();
    expect(respond({ status: 299 })).toBeUndefined();
  });

  test.each<[AttemptSpec, Situation]>([
    [{ response: { kind: 'problem' } }, 'success-problem'],
    [{ response: { kind: 'web-page' } }, 'web-page'],
    [{ response: { kind: 'other' } }, 'response-unreadable'],
    [{ response: { complete: false } }, 'response-truncated'],
    [{ ...LIMIT, response: { complete: false } }, 'response-stalled'],
    [{ failure: { kind: 'too-long' }, response: { complete: false } }, 'response-too-long'],
    [
      {
        failure: { kind: 'step', error: new TimeLimitError(1), text: '' },
        response: { complete: false },
      },
      'time-limit',
    ],
    [{ isSent: false, response: {} }, 'early-success'],
    // Over TLS: the last piece was handed over, but its write failed, or did not end.
    [{ ...fail({ code: 'EPIPE' }), digests: undefined, response: {} }, 'early-success'],
    [{ ...LIMIT, digests: undefined, response: {} }, 'early-success'],
    [{ digests: undefined, response: { headers: PAGE.headers } }, 'web-page'],
    [
      {
        failure: { kind: 'step', error: new TimeLimitError(1), text: '' },
        isSent: false,
        response: {},
      },
      'time-limit',
    ],
    [{ isSent: false, response: { headers: PAGE.headers } }, 'web-page'],
    [{ response: { kind: 'web-page', ...page('Sign in to ACME') } }, 'sign-in-page'],
  ])('does not count the 2xx response of %j: %s', (spec, situation) => {
    expect(judge(spec)).toBe(situation);
  });

  test.each<[ResponseSpec, Situation]>([
    [{ status: 300 }, 'redirect'],
    [{ status: 308 }, 'redirect'],
    [{ status: 400 }, 'bad-request'],
    [{ status: 400, ...PROBLEM }, 'bad-request'],
    [{ status: 400, ...page('Your browser sent an invalid request.') }, 'gateway-refused'],
    [{ status: 401, ...PROBLEM }, 'credential-rejected'],
    [{ status: 403, ...PROBLEM }, 'forbidden'],
    [{ status: 403, ...json('Forbidden') }, 'forbidden'],
    [{ status: 403, ...PAGE, headers: { ...PAGE.headers, ...CHALLENGE } }, 'forbidden'],
    [{ status: 403 }, 'forbidden-unexplained'],
    [{ status: 403, body: 'Access denied' }, 'forbidden-unexplained'],
    [{ status: 403, body: '<?xml version="1.0"?><E>Access denied</E>' }, 'forbidden-unexplained'],
    [{ status: 403, body: 'RBAC: access denied' }, 'gateway-refused'],
    [{ status: 403, body: 'Your IP is not on the allow list' }, 'gateway-refused'],
    [{ status: 403, ...PAGE }, 'gateway-refused'],
    [{ status: 403, body: '<html>403 Forbidden</html>' }, 'gateway-refused'],
    [{ status: 403, ...page('Log in to ACME') }, 'forbidden'],
    [{ status: 403, body: '<html><input name="p" type="password"></html>' }, 'forbidden'],
    [{ status: 403, ...page('No client certificate') }, 'client-certificate-asked'],
    [
      { status: 403, ...page('Cannot perform Post-Handshake Authentication.') },
      'client-certificate-asked',
    ],
    [{ status: 403, ...page('CSRF verification failed.') }, 'csrf-refused'],
    [{ status: 403, body: '{"detail":"CSRF Failed: CSRF token missing."}' }, 'csrf-refused'],
    [{ status: 419, ...json('CSRF token mismatch.') }, 'csrf-refused'],
    [{ status: 404, ...PROBLEM }, 'scan-unknown'],
    [{ status: 404, ...json('scan not found') }, 'scan-unknown'],
    [{ status: 404, body: 'No scan has this key' }, 'scan-unknown'],
    [{ status: 404, ...json('Not Found') }, 'route-unknown'],
    [{ status: 404, ...FRAMEWORKS_PROBLEM }, 'not-found'],
    [
      { status: 404, body: '{"detail":"Not found.","instance":"/v1/scanner/upload-file"}' },
      'not-found',
    ],
    [{ status: 404 }, 'route-unknown'],
    ...[
      'Cannot POST /x',
      '404 page not found',
      'The page you were looking for doesn’t exist',
      'No static resource x.',
      'no Route matched with those values',
      'No route matches [POST] "/x"',
      'Route POST:/x not found',
      'The route x could not be found.',
      'The requested URL was not found on this server.',
      'The requested resource could not be found.',
      'Could not find resource for full path: http://x',
      'POST /v1/scanner/upload-multiple-files is unknown',
    ].flatMap((text): [ResponseSpec, Situation][] => [
      [{ status: 404, body: text }, 'route-unknown'],
      [{ status: 404, body: JSON.stringify({ detail: text }) }, 'route-unknown'],
    ]),
    [{ status: 405 }, 'method-refused'],
    [{ status: 408 }, 'request-timeout'],
    [{ status: 409 }, 'conflict'],
    [{ status: 413 }, 'too-large'],
    [{ status: 415 }, 'type-refused'],
    [{ status: 422 }, 'unprocessable'],
    [{ status: 422, body: '{"errors":{"ScanKey":["is bad"]}}' }, 'bad-request'],
    [{ status: 425 }, 'service-unavailable'],
    [{ status: 429 }, 'rate-limited'],
    [{ status: 500 }, 'service-failed'],
    [{ status: 500, ...PROBLEM }, 'service-problem'],
    [{ status: 500, body: '{"status":500,"error":"Internal Server Error"}' }, 'service-failed'],
    [{ status: 503 }, 'service-unavailable'],
    [{ status: 503, ...PROBLEM }, 'service-unavailable'],
    [{ status: 501 }, 'refused'],
    [{ status: 505 }, 'refused'],
    [{ status: 418 }, 'refused'],
    ...[502, 520, 521, 522, 523].map((status): [ResponseSpec, Situation] => [
      { status },
      'gateway-failed',
    ]),
    [{ status: 504 }, 'gateway-timeout'],
    [{ status: 524 }, 'gateway-timeout'],
    ...[
      'upstream connect error. reset reason: connection termination',
      'Backend fetch failed',
      'server closed connection',
      'Error reading from remote server',
    ].map((body): [ResponseSpec, Situation] => [{ status: 503, body }, 'gateway-interrupted']),
    [{ status: 503, body: 'no healthy upstream' }, 'service-unavailable'],
  ])('reads %j as %s', (response, situation) => {
    expect(respond(response)).toBe(situation);
    // The status of a refusal decides, even if its body is incomplete; only its last word is not read.
    const body = response.body && `${response.body} and`;
    const truncated = { ...response, ...(body && { body }), complete: false };
    const isText = body !== undefined && !/^[<{]/.test(body);
    const shown = isText ? truncated : { ...response, complete: false };
    expect(judge({ ...LIMIT, response: shown })).toBe(situation);
  });

  test.each<[number, string, Situation]>([
    ...[
      'http: request body too large',
      'Multipart body length limit 9 exceeded.',
      'MulterError: File too large',
      'The payload is too big.',
      'Maximum upload size exceeded',
      'A payload reached size limit.',
      'The request was rejected because its size (2) exceeds the configured maximum (1)',
      'Request body exceeded settings.DATA_UPLOAD_MAX_MEMORY_SIZE.',
    ].flatMap((text): [number, string, Situation][] => [
      [400, text, 'too-large'],
      [500, JSON.stringify({ detail: text }), 'too-large'],
      [422, text, 'unprocessable'],
    ]),
    [
      404,
      'It is configured to deny a request that exceeds the request content length.',
      'too-large',
    ],
    [400, 'The name is too long', 'bad-request'],
  ])('reads a %i with the text %j as %s', (status, body, situation) => {
    expect(respond({ status, body })).toBe(situation);
  });

  test.each<[ResponseSpec, Situation, Situation]>([
    [
      page('The plain HTTP request was sent to HTTPS port'),
      'https-required',
      'client-certificate-asked',
    ],
    [page('No required SSL certificate was sent'), 'https-required', 'client-certificate-asked'],
    [{ body: 'This port requires TLS.' }, 'https-required', 'client-certificate-asked'],
    [{ body: 'See https://docs.example' }, 'bad-request', 'bad-request'],
    [json('The link must use HTTPS'), 'bad-request', 'bad-request'],
  ])('reads a 400 with %j to http:// as %s, to https:// as %s', (spec, plain, secure) => {
    expect(respond({ status: 400, ...spec })).toBe(plain);
    expect(respond({ status: 400, ...spec }, SECURE)).toBe(secure);
  });

  test('reads a 404 of IIS to a body above its default limit as too large', () => {
    const large = { ...DIRECT, bodyBytes: IIS_BODY_BYTES + 1 };
    const iis = { status: 404, headers: { server: 'Microsoft-IIS/10.0' } };
    expect(respond(iis, { ...DIRECT, bodyBytes: IIS_BODY_BYTES })).toBe('route-unknown');
    expect(respond(iis, large)).toBe('too-large');
    expect(respond({ status: 404 }, large)).toBe('route-unknown');
  });

  test('reads no interrupted response of a gateway before everything was sent', () => {
    const response = { status: 503, body: 'Backend fetch failed' };
    expect(judge({ isSent: false, response })).toBe('service-unavailable');
  });
});

describe('findSituation without a response', () => {
  test.each<[AttemptSpec, JudgeSettings, Situation]>([
    [{ ...LIMIT, state: 'resolving', isSent: false }, DIRECT, 'name-unanswered'],
    [{ ...LIMIT, state: 'connecting', isSent: false }, DIRECT, 'connect-timeout'],
    [{ ...LIMIT, state: 'connecting', isSent: false }, PROXIED, 'connect-timeout'],
    [{ ...LIMIT, state: 'tunnelling', isSent: false }, PROXIED, 'proxy-timeout'],
    [{ ...LIMIT, state: 'asking', isSent: false }, DIRECT, 'stalled'],
    [{ ...LIMIT, state: 'sending', isSent: false }, DIRECT, 'stalled'],
    [{ ...LIMIT, state: 'flushing', isSent: true }, DIRECT, 'stalled'],
    [{ ...LIMIT, state: 'waiting', isSent: true }, DIRECT, 'response-silent'],
    [{ failure: { kind: 'too-long' } }, DIRECT, 'response-too-long'],
    [{ failure: { kind: 'unexpected', text: 'no' } }, DIRECT, 'unexpected'],
    [
      { failure: { kind: 'step', error: new StepError('file-changed', 'x'), text: 'x' } },
      DIRECT,
      'file-changed',
    ],
  ])('reads %j as %s', (spec, settings, situation) => {
    expect(judge(spec, settings)).toBe(situation);
  });

  test.each<[Partial<ConnectionError>, Situation]>([
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'name-unknown'],
    [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, 'name-unknown'],
    [{ code: 'ECONNREFUSED', syscall: 'connect' }, 'connection-refused'],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'connection-failed'],
    [{ code: 'ECONNRESET', syscall: 'read' }, 'connection-failed'],
    [{ code: 'EPROTO' }, 'tls-failed'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'tls-to-http-port'],
    [{ code: 'ERR_SSL_PACKET_LENGTH_TOO_LONG' }, 'tls-to-http-port'],
    [{ code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', alert: 40 }, 'tls-handshake-refused'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'not-http'],
    [{ code: 'HPE_INVALID_CONSTANT', isTlsRecord: true }, 'http-to-tls-port'],
    [{ code: 'HPE_INVALID_EOF_STATE' }, 'connection-failed'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'certificate-expired'],
    [{ isProxys: true, code: 'ENOTFOUND' }, 'proxy-name-unknown'],
    [{ isProxys: true, code: 'ECONNREFUSED', syscall: 'connect' }, 'proxy-unreachable'],
    [{ isProxys: true, code: 'CERT_HAS_EXPIRED' }, 'proxy-certificate'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 401 }) }, 'proxy-credentials'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 407 }) }, 'proxy-credentials'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 403 }) }, 'proxy-refused'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 302 }) }, 'proxy-refused'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 501 }) }, 'proxy-refused'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 500 }) }, 'proxy-failed'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 502 }) }, 'proxy-failed'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 503 }) }, 'proxy-failed'],
    [{ isProxys: true, proxyResponse: makeResponse({ status: 504 }) }, 'proxy-failed'],
    [{ isProxys: true, code: 'ECONNRESET' }, 'proxy-closed'],
    [{ isProxys: true, code: 'EPIPE', syscall: 'write' }, 'proxy-closed'],
    [{ isProxys: true, code: 'ECONNRESET', syscall: 'connect' }, 'proxy-unreachable'],
    [{ isProxys: true, code: 'HPE_INVALID_CONSTANT' }, 'proxy-unreachable'],
  ])('reads the error %j while connecting as %s', (error, situation) => {
    expect(judge({ ...fail(error), state: 'connecting', isSent: false })).toBe(situation);
  });

  test.each<[string, Situation]>([
    ['CERT_NOT_YET_VALID', 'certificate-not-yet-valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate-other-name'],
    ['HOSTNAME_MISMATCH', 'certificate-other-name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate-self-signed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate-unknown-issuer'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate-unknown-issuer'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate-unknown-issuer'],
    ['CERT_SIGNATURE_FAILURE', 'certificate-invalid'],
    ['INVALID_PURPOSE', 'certificate-invalid'],
    ['PATH_LENGTH_EXCEEDED', 'certificate-invalid'],
  ])('reads the certificate error %s as %s', (code, situation) => {
    expect(judgeCertificate(code)).toBe(situation);
  });

  test('tells a tunnel that ended while connecting from a connection that failed', () => {
    const reset = { ...fail({ code: 'ECONNRESET', syscall: 'read' }), isSent: false };
    expect(judge({ ...reset, state: 'connecting' }, PROXIED)).toBe('proxy-closed');
    expect(judge({ ...reset, state: 'sending' }, PROXIED)).toBe('connection-broken');
    const other = { ...fail({ code: 'ETIMEDOUT' }), isSent: false };
    expect(judge({ ...other, state: 'connecting' }, PROXIED)).toBe('connection-failed');
  });

  test.each([40, 41, 42, 46, 49, 116])(
    'reads the alert %i as one about the client certificate, even after everything was sent',
    (alert) => {
      const spec = fail({ code: 'ERR_SSL_TLSV13_ALERT', alert });
      expect(judge(spec)).toBe('client-certificate-missing');
      const settings = { ...DIRECT, hasClientCertificate: true };
      expect(judge(spec, settings)).toBe('client-certificate-refused');
    },
  );

  test.each([39, 50, 115, 117])('does not read the alert %i as one', (alert) => {
    expect(judge(fail({ code: 'ECONNRESET', alert }))).toBe('response-lost');
  });

  test('tells a connection that broke before everything was sent from one that lost the response', () => {
    const reset = fail({ code: 'ECONNRESET', syscall: 'write' });
    expect(judge({ ...reset, state: 'sending', isSent: false })).toBe('connection-broken');
    expect(judge({ ...reset, state: 'flushing', isSent: true })).toBe('response-lost');
    // TLS errors after connecting are a broken connection.
    const tls = fail({ code: 'ERR_SSL_BAD_RECORD_TYPE' });
    expect(judge({ ...tls, state: 'sending', isSent: false })).toBe('connection-broken');
  });
});

describe('followAttempt', () => {
  test.each<[Situation | undefined, boolean, string, number]>([
    [undefined, true, 'accepted', 0],
    ['gateway-failed', false, 'rejected', Number.POSITIVE_INFINITY],
    ['gateway-failed', true, 'unconfirmed', Number.POSITIVE_INFINITY],
    ['gateway-timeout', true, 'unconfirmed', 2],
    ['gateway-interrupted', true, 'unconfirmed', 1],
    ['time-limit', false, 'not-sent', 0],
    ['time-limit', true, 'unconfirmed', 0],
    ['not-http', true, 'unconfirmed', 0],
    ['http-to-tls-port', true, 'unconfirmed', 0],
    // The service has read nothing, even if everything was sent.
    ['client-certificate-missing', true, 'not-sent', 0],
    ['name-unknown', false, 'not-sent', 5],
    ['service-failed', true, 'rejected', 3],
    ['response-silent', true, 'unconfirmed', 0],
    ['early-success', false, 'not-sent', 0],
    ['early-success', true, 'unconfirmed', 0],
    ['proxy-closed', false, 'not-sent', 5],
  ])(
    'returns for %s, sent: %s, the result %s and %d retries',
    (situation, isSent, result, retries) => {
      expect(followAttempt(situation, makeAttempt({ isSent }))).toMatchObject({
        result,
        retries,
      });
    },
  );

  test('gives a refusal with a problem a reason of its own', () => {
    const [bare, own] = [{}, PROBLEM].map((response) =>
      followAttempt('bad-request', makeAttempt({ response: { status: 400, ...response } })),
    );
    expect([bare?.reason, own?.reason]).toEqual(['refused', 'problem']);
  });
});
