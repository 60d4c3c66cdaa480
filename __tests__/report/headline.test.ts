import { describe, expect, test } from '@jest/globals';
import { CancelledError, StepError } from '../../src/errors.ts';
import type { Failure } from '../../src/report/failure.ts';
import type { UploadSettings } from '../../src/service/settings.ts';
import { makeResponse } from '../support/attempts.ts';
import type { AttemptSpec, ResponseSpec } from '../support/attempts.ts';
import { PROXIED, connect, describeEnd, refuse, stall } from '../support/endings.ts';

const PROXY = 'The proxy proxy.example:3128';
const CERTIFICATE = 'The certificate of https://scan.example is not trusted';

function respond(response: ResponseSpec): Failure {
  return describeEnd(refuse(response));
}

function refuseWith(problem: object, response: ResponseSpec = {}): Failure {
  return respond({ body: JSON.stringify(problem), ...response });
}

/** The response of a proxy to CONNECT. */
function refuseConnect(response: ResponseSpec): AttemptSpec {
  return connect({ isProxys: true, proxyResponse: makeResponse(response) });
}

describe('the headline of a problem', () => {
  test('show the detail first, then each error, then the trace id', () => {
    const problem = {
      title: 'Validation failed.',
      detail: 'The form is not complete.',
      errors: { ScanKey: ['is required', 'is no UUID'], '': ['Too few parts.'], File: 'is empty' },
      traceId: '00-abc-def-00',
    };
    // Problem details come from the service itself, so its `server` header is not shown.
    expect(refuseWith(problem, { headers: { server: 'Kestrel' } })).toMatchObject({
      headline: 'The form is not complete.',
      details: [
        'ScanKey: is required',
        'ScanKey: is no UUID',
        'Too few parts.',
        'File: is empty',
        'Validation failed.',
      ],
      traces: ['Trace id of the service: 00-abc-def-00', expect.any(String)],
    });
  });

  test.each([
    ['a title and errors', { title: 'T.', errors: { a: ['x', 'y'] } }, 'a: x', ['a: y', 'T.']],
    ['a title', { title: 'T.' }, 'T.', []],
    ['a detail that equals its title once', { title: 'Same.', detail: 'Same.' }, 'Same.', []],
    ['errors without a field name', { errors: { ' ': ['x'] } }, 'x', []],
    ['the first line of an error', { errors: { a: ['x\n  y '] } }, 'a: x', []],
    ['the status if there is no text', { errors: { '': [''] } }, 'HTTP 400 Bad Request', []],
  ])('show %s', (_, problem, headline, details) => {
    const failure = refuseWith(problem);
    expect(failure.headline.slice(0, headline.length)).toBe(headline);
    expect(failure.details).toEqual(details);
  });
});

describe('the headline of a response without a problem', () => {
  test.each<[number, string, string, readonly string[]]>([
    [400, '', 'HTTP 400 Bad Request', []],
    [400, '{"message":"no"}', 'HTTP 400 Bad Request: no', []],
    [400, '{"a":["b c"],"d":["e f"]}', 'HTTP 400 Bad Request: a: b c', ['d: e f']],
    [403, 'Forbidden by a rule', 'HTTP 403: Forbidden by a rule', []],
    [400, '<html><title>400 Bad Request</title></html>', 'HTTP 400 Bad Request', []],
    [400, '<html><p>It&#39;s  <b>over</b>.<br>x', "HTTP 400 Bad Request: It's over.", ['x']],
  ])('show for a %i with %j its status and what it says', (status, body, headline, details) => {
    expect(respond({ status, body })).toMatchObject({ headline, details });
  });

  test('show a status without a name', () => {
    expect(respond({ status: 524, body: 'x' }).headline).toBe('HTTP 524: x');
  });

  test('list every header that identifies a server', () => {
    const names = [
      'server',
      'via',
      'x-request-id',
      'x-correlation-id',
      'request-id',
      'cf-ray',
      'x-amzn-requestid',
      'x-amz-cf-id',
      'x-azure-ref',
      'x-ms-request-id',
      'x-cloud-trace-context',
    ];
    const headers = Object.fromEntries(
      [...names, 'x-other'].map((name, index) => [name, String(index)]),
    );
    expect(respond({ headers }).traces[0]).toBe(
      `Response headers: ${names.map((name, index) => `${name}: ${index}`).join(', ')}`,
    );
    expect(respond({ headers: { 'x-other': '1' } }).traces).toHaveLength(1);
  });
});

describe('the headline of a 401', () => {
  const REJECTED = 'The service rejected the credential (HTTP 401).';

  test.each<[string, string | undefined, string, readonly string[]]>([
    [
      'the description in the challenge',
      'Bearer error="invalid_token", error_description="The token expired at noon"',
      '',
      ['HTTP 401 Unauthorized: The token expired at noon'],
    ],
    [
      'the challenge',
      'ApiKey realm="scans"',
      '',
      [REJECTED, 'The service asks for: ApiKey realm="scans"'],
    ],
    [
      'the problem first',
      'Bearer error_description="expired"',
      '{"detail":"Who are you?"}',
      ['HTTP 401 Unauthorized: Who are you?', 'expired'],
    ],
    ['the status', undefined, '', [REJECTED]],
    ['no title that only repeats the status', undefined, '{"title":"Unauthorized"}', [REJECTED]],
    ['no body that only repeats the status', undefined, 'Unauthorized', [REJECTED]],
    [
      'its lines',
      undefined,
      'The token is of another tenant.\nx',
      ['HTTP 401 Unauthorized: The token is of another tenant.', 'x'],
    ],
  ])('show %s', (_, challenge, body, lines) => {
    const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
    const { headline, details } = respond({ status: 401, headers, body });
    expect([headline, ...details]).toEqual(lines);
  });
});

describe('the headline of a redirect', () => {
  test.each([
    ['https://new.example/v1/scanner/upload-file', 'https://new.example', ''],
    ['https://new.example/a/b/v1/scanner/upload-file?x=1#y', 'https://new.example', '/a/b'],
    ['/v2/v1/scanner/upload-file', 'https://scan.example', '/v2'],
    ['//new.example:8443/v1/scanner/upload-file', 'https://new.example:8443', ''],
    ['https://user:pass@new.example/t/v1/scanner/upload-file?k=v', 'https://new.example', '/t'],
  ])('name the target and the base-url to use for %s', (location, origin, prefix) => {
    expect(respond({ status: 307, headers: { location } })).toMatchObject({
      headline: `https://scan.example redirects to ${origin}${prefix}/v1/scanner/upload-file (HTTP 307 Temporary Redirect); redirects are not followed.`,
      fixes: [`If this is your service, set \`base-url\` to ${origin}${prefix}.`],
    });
  });

  test.each([
    ['/login?next=%2F', 'https://scan.example/login'],
    ['/a;id=1/login;jsessionid=2', 'https://scan.example/a/login'],
    ['https://login.example/', 'https://login.example'],
    ['https://user:pass@new.example/v1/scanner/', 'https://new.example/v1/scanner/'],
    [`/${'a'.repeat(100)}`, `https://scan.example/${'a'.repeat(97)} …`],
  ])('name only the target for %s', (location, target) => {
    const { headline, fixes } = respond({ status: 302, headers: { location } });
    expect(headline).toContain(`redirects to ${target} (`);
    expect(fixes).toEqual(['It may lead to a login page: check `base-url` and the credential.']);
  });

  test.each(['', 'http://[', 'https://', 'mailto:a@b.example', 'app:/v1/scanner/upload-file'])(
    'report that the target %j is not usable',
    (location) => {
      const { headline, fixes } = respond({ status: 301, headers: { location } });
      expect(headline).toBe(
        'https://scan.example responded with HTTP 301 Moved Permanently without a usable target.',
      );
      expect(fixes).toEqual(['It may lead to a login page: check `base-url` and the credential.']);
    },
  );
});

describe('the headline of other responses', () => {
  test.each<[AttemptSpec, string, readonly string[]]>([
    [
      { response: { kind: 'web-page', body: '<title>Sign in to ACME</title>' } },
      'The response (HTTP 200 OK) is a web page, not a response of the service: nothing was accepted.',
      ['The page says: Sign in to ACME'],
    ],
    [{ response: { body: '{"detail":"Quota.","status":400}' } }, 'Quota.', []],
    [
      { response: { status: 413 } },
      'HTTP 413 Payload Too Large',
      ['Files: scan.json (1.2 KiB); the whole upload: 1500 bytes'],
    ],
    [
      { response: { kind: 'other', headers: { 'content-encoding': 'zstd' } } },
      'The response of https://scan.example (HTTP 200 OK, zstd) cannot be read.',
      [],
    ],
    [
      { failure: { kind: 'too-long' }, response: { complete: false } },
      'The response of https://scan.example (HTTP 200 OK) is too long: more than 1 MiB.',
      [],
    ],
    [
      { ...connect({ text: 'aborted' }), isSent: true, response: { status: 201, complete: false } },
      'The response of https://scan.example (HTTP 201 Created) was truncated: aborted',
      [],
    ],
    [
      { ...stall('reading', true), response: { complete: false } },
      'The response of https://scan.example (HTTP 200 OK) stopped: no data arrived for 20 s.',
      [],
    ],
    [
      { response: {}, isSent: false },
      'https://scan.example responded with HTTP 200 OK before everything was sent: it cannot have the whole upload.',
      [],
    ],
    [
      { ...connect({ code: 'EPIPE' }), isSent: true, digests: undefined, response: {} },
      'https://scan.example responded with HTTP 200 OK before the connection had taken everything.',
      [],
    ],
  ])('for %j is %s', (spec, headline, details) => {
    const failure = describeEnd(spec);
    expect(failure.headline).toBe(headline);
    expect(failure.details.slice(0, details.length)).toEqual(details);
  });
});

describe('the headline without a response', () => {
  test.each<[AttemptSpec, Partial<UploadSettings>, string]>([
    [
      connect({ code: 'ENOTFOUND', text: 'getaddrinfo ENOTFOUND scan.example' }),
      {},
      'The name scan.example does not resolve: getaddrinfo ENOTFOUND scan.example',
    ],
    [
      stall('resolving'),
      {},
      'No connection to scan.example:443 within 20 s while the host name was being looked up.',
    ],
    [stall('connecting'), {}, 'No connection to scan.example:443 within 20 s while connecting.'],
    [
      stall('connecting'),
      PROXIED,
      'No connection to scan.example:443 (through the proxy proxy.example:3128) within 20 s while connecting.',
    ],
    [
      stall('tunnelling'),
      PROXIED,
      'No connection to scan.example:443 (through the proxy proxy.example:3128) within 20 s while the proxy was opening a tunnel.',
    ],
    [
      stall('sending'),
      PROXIED,
      'No data was sent to or received from https://scan.example (through the proxy proxy.example:3128) for 20 s while the files were being sent.',
    ],
    [
      stall('waiting', true),
      {},
      'No data was sent to or received from https://scan.example for 20 s after everything was sent, before a response arrived.',
    ],
    [
      connect({ code: 'ECONNREFUSED', text: 'connect ECONNREFUSED 192.0.2.1:443' }),
      {},
      'The connection to https://scan.example failed while connecting: connect ECONNREFUSED 192.0.2.1:443',
    ],
    [
      connect({ code: 'ECONNRESET', text: 'read ECONNRESET' }),
      PROXIED,
      'The connection to https://scan.example (through the proxy proxy.example:3128) failed while connecting: read ECONNRESET',
    ],
    [
      connect({ code: 'EPIPE' }, { state: 'sending', sentBytes: 9 * 2 ** 20 }),
      { bodyBytes: 30 * 2 ** 20 },
      'scan.example:443 closed the connection after 9 of 30 MiB.',
    ],
    [
      connect({ code: 'ECONNRESET' }, { state: 'flushing', sentBytes: 700 }),
      PROXIED,
      'scan.example:443 (through the proxy proxy.example:3128) closed the connection after 0.7 of 1.5 KiB.',
    ],
    [
      connect({ code: 'ECONNRESET', text: 'read ECONNRESET' }, { state: 'asking' }),
      {},
      'The connection to https://scan.example failed before the files were sent: read ECONNRESET',
    ],
    [
      connect({ code: 'ETIMEDOUT', text: 'read ETIMEDOUT' }, { state: 'sending', sentBytes: 9 }),
      {},
      'The connection to https://scan.example failed while the files were being sent: read ETIMEDOUT',
    ],
    [
      connect(
        { code: 'ECONNRESET', text: 'reset' },
        { state: 'waiting', isSent: true, sentBytes: 9 },
      ),
      {},
      'The connection to https://scan.example failed after everything was sent, before a response arrived: reset',
    ],
    [
      connect({ isTlsRecord: true, code: 'HPE_INVALID_CONSTANT' }),
      {},
      'scan.example:443 speaks TLS, not plain HTTP.',
    ],
    [
      connect({ code: 'HPE_INVALID_CONSTANT', text: 'Parse Error' }, { state: 'waiting' }),
      {},
      'The server at https://scan.example does not speak HTTP: Parse Error',
    ],
    [
      connect({ code: 'ERR_SSL_X', text: 'alert' }),
      {},
      'TLS with https://scan.example failed: alert',
    ],
    [
      connect({ alert: 116, text: 'alert' }, { state: 'asking' }),
      {},
      'TLS with https://scan.example failed: alert',
    ],
    [connect({ code: 'CERT_HAS_EXPIRED', text: 'expired' }), {}, `${CERTIFICATE}: expired`],
    [
      connect({
        isProxys: true,
        code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        text: 'unable to verify',
      }),
      PROXIED,
      'The certificate of the proxy proxy.example:3128 is not trusted: unable to verify',
    ],
    [
      connect({ isProxys: true, code: 'ENOTFOUND', text: 'getaddrinfo ENOTFOUND proxy.example' }),
      PROXIED,
      `${PROXY} opened no connection to scan.example:443: getaddrinfo ENOTFOUND proxy.example`,
    ],
    [
      refuseConnect({ status: 407 }),
      PROXIED,
      `${PROXY} refused the connection to scan.example:443: HTTP 407 Proxy Authentication Required.`,
    ],
    [
      refuseConnect({ status: 502 }),
      PROXIED,
      `${PROXY} could not reach scan.example:443: HTTP 502 Bad Gateway.`,
    ],
    [{}, {}, 'The upload to https://scan.example ended without a response.'],
    [
      connect({}, { failure: { kind: 'unexpected', text: 'broken' } }),
      {},
      'broken. This happened while connecting.',
    ],
    [
      connect(
        {},
        { failure: { kind: 'step', error: new StepError('oidc-failed', ''), text: 'No.' } },
      ),
      {},
      'No.',
    ],
    [
      connect({}, { failure: { kind: 'step', error: new StepError('files', ''), text: 'Gone.' } }),
      {},
      'Gone. This happened while connecting.',
    ],
  ])('for %j with %j says what happened', (spec, settings, headline) => {
    expect(describeEnd(spec, settings).headline).toBe(headline);
  });

  test('of a proxy comes with what its response says, and its headers', () => {
    const spec = refuseConnect({
      status: 503,
      headers: { server: 'squid' },
      body: '<title>Could not connect</title>',
    });
    expect(describeEnd(spec, PROXIED)).toMatchObject({
      details: ['The proxy says: Could not connect'],
      traces: ['Response headers: server: squid'],
    });
  });

  test.each([
    [
      true,
      'Cancelled: the upload is unconfirmed.',
      'waiting',
      'after everything was sent, before a response arrived',
    ],
    [false, 'Cancelled: the scan was not uploaded.', 'connecting', 'while connecting'],
  ] as const)('of a cancelled attempt, sent: %s, is %s', (isSent, headline, state, when) => {
    const failure = {
      kind: 'step',
      error: new CancelledError('SIGINT'),
      text: 'It ended.',
    } as const;
    const { details, ...others } = describeEnd({ failure, isSent, state });
    expect(others.headline).toBe(headline);
    expect(details[0]).toBe(`It ended. This happened ${when}.`);
  });

  test('of a cancelled wait tells an earlier error once', () => {
    const error = new StepError('oidc-failed', 'No token.');
    const spec = connect({}, { failure: { kind: 'step', error, text: 'No token.' } });
    const stop = { reason: 'aborted', remainingMs: 1, isCancelled: true } as const;
    expect(describeEnd(spec, {}, { stop }).details).toEqual([
      'No token.',
      'Gave up after 1 attempt, while waiting for the next one.',
    ]);
  });
});
