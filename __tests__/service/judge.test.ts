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
import { makeRawAttempt } from '../support/attempts.ts';
import type { AttemptSpec, ResponseSpec } from '../support/attempts.ts';

const DIRECT: JudgeSettings = {
  bodyBytes: 1500,
  hasClientCertificate: false,
  proxyHost: undefined,
};
const PROXIED = { ...DIRECT, proxyHost: 'proxy.example:3128' };
const PROBLEM = { body: '{"detail":"No."}' };
const FRAMEWORKS_PROBLEM = {
  body: '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found"}',
};
const PAGE = { headers: { 'content-type': 'text/html' }, body: '<html></html>' };

function judge(spec: AttemptSpec, settings = DIRECT): Situation | undefined {
  return findSituation(makeRawAttempt(spec), settings);
}

function respond(response: ResponseSpec, settings = DIRECT): Situation | undefined {
  return judge({ response }, settings);
}

function fail(error: Partial<ConnectionError>): { readonly failure: AttemptFailure } {
  const known = {
    code: undefined,
    alert: undefined,
    syscall: undefined,
    address: undefined,
    port: undefined,
    isTlsRecord: false,
    isProxys: false,
    proxyStatus: undefined,
  };
  return { failure: { kind: 'connection', error: { ...known, ...error } } };
}

const LIMIT = { failure: { kind: 'limit', limitMs: 1000 } } as const;

describe('findSituation of a response', () => {
  test('counts only a whole 2xx response without a problem or a page, after everything was sent', () => {
    expect(respond({})).toBeUndefined();
    expect(respond({ status: 299 })).toBeUndefined();
  });

  test.each<[AttemptSpec, Situation]>([
    [{ response: { confirmation: 'problem' } }, 'success-problem'],
    [{ response: { confirmation: 'web-page' } }, 'web-page'],
    [{ response: { confirmation: 'unreadable' } }, 'response-unreadable'],
    [{ response: { complete: false } }, 'response-truncated'],
    [{ ...LIMIT, response: { complete: false } }, 'response-stalled'],
    [{ failure: { kind: 'too-long' }, response: { complete: false } }, 'response-too-long'],
    [
      { failure: { kind: 'step', error: new TimeLimitError(1) }, response: { complete: false } },
      'time-limit',
    ],
    [{ isSent: false, response: {} }, 'early-success'],
    [{ isSent: false, response: { headers: PAGE.headers } }, 'web-page'],
  ])('does not count the 2xx response of %j: %s', (spec, situation) => {
    expect(judge(spec)).toBe(situation);
  });

  test.each<[ResponseSpec, Situation]>([
    [{ status: 300 }, 'redirect'],
    [{ status: 308 }, 'redirect'],
    [{ status: 400 }, 'bad-request'],
    [{ status: 400, body: '{"detail":"Request body too large."}' }, 'too-large'],
    [
      { status: 400, body: '{"errors":{"":["Multipart body length limit 9 exceeded."]}}' },
      'too-large',
    ],
    [
      { status: 400, body: '<title>400 No required SSL certificate was sent</title>' },
      'client-certificate-asked',
    ],
    [
      { status: 400, body: '<title>400 The plain HTTP request was sent to HTTPS port</title>' },
      'https-required',
    ],
    [{ status: 401, ...PROBLEM }, 'credential-rejected'],
    [{ status: 403 }, 'forbidden'],
    [{ status: 403, ...PAGE }, 'firewall'],
    [{ status: 404, ...PROBLEM }, 'scan-unknown'],
    [{ status: 404, ...FRAMEWORKS_PROBLEM }, 'route-unknown'],
    [{ status: 404 }, 'route-unknown'],
    [{ status: 405 }, 'method-refused'],
    [{ status: 408 }, 'request-timeout'],
    [{ status: 409 }, 'conflict'],
    [{ status: 413 }, 'too-large'],
    [{ status: 415 }, 'type-refused'],
    [{ status: 422 }, 'unprocessable'],
    [{ status: 425 }, 'service-unavailable'],
    [{ status: 429 }, 'rate-limited'],
    [{ status: 500 }, 'service-failed'],
    [{ status: 500, ...PROBLEM }, 'service-problem'],
    [{ status: 503 }, 'service-unavailable'],
    [{ status: 503, ...PROBLEM }, 'service-unavailable'],
    [{ status: 501 }, 'refused'],
    [{ status: 505 }, 'refused'],
    [{ status: 418 }, 'refused'],
    ...[502, 504, 520, 521, 522, 523, 524].map((status): [ResponseSpec, Situation] => [
      { status },
      'gateway-failed',
    ]),
  ])('reads %j as %s', (response, situation) => {
    expect(respond(response)).toBe(situation);
    // The status of a refusal decides, even if its body is incomplete.
    expect(judge({ ...LIMIT, response: { ...response, complete: false } })).toBe(situation);
  });

  test('reads a 404 to a body above the default limit of IIS as too large', () => {
    expect(respond({ status: 404 }, { ...DIRECT, bodyBytes: IIS_BODY_BYTES })).toBe(
      'route-unknown',
    );
    expect(respond({ status: 404 }, { ...DIRECT, bodyBytes: IIS_BODY_BYTES + 1 })).toBe(
      'too-large',
    );
  });
});

describe('findSituation without a response', () => {
  test.each<[AttemptSpec, JudgeSettings, Situation]>([
    [{ ...LIMIT, state: 'resolving', isSent: false }, DIRECT, 'name-unanswered'],
    [{ ...LIMIT, state: 'connecting', isSent: false }, DIRECT, 'connect-timeout'],
    [{ ...LIMIT, state: 'connecting', isSent: false }, PROXIED, 'proxy-timeout'],
    [{ ...LIMIT, state: 'asking', isSent: false }, DIRECT, 'stalled'],
    [{ ...LIMIT, state: 'sending', isSent: false }, DIRECT, 'stalled'],
    [{ ...LIMIT, state: 'flushing', isSent: true }, DIRECT, 'stalled'],
    [{ ...LIMIT, state: 'waiting', isSent: true }, DIRECT, 'response-silent'],
    [{ failure: { kind: 'too-long' } }, DIRECT, 'response-too-long'],
    [{ failure: { kind: 'unexpected', error: new Error('no') } }, DIRECT, 'unexpected'],
    [
      { failure: { kind: 'step', error: new StepError('file-changed', 'x') } },
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
    [{ isProxys: true, proxyStatus: 407 }, 'proxy-credentials'],
    [{ isProxys: true, proxyStatus: 403 }, 'proxy-refused'],
    [{ isProxys: true, proxyStatus: 302 }, 'proxy-failed'],
    [{ isProxys: true, proxyStatus: 502 }, 'proxy-failed'],
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

  test.each([41, 42, 46, 49, 116])(
    'reads the alert %i as one about the client certificate, even after everything was sent',
    (alert) => {
      const spec = fail({ code: 'ERR_SSL_TLSV13_ALERT', alert });
      expect(judge(spec)).toBe('client-certificate-missing');
      const settings = { ...DIRECT, hasClientCertificate: true };
      expect(judge(spec, settings)).toBe('client-certificate-refused');
    },
  );

  test.each([40, 50, 115, 117])('does not read the alert %i as one', (alert) => {
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
    ['time-limit', false, 'not-sent', 0],
    ['time-limit', true, 'unconfirmed', 0],
    ['not-http', true, 'unconfirmed', 0],
    // The service has read nothing, even if everything was sent.
    ['client-certificate-missing', true, 'not-sent', 0],
    ['name-unknown', false, 'not-sent', 3],
    ['service-failed', true, 'rejected', 3],
    ['response-silent', true, 'unconfirmed', 0],
  ])(
    'returns for %s, sent: %s, the result %s and %d retries',
    (situation, isSent, result, retries) => {
      expect(followAttempt(situation, makeRawAttempt({ isSent }))).toMatchObject({
        result,
        retries,
      });
    },
  );

  test('gives a refusal with a problem a reason of its own', () => {
    const [bare, own] = [{}, PROBLEM].map((response) =>
      followAttempt('bad-request', makeRawAttempt({ response: { status: 400, ...response } })),
    );
    expect([bare?.reason, own?.reason]).toEqual(['refused', 'problem']);
  });
});
