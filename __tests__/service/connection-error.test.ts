import { describe, expect, test } from '@jest/globals';
import { diagnose } from '../../src/service/connection-error.ts';
import type { ConnectionFault } from '../../src/service/connection-error.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import { makeError } from './fixtures.ts';

const PHASES: readonly Phase[] = ['connect', 'continue', 'send', 'head', 'body'];

function findFault(code: string | undefined, phase: Phase, message?: string): ConnectionFault {
  return diagnose(makeError(code, message), phase).fault;
}

describe('diagnose', () => {
  const anywhere: readonly (readonly [string, ConnectionFault])[] = [
    ['ECONNREFUSED', 'connection'],
    ['ECONNRESET', 'connection'],
    ['ECONNABORTED', 'connection'],
    ['EPIPE', 'connection'],
    ['ETIMEDOUT', 'connection'],
    ['EHOSTUNREACH', 'connection'],
    ['ENETUNREACH', 'connection'],
    ['EADDRNOTAVAIL', 'connection'],
    ['ERR_STREAM_PREMATURE_CLOSE', 'connection'],
    ['HPE_INVALID_EOF_STATE', 'connection'],
    ['ENOTFOUND', 'name'],
    ['EAI_AGAIN', 'name'],
    ['EAI_NONAME', 'name'],
    ['HPE_INVALID_CONSTANT', 'not-http'],
    ['HPE_INVALID_VERSION', 'not-http'],
    ['HPE_INVALID_HEADER_TOKEN', 'not-http'],
    ['HPE_HEADER_OVERFLOW', 'not-http'],
    ['HPE_UNEXPECTED_CONTENT_LENGTH', 'not-http'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['CERT_NOT_YET_VALID', 'certificate'],
    ['CERT_REVOKED', 'certificate'],
    ['CERT_UNTRUSTED', 'certificate'],
    ['CRL_HAS_EXPIRED', 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT', 'certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
    ['INVALID_CA', 'certificate'],
    ['INVALID_PURPOSE', 'certificate'],
    ['PATH_LENGTH_EXCEEDED', 'certificate'],
    ['HOSTNAME_MISMATCH', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_FORMAT', 'certificate'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client-certificate'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'client-certificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'client-certificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'client-certificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', 'client-certificate'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'client-certificate'],
  ];
  test.each(anywhere)('takes %s for a fault of the kind %s in every phase', (code, fault) => {
    expect(PHASES.map((phase) => findFault(code, phase))).toEqual(PHASES.map(() => fault));
  });

  test.each(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_HANDSHAKE_TIMEOUT'])(
    'takes %s for a fault of TLS only while connecting',
    (code) => {
      const faults = PHASES.map((phase) => findFault(code, phase));
      expect(faults).toEqual(['tls', 'connection', 'connection', 'connection', 'connection']);
    },
  );

  const tunnels: readonly (readonly [string, ConnectionFault])[] = [
    ['statusCode=400', 'proxy-refused'],
    ['statusCode=403', 'proxy-refused'],
    ['statusCode=407', 'proxy-refused'],
    ['statusCode=499', 'proxy-refused'],
    ['statusCode=302', 'proxy'],
    ['statusCode=500', 'proxy'],
    ['statusCode=502', 'proxy'],
    ['statusCode=503', 'proxy'],
    ['cause=connect ECONNREFUSED 127.0.0.1:3128', 'proxy'],
    ['cause=socket hang up', 'proxy'],
    ['cause=getaddrinfo ENOTFOUND proxy.example', 'proxy-name'],
    ['cause=getaddrinfo EAI_AGAIN proxy.example', 'proxy-name'],
  ];
  test.each(tunnels)('reads the cause in the text of a tunnel that failed: %s', (cause, fault) => {
    const message = `tunneling socket could not be established, ${cause}`;
    const diagnosis = diagnose(makeError('ECONNRESET', message), 'connect');
    expect(diagnosis).toEqual({ fault, text: `${message} (ECONNRESET)` });
  });

  test('does not take a name in another text for a proxy', () => {
    expect(findFault('ECONNRESET', 'send', 'read ECONNRESET ENOTFOUND')).toBe('connection');
    expect(findFault(undefined, 'send', 'no tunneling socket could not be established')).toBe(
      'connection',
    );
  });

  test.each([
    ['ECONNRESET', 'read ECONNRESET', 'read ECONNRESET'],
    ['ECONNRESET', 'socket hang up', 'socket hang up (ECONNRESET)'],
    ['HPE_INVALID_CONSTANT', 'Parse Error: x', 'Parse Error: x (HPE_INVALID_CONSTANT)'],
    [undefined, 'the connection was closed', 'the connection was closed'],
  ])('adds the code %s to the text unless it says it: %s', (code, message, text) => {
    expect(diagnose(makeError(code, message), 'send').text).toBe(text);
  });

  test('takes a code that is no text for none', () => {
    const error = Object.assign(new Error('odd'), { code: 7 });
    expect(diagnose(error, 'connect')).toEqual({ fault: 'connection', text: 'odd' });
  });

  test('of several addresses tells of the first', () => {
    const errors = [
      makeError('ENETUNREACH', 'connect ENETUNREACH ::1:443'),
      makeError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:443'),
    ];
    const error = Object.assign(new AggregateError(errors), { code: 'ENETUNREACH' });
    expect(diagnose(error, 'connect')).toEqual({
      fault: 'connection',
      text: 'connect ENETUNREACH ::1:443',
    });
  });

  test('falls back on what holds several errors', () => {
    const inner = new AggregateError([new Error('no code')], 'all failed');
    const coded = Object.assign(inner, { code: 'ENOTFOUND' });
    expect(diagnose(coded, 'connect')).toEqual({ fault: 'name', text: 'no code (ENOTFOUND)' });
    const empty = Object.assign(new AggregateError(['text'], 'all failed'), { code: 'ETIMEDOUT' });
    expect(diagnose(empty, 'connect').text).toBe('all failed (ETIMEDOUT)');
  });
});
