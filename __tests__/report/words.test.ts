import { describe, expect, test } from '@jest/globals';
import { explainUpload } from '../../src/report/failure.ts';
import type { Failure } from '../../src/report/failure.ts';
import type { ConnectionError } from '../../src/service/attempt.ts';
import { IIS_BODY_BYTES, findSituation, followAttempt } from '../../src/service/judge.ts';
import type { UploadSettings } from '../../src/service/settings.ts';
import {
  SETTINGS,
  makeAttempt,
  makeConnectionError,
  makeResponse,
  makeUpload,
} from '../support/attempts.ts';
import type { AttemptSpec, ResponseSpec } from '../support/attempts.ts';

const LARGE = { bodyBytes: IIS_BODY_BYTES + 1, files: 'scan.json (30.0 MiB)' };
const PROXIED = { proxyHost: 'proxy.example:3128' };
const CHECK_PROXY = 'Check the proxy variables (https_proxy, http_proxy, no_proxy) of the job.';
const ADDRESS = SETTINGS.address;
const HTML = { 'content-type': 'text/html' };
const SIGN_IN = { headers: HTML, body: '<html><title>Sign in to ACME</title></html>' };

function describeAttempt(spec: AttemptSpec, settings: Partial<UploadSettings> = {}): Failure {
  const all = { ...SETTINGS, ...settings };
  const last = makeAttempt(spec);
  const situation = findSituation(last, all);
  const { result } = followAttempt(situation, last);
  const failure = explainUpload(makeUpload(last, { situation, result, settings: all }));
  if (failure === undefined) throw new Error('There is no failure.');
  return failure;
}

function respond(response: ResponseSpec, settings: Partial<UploadSettings> = {}): Failure {
  return describeAttempt({ response: { status: 400, ...response } }, settings);
}

function refuseWith(problem: object, response: ResponseSpec = {}): Failure {
  return respond({ body: JSON.stringify(problem), ...response });
}

/** An attempt that failed while connecting. */
function connect(error: Partial<ConnectionError>, text: string): AttemptSpec {
  const failure = { kind: 'connection', error: makeConnectionError({ ...error, text }) } as const;
  return { failure, state: 'connecting', isSent: false, sentBytes: 0 };
}

function stall(state: AttemptSpec['state'], isSent = false): AttemptSpec {
  return { failure: { kind: 'limit', limitMs: 20_000 }, state: state ?? 'sending', isSent };
}

describe('the words of a problem', () => {
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

describe('the words of a response without a problem', () => {
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

describe('the words of a 401', () => {
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

  test.each([
    ['token', '`token`'],
    ['oidc', '`oidc-audience`'],
    ['none', '`auth: oidc`'],
  ] as const)('name the fix with auth: %s', (credentialKind, words) => {
    const { fixes } = respond({ status: 401 }, { credentialKind });
    expect(fixes).toEqual([expect.stringContaining(words)]);
  });
});

describe('the fix of a response', () => {
  test.each<[ResponseSpec, RegExp]>([
    [{ status: 400 }, /^Check `scan-key` and the files\. If that/],
    [{ status: 403, body: '{}' }, /^Check that the credential may upload for this `scan-key`\.$/],
    [
      { status: 403 },
      /may upload for this `scan-key`\. If it may, ask the operators of the gateway/,
    ],
    [
      { status: 403, headers: HTML },
      /^A gateway or firewall .* the address of the runner, the request/,
    ],
    [{ status: 403, body: 'CSRF token missing' }, /exempt the view/],
    [{ status: 404 }, new RegExp(`404 for ${ADDRESS}: check \`base-url\``)],
    [{ status: 404, body: '{"detail":"No such scan."}' }, /^Check `scan-key`\.$/],
    [{ status: 404, body: '{"title":"Not Found"}' }, /check `base-url` and `scan-key`\.$/],
    [{ status: 405 }, new RegExp(`responds for ${ADDRESS}: check \`base-url\``)],
    [{ status: 408 }, /network between the runner and the service/],
    [{ status: 409 }, /has a scan for this `scan-key` already/],
    [{ status: 413 }, /^The upload is probably too large .* or a gateway in front of it/],
    [{ status: 415 }, /refuses multipart\/form-data/],
    [{ status: 422 }, /^Check the files, and which file/],
    [{ status: 429 }, /limits the rate/],
    [
      { status: 500 },
      /^The service failed; this workflow is not the cause\. Re-run the failed jobs later/,
    ],
    [{ status: 500, body: '{"detail":"No."}' }, /A file may cause it \(scan\.json \(1\.2 KiB\)\)/],
    [
      { status: 503 },
      /^The service is not available, or a gateway .* Re-run the failed jobs later/,
    ],
    [{ status: 502 }, /^A gateway could not reach .* Check whether the service has/],
    [{ status: 504 }, /^A gateway stopped waiting .* Check whether the service has/],
    [
      { status: 503, body: 'Backend fetch failed' },
      /^A gateway sent .* Check whether the service has/,
    ],
    [{ status: 418 }, /ask its operators, with the trace id/],
    [{ status: 200, kind: 'web-page' }, /^It may be a login page or a portal/],
    [{ status: 200, kind: 'web-page', ...SIGN_IN }, /^Check the credential/],
    [{ status: 200, kind: 'problem' }, /but the body reports a failure/],
    [{ body: '<title>400 No required SSL certificate was sent</title>' }, /set `client-cert`/],
  ])('for %j is %s', (response, words) => {
    expect(respond(response).fixes.join('\n')).toMatch(words);
  });

  test('for a 400 to http:// that speaks of TLS is https://', () => {
    const { fixes } = respond({ body: 'This port requires TLS.' }, { isSecure: false });
    expect(fixes[0]).toMatch(/^`base-url` must begin with https:/);
  });

  test('says that a client certificate was not accepted if one is set', () => {
    const { fixes } = respond(
      { body: 'The SSL certificate error' },
      { hasClientCertificate: true },
    );
    expect(fixes).toEqual([
      'The client certificate was not accepted: check `client-cert` and `client-key`.',
    ]);
  });

  test.each([
    [false, '', true],
    [true, '', false],
    [false, 'x', false],
  ])('for a 400, sent: %s, with the body %j may be the size: %s', (isSent, body, isHinted) => {
    const { fixes } = describeAttempt({ isSent, response: { status: 400, body } });
    expect(fixes[0]?.includes('may also be too large')).toBe(isHinted);
  });

  test('shows the title of a page that came instead of a response', () => {
    const { details } = respond({ status: 200, kind: 'web-page', ...SIGN_IN });
    expect(details).toEqual(['The page says: Sign in to ACME']);
  });

  test.each([404, 405])('for a %i says that the action adds /v1 itself', (status) => {
    const hint = 'It ends in /v1';
    expect(respond({ status }, { basePath: '/api/v1' }).fixes[0]).toContain(hint);
    expect(respond({ status }, { basePath: '/api/v11' }).fixes[0]).not.toContain(hint);
  });

  test('names the files of an upload that is too large', () => {
    const { details, fixes } = respond({ status: 413 }, LARGE);
    expect(details[0]).toBe('Files: scan.json (30.0 MiB); the whole upload: 30000001 bytes');
    expect(fixes[0]).toContain('too large');
  });
});

describe('the words of a redirect', () => {
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

describe('the words of a connection', () => {
  test.each<[AttemptSpec, Partial<UploadSettings>, string, RegExp]>([
    [
      connect({ code: 'ENOTFOUND' }, 'getaddrinfo ENOTFOUND scan.example'),
      {},
      'The name scan.example does not resolve: getaddrinfo ENOTFOUND scan.example',
      /^Check `base-url`\./,
    ],
    [
      stall('resolving'),
      {},
      'The name scan.example could not be looked up: no response of the name server within 20 s.',
      /name server/,
    ],
    [
      stall('connecting'),
      {},
      'No connection to scan.example:443 within 20 s.',
      /^A firewall may block it: check the port in `base-url`, or use a runner inside the network\.$/,
    ],
    [
      stall('connecting'),
      PROXIED,
      'No connection to scan.example:443 (through the proxy proxy.example:3128) within 20 s.',
      /^A firewall may block it/,
    ],
    [
      stall('tunnelling'),
      PROXIED,
      'The proxy proxy.example:3128 opened no connection to scan.example:443 within 20 s.',
      new RegExp(CHECK_PROXY.replaceAll(/[()]/g, String.raw`\$&`)),
    ],
    [
      stall('sending'),
      PROXIED,
      'No data was sent to or received from https://scan.example (through the proxy proxy.example:3128) for 20 s while the files were being sent.',
      /increase `stall-timeout-seconds`/,
    ],
    [
      stall('waiting', true),
      {},
      'No data was sent to or received from https://scan.example for 20 s after everything was sent, before a response arrived.',
      /^Check whether the service has the scan/,
    ],
    [
      connect({ code: 'ECONNREFUSED', syscall: 'connect' }, 'connect ECONNREFUSED 192.0.2.1:443'),
      {},
      'scan.example:443 refused the connection: connect ECONNREFUSED 192.0.2.1:443',
      /^Check that the service is running/,
    ],
    [
      connect({ code: 'ECONNRESET' }, 'read ECONNRESET'),
      { isSecure: false },
      'The connection to https://scan.example failed while connecting: read ECONNRESET',
      /^Check that the service is running/,
    ],
    [
      { ...connect({ code: 'EPIPE' }, 'write EPIPE'), state: 'sending', sentBytes: 9 * 2 ** 20 },
      { ...LARGE, bodyBytes: 30 * 2 ** 20 },
      'scan.example:443 closed the connection after 9 of 30 MiB.',
      /^The service may have refused the upload: check its size limit and `token`\. /,
    ],
    [
      { ...connect({ code: 'ECONNRESET' }, 'reset'), state: 'flushing', sentBytes: 700 },
      { ...PROXIED, credentialKind: 'oidc', isSecure: false },
      'scan.example:443 (through the proxy proxy.example:3128) closed the connection after 0.7 of 1.5 KiB.',
      /limit and `oidc-audience`\. /,
    ],
    [
      { ...connect({ code: 'ECONNRESET' }, 'read ECONNRESET'), state: 'asking', sentBytes: 0 },
      { credentialKind: 'none', isSecure: false },
      'The connection to https://scan.example failed before the files were sent: read ECONNRESET',
      /^If the port expects TLS, .*: check its size limit\. If it did not, check the network\.$/,
    ],
    [
      { ...connect({ code: 'ETIMEDOUT' }, 'read ETIMEDOUT'), state: 'sending' },
      {},
      'The connection to https://scan.example failed while the files were being sent: read ETIMEDOUT',
      /check the network\.$/,
    ],
    [
      connect({ isTlsRecord: true, code: 'HPE_INVALID_CONSTANT' }, 'Parse Error'),
      { isSecure: false },
      'scan.example:443 speaks TLS, not plain HTTP.',
      /^`base-url` must begin with https:\/\//,
    ],
    [
      { ...connect({ isTlsRecord: true }, 'Parse Error'), state: 'waiting', isSent: true },
      { isSecure: false },
      'scan.example:443 speaks TLS, not plain HTTP.',
      /^Check whether the service has the scan .* must begin with https:\/\//,
    ],
    [
      connect({ code: 'CERT_HAS_EXPIRED' }, 'certificate has expired (CERT_HAS_EXPIRED)'),
      {},
      'The certificate of https://scan.example is not trusted: certificate has expired (CERT_HAS_EXPIRED)',
      /^Renew the service's certificate, or correct the clock/,
    ],
    [
      connect({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'self-signed certificate'),
      {},
      'The certificate of https://scan.example is not trusted: self-signed certificate',
      /^Set `ca-cert` to this certificate/,
    ],
    [
      connect({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'unable to verify'),
      { hasOwnCa: true },
      'The certificate of https://scan.example is not trusted: unable to verify',
      /^No certificate in `ca-cert` issued it: add that of its CA\. .* the service does not send its intermediate/,
    ],
    [
      connect({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'self-signed'),
      PROXIED,
      'The certificate of https://scan.example is not trusted: self-signed',
      /^The proxy proxy\.example:3128 may inspect TLS: add its CA to `ca-cert`\. /,
    ],
    [
      connect({ code: 'ERR_SSL_X', alert: 40 }, 'handshake failure'),
      {},
      'TLS with https://scan.example failed: handshake failure',
      /^If the service asks for a client certificate, set/,
    ],
    [
      connect({ code: 'ERR_SSL_X', alert: 40 }, 'handshake failure'),
      { hasClientCertificate: true },
      'TLS with https://scan.example failed: handshake failure',
      /^Check that `client-cert` is valid/,
    ],
    [
      connect({ isProxys: true, code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'unable to verify'),
      PROXIED,
      'The certificate of the proxy proxy.example:3128 is not trusted: unable to verify',
      /set `ca-cert`/,
    ],
    [
      connect({ isProxys: true, code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'other names'),
      PROXIED,
      'The certificate of the proxy proxy.example:3128 is not trusted: other names',
      /check the host in the proxy variable/,
    ],
    [
      connect(
        { isProxys: true, proxyResponse: makeResponse({ status: 407 }) },
        'the proxy responded with 407',
      ),
      PROXIED,
      'The proxy proxy.example:3128 refused the connection to scan.example:443: HTTP 407 Proxy Authentication Required.',
      /credentials in the proxy's URL/,
    ],
    [
      { failure: connect({ code: 'ECONNRESET' }, 'read ECONNRESET').failure },
      { isSecure: false },
      'The connection to https://scan.example failed after everything was sent, before a response arrived: read ECONNRESET',
      /^Check whether the service has the scan .* must begin with https:\/\/\.$/,
    ],
    [
      connect(
        { isProxys: true, proxyResponse: makeResponse({ status: 403 }) },
        'the proxy responded with 403',
      ),
      PROXIED,
      'The proxy proxy.example:3128 refused the connection to scan.example:443: HTTP 403 Forbidden.',
      /^Ask the operators of the proxy to allow scan\.example:443\.$/,
    ],
    [
      connect(
        { isProxys: true, proxyResponse: makeResponse({ status: 502 }) },
        'the proxy responded with 502',
      ),
      PROXIED,
      'The proxy proxy.example:3128 could not reach scan.example:443: HTTP 502 Bad Gateway.',
      /^Check the host in `base-url`, and that the service is up\.$/,
    ],
    [
      connect({ isProxys: true, code: 'ECONNRESET' }, 'closed (ECONNRESET)'),
      PROXIED,
      'The proxy proxy.example:3128 closed the connection without a response to CONNECT scan.example:443: closed (ECONNRESET)',
      /ask the operators of the proxy whether it allows scan\.example:443/,
    ],
    [
      connect({ code: 'ECONNRESET' }, 'closed (ECONNRESET)'),
      PROXIED,
      'The tunnel through the proxy proxy.example:3128 to scan.example:443 ended while connecting: closed (ECONNRESET)',
      /^Check the host and port in `base-url`/,
    ],
    [
      { response: { kind: 'other', headers: { 'content-encoding': 'zstd' } } },
      {},
      'The response of https://scan.example (HTTP 200 OK, zstd) cannot be read.',
      /gzip, deflate or br/,
    ],
    [
      { ...connect({}, 'aborted'), isSent: true, response: { status: 201, complete: false } },
      {},
      'The response of https://scan.example (HTTP 201 Created) was truncated: aborted',
      /^Check whether the service has the scan/,
    ],
    [
      { response: {}, isSent: false },
      {},
      'https://scan.example responded with HTTP 200 OK before everything was sent: it cannot have the whole upload.',
      /^Something responds without reading the upload: check the path in `base-url`\.$/,
    ],
    [
      {
        ...connect({ code: 'EPIPE' }, 'write EPIPE'),
        isSent: true,
        digests: undefined,
        response: {},
      },
      {},
      'https://scan.example responded with HTTP 200 OK before the connection had taken everything.',
      /check the path in `base-url`/,
    ],
  ])('of %j with %j say what happened and what to do', (spec, settings, headline, fix) => {
    const failure = describeAttempt(spec, settings);
    expect(failure.headline).toBe(headline);
    expect(failure.fixes.join('\n')).toMatch(fix);
  });

  test('of a proxy have the first line of its response, and its headers', () => {
    const texts = { headers: { server: 'squid' }, body: '<title>Could not connect</title>' };
    const proxyResponse = makeResponse({ status: 503, ...texts });
    const spec = connect({ isProxys: true, proxyResponse }, 'the proxy responded with 503');
    expect(describeAttempt(spec, PROXIED)).toMatchObject({
      details: ['The proxy says: Could not connect'],
      traces: ['Response headers: server: squid', expect.any(String)],
    });
  });
});
