import { describe, expect, test } from '@jest/globals';
import { diagnose } from '../../src/service/connection-error.ts';
import type { ConnectionFault } from '../../src/service/connection-error.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import { ProxyError } from '../../src/service/tunnel.ts';
import { makeError } from '../support/bodies.ts';

const PHASES: readonly Phase[] = ['connect', 'continue', 'send', 'head', 'body'];

function findFault(code: string | undefined, phase: Phase, message?: string): ConnectionFault {
  return diagnose(makeError(code, message), phase).fault;
}

describe('diagnose', () => {
  test.each<[string, ConnectionFault]>([
    ['ECONNREFUSED', 'connection'],
    ['HPE_INVALID_EOF_STATE', 'connection'],
    ['ENOTFOUND', 'name'],
    ['EAI_AGAIN', 'name'],
    ['EAI_NONAME', 'name'],
    ['HPE_INVALID_CONSTANT', 'not-http'],
    ['HPE_HEADER_OVERFLOW', 'not-http'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['CRL_HAS_EXPIRED', 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
    ['INVALID_CA', 'certificate'],
    ['INVALID_PURPOSE', 'certificate'],
    ['PATH_LENGTH_EXCEEDED', 'certificate'],
    ['HOSTNAME_MISMATCH', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ])('reports %s as the fault %s in every phase', (code, fault) => {
    expect(PHASES.map((phase) => findFault(code, phase))).toEqual(PHASES.map(() => fault));
  });

  test.each(['EPROTO', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_SSL_CERT_LENGTH_MISMATCH'])(
    'reports %s as a TLS failure only while connecting',
    (code) => {
      const faults = PHASES.map((phase) => findFault(code, phase));
      expect(faults).toEqual(['tls', 'connection', 'connection', 'connection', 'connection']);
    },
  );

  // Texts of OpenSSL as in Node's errors; the address at the start and the source location vary.
  test.each<[string, number, ConnectionFault]>([
    ['ssl/tls alert handshake failure', 40, 'tls'],
    ['ssl/tls alert no certificate', 41, 'client-certificate'],
    ['tlsv1 alert access denied', 49, 'client-certificate'],
    ['tlsv1 alert decode error', 50, 'tls'],
    ['tlsv13 alert certificate required', 116, 'client-certificate'],
  ])('reads the alert in an OpenSSL error: %s (%i)', (reason, number, fault) => {
    const place = '../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918';
    const message = `write EPROTO 409DA9EF3B7F0000:error:0A000410:SSL routines:ssl3_read_bytes:${reason}:${place}:SSL alert number ${number}\n`;
    const diagnosis = diagnose(makeError('EPROTO', message), 'connect');
    expect(diagnosis).toEqual({ fault, text: `${reason}, SSL alert number ${number} (EPROTO)` });
    const later = fault === 'tls' ? 'connection' : fault;
    expect(PHASES.slice(1).map((phase) => findFault('EPROTO', phase, message))).toEqual(
      PHASES.slice(1).map(() => later),
    );
  });

  test('keeps only the reason of an OpenSSL error', () => {
    const message =
      '4079E1C0C07F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:84:\n';
    const text = 'wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)';
    const error = makeError('ERR_SSL_WRONG_VERSION_NUMBER', message);
    expect(diagnose(error, 'connect')).toEqual({ fault: 'tls', text });
  });

  test.each<[number, ConnectionFault]>([
    [302, 'proxy'],
    [399, 'proxy'],
    [400, 'proxy-refused'],
    [499, 'proxy-refused'],
    [500, 'proxy'],
  ])('reports a proxy that responds with %i as the fault %s', (status, fault) => {
    const error = new ProxyError('no tunnel', { response: { status, headers: {} } });
    expect(diagnose(error, 'connect')).toEqual({ fault, text: 'no tunnel' });
  });

  test.each<[string, ConnectionFault]>([
    ['ECONNREFUSED', 'proxy'],
    ['EPROTO', 'proxy'],
    ['HPE_INVALID_CONSTANT', 'proxy'],
    ['ENOTFOUND', 'proxy-name'],
    ['EAI_AGAIN', 'proxy-name'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'proxy-certificate'],
  ])('reports %s on the way to a proxy as the fault %s', (code, fault) => {
    const first = makeError(code, 'first');
    const cause = new AggregateError([first, makeError('EHOSTUNREACH', 'second')]);
    const text = `first (${code}); second (EHOSTUNREACH)`;
    expect(diagnose(new ProxyError('', { cause }), 'connect')).toEqual({ fault, text });
  });

  test('does not read the text of an error as a fault', () => {
    expect(findFault('ECONNRESET', 'send', 'read ECONNRESET ENOTFOUND')).toBe('connection');
  });

  test.each([
    ['ECONNRESET', 'read ECONNRESET', 'read ECONNRESET'],
    ['ECONNRESET', 'socket hang up', 'the other side closed the connection (ECONNRESET)'],
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
      'self-signed certificate (SELF_SIGNED_CERT_IN_CHAIN)',
    ],
    ['HPE_INVALID_CONSTANT', 'Parse Error: x', 'Parse Error: x (HPE_INVALID_CONSTANT)'],
    [undefined, 'the connection was closed', 'the connection was closed'],
  ])('adds the code %s to the text unless the text contains it: %s', (code, message, text) => {
    expect(diagnose(makeError(code, message), 'send').text).toBe(text);
  });

  test('ignores a code that is not a string', () => {
    const error = Object.assign(new Error('odd'), { code: 7 });
    expect(diagnose(error, 'connect')).toEqual({ fault: 'connection', text: 'odd' });
  });

  test('uses the fault of the first address, and lists each error once', () => {
    const errors = [
      makeError('ENETUNREACH', 'connect ENETUNREACH ::1:443'),
      makeError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:443'),
      makeError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:443'),
    ];
    const error = Object.assign(new AggregateError(errors), { code: 'ENETUNREACH' });
    expect(diagnose(error, 'connect')).toEqual({
      fault: 'connection',
      text: 'connect ENETUNREACH ::1:443; connect ECONNREFUSED 127.0.0.1:443',
    });
  });

  test('falls back to the AggregateError if it has no errors', () => {
    const inner = new AggregateError([new Error('no code')], 'all failed');
    const coded = Object.assign(inner, { code: 'ENOTFOUND' });
    expect(diagnose(coded, 'connect')).toEqual({ fault: 'name', text: 'no code' });
    const empty = Object.assign(new AggregateError(['text'], 'all failed'), { code: 'ETIMEDOUT' });
    expect(diagnose(empty, 'connect').text).toBe('all failed (ETIMEDOUT)');
  });
});
