import { describe, expect, test } from '@jest/globals';
import { readConnectionError } from '../../src/service/connection-error.ts';
import { ProxyError } from '../../src/service/tunnel.ts';
import { makeConnectionError } from '../support/attempts.ts';
import { makeError } from '../support/exchanges.ts';

/** OpenSSL's texts in Node's errors; the address at the start and the source position vary. */
function describeOpenssl(reason: string, more = ''): string {
  return `write EPROTO 409DA9EF3B7F0000:error:0A000410:SSL routines:ssl3_read_bytes:${reason}:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:${more}\n`;
}

function ofIssuer(issuer?: object | null) {
  return { peer: issuer === null ? null : { issuer } };
}

function forNames(subjectaltname?: string) {
  return { cert: { subjectaltname }, host: 'a.test' };
}

describe('readConnectionError', () => {
  test.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED ::1:443', 'connect ECONNREFUSED ::1:443'],
    ['ECONNRESET', 'socket hang up', 'the other side closed the connection (ECONNRESET)'],
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
      'self-signed certificate (SELF_SIGNED_CERT_IN_CHAIN)',
    ],
    [
      'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
      'ssl/tls alert certificate expired',
      'ssl/tls alert certificate expired',
    ],
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'certificate has expired (CERT_HAS_EXPIRED)'],
    [undefined, 'the connection was closed', 'the connection was closed'],
  ])('keeps the code %s, and adds it to the text unless that says it', (code, message, text) => {
    const error = Object.assign(new Error(message), { code });
    expect(readConnectionError(error)).toEqual(makeConnectionError({ code, text }));
  });

  test.each([
    ['wrong version number', { isPlainHttp: true }],
    ['packet length too long', { isPlainHttp: true }],
    ['http request', { isPlainHttp: true }],
    ['unsafe legacy renegotiation disabled', {}],
    ['ssl/tls alert handshake failure', { alert: 40 }],
  ])('reads reason and alert of an OpenSSL error: %s', (reason, facts) => {
    const more = 'alert' in facts ? `SSL alert number ${facts.alert}` : '';
    const read = readConnectionError(makeError('EPROTO', describeOpenssl(reason, more)));
    const text = `${reason} (EPROTO)`;
    expect(read).toEqual(makeConnectionError({ code: 'EPROTO', text, ...facts }));
  });

  const CA = 'The CA of Corp';
  const NAMES = Array.from({ length: 7 }, (_, index) => `DNS:${index}.example`).join(', ');
  const MISMATCH = 'ERR_TLS_CERT_ALTNAME_INVALID';
  const UNKNOWN = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';

  test.each([
    // What it is for, if that is the fault.
    [MISMATCH, forNames('DNS:a.example, IP Address:127.0.0.2'), 'a.example, 127.0.0.2'],
    [MISMATCH, forNames(NAMES), '0.example, 1.example, 2.example, 3.example, 4.example and 2 more'],
    [MISMATCH, forNames(), ''],
    // Its issuer, if that is unknown.
    [UNKNOWN, ofIssuer({ O: 'Corp', CN: CA }), CA],
    ['SELF_SIGNED_CERT_IN_CHAIN', ofIssuer({ O: 'Corp', CN: CA }), CA],
    [UNKNOWN, ofIssuer({ O: 'Corp' }), 'Corp'],
    [UNKNOWN, ofIssuer(null), ''],
    ['ECONNRESET', ofIssuer({ O: 'Corp', CN: CA }), ''],
  ])('names of a certificate what it is for, or its issuer: %s of %j', (code, facts, names) => {
    const error = Object.assign(makeError(code, 'x'), facts);
    const isFor =
      code === MISMATCH ? `it is for ${names}, not for a.test` : `x, issued by '${names}'`;
    expect(readConnectionError(error).text).toBe(`${names === '' ? 'x' : isFor} (${code})`);
  });

  test('has the dates, the issuer and the fingerprint of a certificate', () => {
    const [validFrom, validTo] = ['Jan  2 03:04:05 2096 GMT', 'Jan  2 03:04:05 2097 GMT'];
    const fingerprint256 = 'AB:CD';
    const issuer = { O: 'Corp', CN: CA };
    const peer = { valid_from: validFrom, valid_to: validTo, issuer, fingerprint256 };
    const error = Object.assign(makeError('CERT_NOT_YET_VALID', 'x'), { peer });
    const certificate = { validFrom, validTo, issuer: CA, fingerprint256 };
    expect(readConnectionError(error).certificate).toEqual(certificate);
    expect(readConnectionError(makeError('ECONNRESET', 'x')).certificate).toEqual({});
  });

  test.each([
    [['ENETUNREACH 2001:db8::1'], true],
    [['EHOSTUNREACH 2001:db8::1', 'ENETUNREACH 2001:db8::2'], true],
    [['ENETUNREACH 2001:db8::1', 'ECONNREFUSED 192.0.2.1'], false],
    [['EHOSTUNREACH 192.0.2.1'], false],
    [['ECONNREFUSED ::1'], false],
  ])('knows that all addresses need IPv6, to which there is no route: %j', (texts, expected) => {
    const errors = texts.map((text) => {
      const [code = '', address] = text.split(' ');
      return Object.assign(makeError(code, text), { address });
    });
    const error = errors.length === 1 ? errors[0] : new AggregateError(errors);
    expect(readConnectionError(error ?? new Error('none')).isWithoutIpv6).toBe(expected);
  });

  test('returns the status of a proxy that opens no tunnel, and what it asks for', () => {
    const read = readConnectionError(new ProxyError(undefined, 407, 'NTLM'));
    const facts = { isOfProxy: true, proxyStatus: 407, proxyChallenge: 'NTLM' };
    const text = 'the proxy responded with 407';
    expect(read).toEqual(makeConnectionError({ ...facts, text }));
  });

  test('has the code of the preferred address, and names each error on the way to a proxy once', () => {
    const errors = ['ENETUNREACH ::1', 'ECONNREFUSED ::2', 'ECONNREFUSED ::2'].map((text) =>
      makeError(text.split(' ')[0] ?? '', text),
    );
    const read = readConnectionError(new ProxyError(new AggregateError(errors)));
    const text = 'ENETUNREACH ::1; ECONNREFUSED ::2';
    expect(read).toEqual(makeConnectionError({ code: 'ENETUNREACH', isOfProxy: true, text }));
  });
});
