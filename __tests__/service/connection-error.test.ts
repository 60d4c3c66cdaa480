import { describe, expect, test } from '@jest/globals';
import { readConnectionError } from '../../src/service/connection-error.ts';
import { ProxyError } from '../../src/service/tunnel.ts';
import { makeConnectionError, makeResponse } from '../support/attempts.ts';
import { makeError } from '../support/bodies.ts';

const NOTHING = makeConnectionError();

function readText(error: Error): string {
  return readConnectionError(error).text;
}

describe('readConnectionError', () => {
  test('returns what Node says about an error', () => {
    const facts = { code: 'ECONNREFUSED' };
    const text = 'connect ECONNREFUSED ::1:443';
    const error = Object.assign(new Error(text), { ...facts, errno: -111, port: 443 });
    expect(readConnectionError(error)).toEqual({ ...NOTHING, ...facts, text });
  });

  test('ignores what has another type', () => {
    const error = Object.assign(new Error('odd'), { code: 7, rawPacket: 7 });
    expect(readConnectionError(error)).toEqual({ ...NOTHING, text: 'odd' });
  });

  const PLACE = '../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:';

  // Texts of OpenSSL as in Node's errors; the address at the start and the source location vary.
  test.each([
    ['ssl/tls alert handshake failure', 40],
    ['tlsv1 alert access denied', 49],
    ['tlsv13 alert certificate required', 116],
  ])('reads the alert in an OpenSSL error: %s (%i)', (reason, alert) => {
    const message = `write EPROTO 409DA9EF3B7F0000:error:0A000410:SSL routines:ssl3_read_bytes:${reason}:${PLACE}SSL alert number ${alert}\n`;
    const read = readConnectionError(makeError('EPROTO', message));
    expect(read.alert).toBe(alert);
    expect(read.text).toBe(`${reason}, SSL alert number ${alert} (EPROTO)`);
  });

  test.each([
    ['EPROTO', 'write EPROTO '],
    ['ERR_SSL_WRONG_VERSION_NUMBER', ''],
  ])('names the reason of an OpenSSL error with the code %s', (code, start) => {
    const message = `${start}4079E1C0C07F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:${PLACE}\n`;
    expect(readConnectionError(makeError(code, message))).toEqual({
      ...NOTHING,
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
      text: `wrong version number (${code})`,
    });
  });

  test.each([
    ['an alert', [0x15, 3, 1, 0, 2], true],
    ['a handshake', [0x16, 3, 3, 0, 2], true],
    ['another version', [0x15, 4], false],
    ['text', [0x53, 3], false],
    ['nothing', [], false],
  ])('recognises a TLS record in place of a response: %s', (_, bytes, isTlsRecord) => {
    const error = makeError('HPE_INVALID_CONSTANT', 'Parse Error: x');
    const read = readConnectionError(Object.assign(error, { rawPacket: Buffer.from(bytes) }));
    expect(read).toEqual({
      ...NOTHING,
      code: 'HPE_INVALID_CONSTANT',
      isTlsRecord,
      text: 'Parse Error: x (HPE_INVALID_CONSTANT)',
    });
  });

  test('returns the response of a proxy that opens no tunnel', () => {
    const response = makeResponse({ status: 407 });
    expect(readConnectionError(new ProxyError({ response }))).toEqual({
      ...NOTHING,
      isProxys: true,
      proxyResponse: response,
      text: 'the proxy responded with 407',
    });
  });

  test('returns the error on the way to a proxy', () => {
    const first = makeError('ENOTFOUND', 'first');
    const cause = new AggregateError([first, makeError('EHOSTUNREACH', 'second')]);
    expect(readConnectionError(new ProxyError({ cause }))).toEqual({
      ...NOTHING,
      code: 'ENOTFOUND',
      isProxys: true,
      text: 'first (ENOTFOUND); second (EHOSTUNREACH)',
    });
  });

  test.each([
    ['ECONNRESET', 'read ECONNRESET', 'read ECONNRESET'],
    ['ECONNRESET', 'socket hang up', 'the other side closed the connection (ECONNRESET)'],
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
      'self-signed certificate (SELF_SIGNED_CERT_IN_CHAIN)',
    ],
    [undefined, 'the connection was closed', 'the connection was closed'],
  ])('adds the code %s to the text unless the text contains it: %s', (code, message, text) => {
    expect(readText(makeError(code, message))).toBe(text);
  });

  test('returns the facts of the preferred address, and lists each error once', () => {
    const errors = [
      makeError('ENETUNREACH', 'connect ENETUNREACH ::1:443'),
      makeError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:443'),
      makeError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:443'),
    ];
    const error = Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' });
    expect(readConnectionError(error)).toEqual({
      ...NOTHING,
      code: 'ENETUNREACH',
      text: 'connect ENETUNREACH ::1:443; connect ECONNREFUSED 127.0.0.1:443',
    });
  });

  test('falls back to the AggregateError if it has no errors', () => {
    const inner = new AggregateError([new Error('no code')], 'all failed');
    const coded = readConnectionError(Object.assign(inner, { code: 'ENOTFOUND' }));
    expect(coded).toMatchObject({ code: 'ENOTFOUND', text: 'no code' });
    const empty = Object.assign(new AggregateError(['text'], 'all failed'), { code: 'ETIMEDOUT' });
    expect(readText(empty)).toBe('all failed (ETIMEDOUT)');
  });
});
