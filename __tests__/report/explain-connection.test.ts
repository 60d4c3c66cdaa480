import { describe, expect, test } from '@jest/globals';
import { explainConnection, explainStall } from '../../src/report/explain-connection.ts';
import { IIS_BODY_BYTES } from '../../src/report/explain-service.ts';
import type { ConnectionFault } from '../../src/service/connection-error.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import { FACTS } from '../support/report.ts';

const PHASES: readonly (readonly [Phase, string])[] = [
  ['connect', 'while connecting'],
  ['continue', 'before the files were sent'],
  ['send', 'while the files were being sent'],
  ['head', 'after everything was sent, before a response came'],
  ['body', 'while the response was being read'],
];
const LIMIT = 'The limit is stall-timeout-seconds.';
const PROXIED = { ...FACTS, proxyHost: 'proxy.example:3128' };

describe('explainConnection', () => {
  test.each<[ConnectionFault, string, string]>([
    ['certificate', 'The certificate of https://scan.example is not trusted', 'as ca-cert'],
    [
      'client-certificate',
      'https://scan.example asks for a client certificate',
      'client-cert and client-key',
    ],
    ['tls', 'TLS with https://scan.example failed', 'base-url'],
    ['name', 'The name scan.example does not resolve', 'base-url'],
    [
      'proxy',
      'The proxy gave no connection to https://scan.example',
      '(https_proxy, http_proxy, no_proxy)',
    ],
    [
      'proxy-name',
      'The proxy gave no connection to https://scan.example',
      '(https_proxy, http_proxy, no_proxy)',
    ],
    [
      'proxy-refused',
      'The proxy refused the connection to https://scan.example',
      "proxy's credentials",
    ],
    ['not-http', 'The server at https://scan.example does not speak HTTP', 'base-url'],
  ])('names the fix for %s', (fault, headline, fix) => {
    expect(explainConnection({ fault, text: 'why (CODE)' }, 'connect', FACTS)).toEqual({
      headline: `${headline}: why (CODE)`,
      details: [],
      advice: [expect.stringContaining(fix)],
    });
  });

  test.each<[ConnectionFault, string, RegExp]>([
    ['certificate', 'CERT_HAS_EXPIRED', /^[^-]*renewed[^-]*$/],
    ['certificate', 'CERT_NOT_YET_VALID', /^[^-]*clock[^-]*$/],
    ['certificate', 'ERR_TLS_CERT_ALTNAME_INVALID', /in base-url\.$/],
    ['certificate', 'HOSTNAME_MISMATCH', /in base-url\.$/],
    ['certificate', 'SELF_SIGNED_CERT_IN_CHAIN', /as ca-cert\.$/],
    // TLS 1.2 has no alert of its own for a missing client certificate.
    ['tls', 'ssl/tls alert handshake failure (EPROTO)', /client-cert and client-key\.$/],
  ])('names the fix for %s: %s', (fault, text, fix) => {
    const { advice } = explainConnection({ fault, text }, 'connect', FACTS);
    expect(advice).toEqual([expect.stringMatching(fix)]);
  });

  test.each(PHASES)('says when a connection broke (%s)', (phase, when) => {
    const diagnosis = { fault: 'connection', text: 'read ECONNRESET' } as const;
    expect(explainConnection(diagnosis, phase, FACTS)).toEqual({
      headline: `The connection to https://scan.example failed ${when}: read ECONNRESET`,
      details: [],
      advice:
        phase === 'send'
          ? ['The line broke, or the service refused the upload and closed the connection.']
          : [],
    });
  });

  test.each([
    [IIS_BODY_BYTES, false],
    [IIS_BODY_BYTES + 1, true],
  ])('takes a reset while sending %i bytes for a refusal of the size: %s', (bodyBytes, is) => {
    const diagnosis = { fault: 'connection', text: 'write EPIPE' } as const;
    const { details, advice } = explainConnection(diagnosis, 'send', { ...FACTS, bodyBytes });
    expect(details).toEqual(is ? ['Files: scan.json (1.2 KiB)'] : []);
    expect(advice[0]?.includes('perhaps as too large')).toBe(is);
  });
});

describe('explainStall', () => {
  test.each(PHASES)(
    'says when nothing moved (%s), and which input sets the limit',
    (phase, when) => {
      expect(explainStall(phase, 1500, FACTS)).toEqual({
        headline: `Nothing moved to or from https://scan.example for 1.5 s ${when}.`,
        details: [],
        advice: phase === 'head' ? [] : [LIMIT],
      });
    },
  );

  test('names the proxy, and its variables until there is a connection', () => {
    const { headline, advice } = explainStall('connect', 1500, PROXIED);
    expect(headline).toBe(
      'Nothing moved to or from https://scan.example (through the proxy proxy.example:3128) for 1.5 s while connecting.',
    );
    expect(advice).toEqual([expect.stringContaining('https_proxy'), LIMIT]);
    expect(explainStall('send', 1500, PROXIED).advice).toEqual([LIMIT]);
  });
});
