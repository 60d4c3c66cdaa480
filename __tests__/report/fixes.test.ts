import { describe, expect, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import type { OwnFix } from '../../src/errors.ts';
import { fixAttempt } from '../../src/report/fixes.ts';
import type { UploadSettings } from '../../src/service/settings.ts';
import { followFrom } from '../../src/situations.ts';
import type { Situation } from '../../src/situations.ts';
import { SETTINGS } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { PROXIED, connect, describeEnd, end, refuse, stall } from '../support/endings.ts';

const CHECK = 'Check whether the service has the scan before you run the step again';
const HTTPS = String.raw`must begin with https:\/\/`;
const PLAIN = { isSecure: false };
const CUT = { response: { complete: false } };
const LOGIN = '^It may be a login page or a portal: check `base-url` and the credential';

/** How the fix of each situation begins, for a record of which nothing else is known. */
const FIXES: Readonly<Record<Exclude<Situation, OwnFix>, string>> = {
  inputs: 'Correct it in the workflow file, or in the secret',
  files: 'Correct the pattern, or the step that should have written the file',
  'oidc-permission': 'Give the job the permission `id-token: write`.',
  'oidc-failed':
    "Re-run the failed jobs later. On a runner of your own, check that it reaches GitHub's",
  'other-scans': 'Fix the scans that the message names.',
  'time-limit': 'Increase `timeout-seconds`.',
  cancelled: 'Run the step again to upload the scan.',
  unexpected: 'Report this message to the maintainers of the action.',
  'name-unknown': 'Check `base-url`. A name of a private network needs a runner inside it',
  'connect-failed':
    'Check that the service is running, and the scheme, host and port in `base-url`.',
  'tls-failed': 'Check the scheme and the port in `base-url`.',
  'certificate-date': 'Renew the certificate, or correct the clock of the runner.',
  'certificate-name':
    'The certificate is for other names: check the host in `base-url`, or in the proxy',
  'certificate-untrusted': 'Ask the operators of the service for a valid certificate.',
  'client-certificate': 'If the service asks for a client certificate, set `client-cert` and',
  'client-certificate-asked': 'If the service asks for a client certificate, set `client-cert` and',
  'proxy-credentials': "Check the credentials in the proxy's URL (https_proxy, http_proxy).",
  'proxy-refused': 'Ask the operators of the proxy to allow scan.example:443.',
  'proxy-failed':
    'Check the proxy variables (https_proxy, http_proxy, no_proxy) of the job, the host',
  'not-http': 'Check the scheme and the port in `base-url`: a TLS port needs https://.',
  'connection-broken':
    'The service may have refused the upload: check its size limit and the credential.',
  stalled: 'Check the network. If the service needs longer, increase `stall-timeout-seconds`.',
  'response-lost': `${CHECK}.`,
  'response-silent': `${CHECK}. Ask its operators why it does not respond within 300 s.`,
  'response-unreadable': `${CHECK}. Check that \`base-url\` is that of the service.`,
  'early-success': 'Something responds without reading the upload: check the path in `base-url`.',
  redirect: 'It may lead to a login page: check `base-url` and the credential.',
  'web-page': 'It may be a login page or a portal: check `base-url` and the credential.',
  'success-refused': 'The status is one of success, but the body reports a failure',
  invalid:
    'Check `scan-key`, the files, and which file is in which part. If that does not help, ask',
  'https-required': '`base-url` must begin with https:// for this port.',
  'credential-rejected': 'Check `token`, and `token-header` and `token-prefix` if',
  forbidden:
    'Check that the credential may upload for this `scan-key`. If it may, ask the operators',
  'not-found': `The service returned 404 for ${SETTINGS.address}: check \`base-url\`. If it is right,`,
  'request-timeout': 'The upload arrived too slowly: check the network between the runner and',
  'too-large': 'The upload is probably too large for the service or a gateway in front of it',
  'rate-limited': 'The service limits the rate of uploads. Re-run the failed jobs later.',
  'service-failed':
    'The service failed; this workflow is not the cause. Re-run the failed jobs later',
  'service-problem': 'A file may cause it (scan.json (1.2 KiB)): give the operators',
  unavailable: 'The service is not available, or a gateway cannot reach it;',
  'gateway-failed': 'A gateway got no valid response from the service;',
  'gateway-timeout': 'A gateway stopped waiting for the service;',
  'gateway-interrupted': 'A gateway sent the upload to the service, then lost it;',
  refused: `Check that ${SETTINGS.address} is the upload address of the service. If it is, ask its`,
};

function isSituation(name: string): name is keyof typeof FIXES {
  return Object.hasOwn(FIXES, name);
}

const SITUATIONS = Object.keys(FIXES).filter(isSituation);

describe('fixAttempt', () => {
  test.each(SITUATIONS)('has for %s a fix without gaps', (situation) => {
    const { result } = followFrom(situation);
    const fix = fixAttempt(situation, { ...end({}), result }).join('\n');
    expect(fix.slice(0, FIXES[situation].length)).toBe(FIXES[situation]);
    expect(fix).toMatch(/^\S.*\.$/s);
    expect(fix).not.toMatch(/undefined|NaN|null/);
  });

  test.each(SITUATIONS)(
    'advises no re-run in %s before a check if an attempt was unconfirmed',
    (situation) => {
      const fix = fixAttempt(situation, { ...end({}), result: 'unconfirmed' }).join(' ');
      expect(fix).not.toMatch(/re-run|start the step|run the step again to/i);
    },
  );

  test('prefers what the error itself says', () => {
    const error = new StepError('files', 'Gone.', ['Do this.', 'And that.']);
    const { fixes } = describeEnd({ failure: { kind: 'step', error, text: 'Gone.' } });
    expect(fixes).toEqual(['Do this.', 'And that.']);
  });
});

/** Where a fix depends on more than the situation. */
describe('the fix', () => {
  test.each<[string, AttemptSpec, Partial<UploadSettings>, string]>([
    // Certificates.
    [
      'a self-signed certificate',
      connect({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      {},
      '^If you know this certificate, set `ca-cert` to it',
    ],
    [
      'an unknown CA',
      connect({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
      {},
      '^For a private CA, or a proxy that inspects TLS, set `ca-cert`',
    ],
    [
      'an unknown CA beside `ca-cert`',
      connect({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
      { hasOwnCa: true },
      '^No certificate in `ca-cert` issued it: .* does not send its intermediate',
    ],
    [
      'an unknown CA behind a proxy',
      connect({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
      PROXIED,
      '^The proxy proxy.example:3128 may inspect TLS: set `ca-cert`',
    ],
    [
      "an unknown CA of a proxy's certificate",
      connect({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', isProxys: true }),
      PROXIED,
      '^For a private CA',
    ],
    [
      "a proxy's invalid certificate",
      connect({ code: 'INVALID_PURPOSE', isProxys: true }),
      PROXIED,
      '^Ask the operators of the proxy for a valid certificate',
    ],
    [
      'a refused client certificate',
      connect({ alert: 42 }),
      { hasClientCertificate: true },
      '^Check that `client-cert` and `client-key` are valid',
    ],
    [
      'a client certificate that is asked for',
      refuse({ body: '<p>No SSL certificate' }),
      { hasClientCertificate: true },
      '^Check that `client-cert` and `client-key` are valid',
    ],
    // Connections.
    [
      'a connection that broke early',
      connect({}, { state: 'asking' }),
      PLAIN,
      `^If the port expects TLS, .* ${HTTPS}. .*: check its size limit and the credential. If`,
    ],
    [
      'a connection that broke later',
      connect({}, { state: 'sending', sentBytes: 9 }),
      { ...PLAIN, ...PROXIED },
      '^The service may .* The proxy proxy.example:3128 may also have closed it\\.$',
    ],
    [
      'a lost response to http://',
      connect({}, { state: 'waiting', isSent: true }),
      PLAIN,
      `^${CHECK}\\. If the port expects TLS, \`base-url\` ${HTTPS}\\.$`,
    ],
    [
      'a lost response to https://',
      connect({}, { state: 'waiting', isSent: true }),
      PROXIED,
      `^${CHECK}\\. The proxy proxy.example:3128 may also have closed it\\.$`,
    ],
    ['a truncated response to http://', CUT, PLAIN, `^${CHECK}\\.$`],
    [
      'a stalled response',
      { ...stall('reading', true), ...CUT },
      {},
      `^${CHECK}\\. If the service needs longer, increase`,
    ],
    [
      'TLS after everything was sent',
      connect({ isTlsRecord: true }, { state: 'waiting', isSent: true }),
      PLAIN,
      `^${CHECK}\\. Check the scheme and the port`,
    ],
    // Responses.
    [
      'a 409',
      refuse({ status: 409, body: 'x' }),
      {},
      '^Check in the service whether it has a scan for this `scan-key` already',
    ],
    [
      'an early 400 without a text',
      { ...refuse(), isSent: false },
      {},
      'the upload may also be too large\\.$',
    ],
    [
      'an early 400 with a text',
      { ...refuse({ body: 'Bad name' }), isSent: false },
      {},
      'with the trace id\\.$',
    ],
    ['a 400 without a text', refuse(), {}, 'with the trace id\\.$'],
    [
      'a 401 to an OIDC token',
      refuse({ status: 401 }),
      { credentialKind: 'oidc' },
      '^Check `oidc-audience`',
    ],
    [
      'a 401 without a credential',
      refuse({ status: 401 }),
      { credentialKind: 'none' },
      'set `token`, or `auth: oidc`',
    ],
    [
      'a 404 that names a scan',
      refuse({ status: 404, body: '{"detail":"No such scan."}' }),
      {},
      '^Check `scan-key`. If it is right, check `base-url`\\.$',
    ],
    [
      'a 404 to /v1',
      refuse({ status: 404 }),
      { basePath: '/api/v1' },
      ' It ends in /v1, which the action adds itself',
    ],
    [
      'a 404 to /v11',
      refuse({ status: 404 }),
      { basePath: '/api/v11' },
      'check `base-url`\\. If it is right',
    ],
    [
      'a 405 to /v1',
      refuse({ status: 405 }),
      { basePath: '/api/v1/' },
      ' It ends in /v1, which the action adds itself',
    ],
    [
      'a sign-in page',
      { response: { kind: 'web-page', body: '<title>Sign in</title>' } },
      {},
      LOGIN,
    ],
    [
      'a redirect to the operation',
      refuse({
        status: 307,
        headers: { location: 'https://new.example/a/v1/scanner/upload-file' },
      }),
      {},
      '^If this is your service, set `base-url` to https://new.example/a\\.$',
    ],
  ])('for %s depends on its record', (_, spec, settings, words) => {
    expect(describeEnd(spec, settings).fixes.join('\n')).toMatch(new RegExp(words));
  });

  test.each([
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
    'The server did not find a current representation for the target resource',
    'POST /v1/scanner/upload-multiple-files is unknown',
  ])('for a 404 that says %j names `base-url` first', (text) => {
    for (const body of [text, JSON.stringify({ detail: text })]) {
      expect(describeEnd(refuse({ status: 404, body })).fixes[0]).toMatch(
        /^The service returned 404/,
      );
    }
  });

  test.each([
    ['time-limit', 'Check the service first. Then increase `timeout-seconds`; if it never'],
    ['cancelled', 'Check the service before you run the step again.'],
    ['oidc-failed', `${CHECK}. On a runner of your own`],
    [
      'unavailable',
      `The service is not available, or a gateway cannot reach it; this workflow is not the cause. ${CHECK}, or give`,
    ],
    ['rate-limited', `The service limits the rate of uploads. ${CHECK}.`],
  ] as const)('for %s begins with a check if the service may have the scan', (situation, words) => {
    const [fix = ''] = fixAttempt(situation, { ...end({}), result: 'unconfirmed' });
    expect(fix.slice(0, words.length)).toBe(words);
  });
});
