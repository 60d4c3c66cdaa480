import { describe, expect, test } from '@jest/globals';
import { explainConnection, explainStall } from '../../src/report/explain-connection.ts';
import { IIS_BODY_BYTES } from '../../src/report/upload-facts.ts';
import type { ConnectionFault } from '../../src/service/connection-error.ts';
import type { Reason } from '../../src/report/result.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import { FACTS } from '../support/report.ts';

const PHASES: readonly (readonly [Phase, string])[] = [
  ['connect', 'while connecting'],
  ['continue', 'before the files were sent'],
  ['send', 'while the files were being sent'],
  ['head', 'after everything was sent, before a response arrived'],
  ['body', 'while the response was being read'],
];
const ADVICE: Partial<Record<Phase, readonly string[]>> = {
  connect: ['Check that the service is running, and the scheme, host and port in `base-url`.'],
  send: ['Check the network, and whether the service refuses the upload.'],
};
const LIMIT = 'Increase `stall-timeout-seconds` if the service needs longer.';
const PROXIED = { ...FACTS, proxyHost: 'proxy.example:3128' };

describe('explainConnection', () => {
  test.each<[ConnectionFault, Reason, string, string]>([
    [
      'certificate',
      'certificate',
      'The certificate of https://scan.example is not trusted',
      'set `ca-cert`',
    ],
    [
      'client-certificate',
      'certificate',
      'https://scan.example asks for a client certificate',
      'Set `client-cert` and `client-key`.',
    ],
    ['tls', 'connection', 'TLS with https://scan.example failed', '`base-url`'],
    ['name', 'name', 'The name scan.example does not resolve', '`base-url`'],
    [
      'proxy',
      'proxy',
      'No connection to https://scan.example through the proxy',
      '(https_proxy, http_proxy, no_proxy)',
    ],
    [
      'proxy-name',
      'proxy',
      'No connection to https://scan.example through the proxy',
      '(https_proxy, http_proxy, no_proxy)',
    ],
    [
      'proxy-refused',
      'proxy',
      'The proxy refused the connection to https://scan.example',
      "proxy's credentials",
    ],
    [
      'proxy-certificate',
      'certificate',
      'The certificate of the proxy proxy.example:3128 is not trusted',
      'set `ca-cert`',
    ],
    [
      'not-http',
      'connection',
      'The server at https://scan.example does not speak HTTP',
      '`base-url`',
    ],
  ])('names the fix for %s', (fault, reason, headline, fix) => {
    expect(explainConnection({ fault, text: 'why (CODE)' }, 'connect', PROXIED)).toEqual({
      reason,
      headline: `${headline}: why (CODE)`,
      details: [],
      advice: [expect.stringContaining(fix)],
      traces: [],
    });
  });

  test.each<[ConnectionFault, string, RegExp]>([
    ['certificate', 'CERT_HAS_EXPIRED', /^[^-]*[Rr]enew[^-]*$/],
    ['certificate', 'CERT_NOT_YET_VALID', /^[^-]*clock[^-]*$/],
    ['certificate', 'ERR_TLS_CERT_ALTNAME_INVALID', /in `base-url`\.$/],
    ['certificate', 'HOSTNAME_MISMATCH', /in `base-url`\.$/],
    ['certificate', 'SELF_SIGNED_CERT_IN_CHAIN', /set `ca-cert` to the certificate of the CA\.$/],
    ['proxy-certificate', 'CERT_HAS_EXPIRED', /^Renew the proxy's certificate/],
    ['proxy-certificate', 'HOSTNAME_MISMATCH', /in the proxy variable\.$/],
    // TLS 1.2 has no alert of its own for a missing client certificate.
    ['tls', 'ssl/tls alert handshake failure (EPROTO)', /Set `client-cert` and `client-key`\.$/],
  ])('names the fix for %s: %s', (fault, text, fix) => {
    const { advice } = explainConnection({ fault, text }, 'connect', FACTS);
    expect(advice).toEqual([expect.stringMatching(fix)]);
  });

  test('says that `ca-cert` lacks the CA if it is set', () => {
    const diagnosis = { fault: 'certificate', text: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } as const;
    const { advice } = explainConnection(diagnosis, 'connect', { ...FACTS, hasOwnCa: true });
    expect(advice).toEqual([expect.stringMatching(/^No certificate in `ca-cert` issued it\. /)]);
  });

  test.each(PHASES)('says when a connection broke (%s)', (phase, when) => {
    const diagnosis = { fault: 'connection', text: 'read ECONNRESET' } as const;
    expect(explainConnection(diagnosis, phase, FACTS)).toEqual({
      reason: 'connection',
      headline: `The connection to https://scan.example failed ${when}: read ECONNRESET`,
      details: [],
      advice: ADVICE[phase] ?? [],
      traces: [],
    });
  });

  test.each([
    [IIS_BODY_BYTES, false],
    [IIS_BODY_BYTES + 1, true],
  ])(
    'suggests that the upload is too large if a reset ends one of %i bytes: %s',
    (bodyBytes, is) => {
      const diagnosis = { fault: 'connection', text: 'write EPIPE' } as const;
      const { details, advice } = explainConnection(diagnosis, 'send', { ...FACTS, bodyBytes });
      expect(details).toEqual(is ? ['Files: scan.json (1.2 KiB)'] : []);
      expect(advice[0]?.includes('(it may be too large)')).toBe(is);
    },
  );
});

describe('explainStall', () => {
  test.each(PHASES)(
    'says when no data was transferred (%s), and which input sets the limit',
    (phase, when) => {
      expect(explainStall(phase, 1500, FACTS)).toEqual({
        reason: 'stalled',
        headline: `No data was sent to or received from https://scan.example for 1.5 s ${when}.`,
        details: [],
        advice: phase === 'head' ? [] : [LIMIT],
        traces: [],
      });
    },
  );

  test('names the proxy, and its variables until there is a connection', () => {
    const { headline, advice } = explainStall('connect', 1500, PROXIED);
    expect(headline).toBe(
      'No data was sent to or received from https://scan.example (through the proxy proxy.example:3128) for 1.5 s while connecting.',
    );
    expect(advice).toEqual([expect.stringContaining('https_proxy'), LIMIT]);
    expect(explainStall('send', 1500, PROXIED).advice).toEqual([LIMIT]);
  });
});
