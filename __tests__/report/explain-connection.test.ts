import { describe, expect, test } from '@jest/globals';
import { explainConnection, explainStall, namePhase } from '../../src/report/explain-connection.ts';
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

describe('explainConnection', () => {
  const faults: readonly (readonly [ConnectionFault, string, readonly string[]])[] = [
    [
      'certificate',
      'The certificate of https://scan.example is not trusted: why (CODE)',
      ['ca-cert'],
    ],
    [
      'client-certificate',
      'https://scan.example asks for a client certificate: why (CODE)',
      ['client-cert', 'client-key'],
    ],
    ['tls', 'TLS with https://scan.example failed: why (CODE)', ['base-url']],
    ['name', 'The name scan.example does not resolve: why (CODE)', ['base-url']],
    [
      'proxy',
      'The proxy gave no connection to https://scan.example: why (CODE)',
      ['https_proxy', 'http_proxy', 'no_proxy'],
    ],
    [
      'proxy-name',
      'The proxy gave no connection to https://scan.example: why (CODE)',
      ['https_proxy', 'http_proxy', 'no_proxy'],
    ],
    [
      'proxy-refused',
      'The proxy refused the connection to https://scan.example: why (CODE)',
      ["proxy's credentials"],
    ],
    [
      'not-http',
      'The server at https://scan.example does not speak HTTP: why (CODE)',
      ['base-url'],
    ],
  ];
  test.each(faults)('names what mends a fault of the kind %s', (fault, headline, names) => {
    const explanation = explainConnection({ fault, text: 'why (CODE)' }, 'connect', FACTS);
    expect(explanation.headline).toBe(headline);
    expect(explanation.details).toEqual([]);
    expect(explanation.advice).toHaveLength(1);
    for (const name of names) expect(explanation.advice[0]).toContain(name);
  });

  test.each([
    ['CERT_HAS_EXPIRED', 'renewed'],
    ['CERT_NOT_YET_VALID', 'clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'base-url'],
    ['HOSTNAME_MISMATCH', 'base-url'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'ca-cert'],
  ])('names what mends a certificate with the fault %s', (code, word) => {
    const diagnosis = { fault: 'certificate', text: `why (${code})` } as const;
    const { advice } = explainConnection(diagnosis, 'connect', FACTS);
    expect(advice).toEqual([expect.stringContaining(word)]);
    expect(advice[0]?.includes('ca-cert')).toBe(word === 'ca-cert');
  });

  test('names the certificate that a handshake of TLS 1.2 may have failed for', () => {
    const text = 'ssl/tls alert handshake failure, SSL alert number 40 (EPROTO)';
    const { advice } = explainConnection({ fault: 'tls', text }, 'connect', FACTS);
    expect(advice).toEqual([expect.stringContaining('client-cert and client-key')]);
  });

  test.each(PHASES.filter(([phase]) => phase !== 'send'))(
    'says when a connection broke (%s)',
    (phase, when) => {
      const diagnosis = { fault: 'connection', text: 'read ECONNRESET' } as const;
      expect(explainConnection(diagnosis, phase, FACTS)).toEqual({
        headline: `The connection to https://scan.example failed ${when}: read ECONNRESET`,
        details: [],
        advice: [],
      });
    },
  );

  test('names both things that a reset while sending can mean', () => {
    const diagnosis = { fault: 'connection', text: 'write EPIPE' } as const;
    expect(explainConnection(diagnosis, 'send', FACTS)).toEqual({
      headline:
        'The connection to https://scan.example failed while the files were being sent: write EPIPE',
      details: [],
      advice: ['The line broke, or the service refused the upload and closed the connection.'],
    });
  });

  test.each([
    [IIS_BODY_BYTES, false],
    [IIS_BODY_BYTES + 1, true],
  ])(
    'of a reset while %i bytes were being sent takes the size for a reason: %s',
    (bodyBytes, is) => {
      const diagnosis = { fault: 'connection', text: 'write EPIPE' } as const;
      const facts = { ...FACTS, bodyBytes };
      const { details, advice } = explainConnection(diagnosis, 'send', facts);
      expect(details).toEqual(is ? ['Files: scan.json (1.2 KiB)'] : []);
      expect(advice[0]?.includes('perhaps as too large')).toBe(is);
    },
  );
});

describe('explainStall', () => {
  test.each(PHASES)(
    'says what nothing happened in (%s), and which input sets the limit',
    (phase, when) => {
      const { headline, details, advice } = explainStall(phase, 1500, FACTS);
      expect(headline).toBe(`Nothing moved to or from https://scan.example for 1.5 s ${when}.`);
      expect(details).toEqual([]);
      expect(advice).toEqual(phase === 'head' ? [] : ['The limit is stall-timeout-seconds.']);
    },
  );
});

describe('explainStall behind a proxy', () => {
  const facts = { ...FACTS, proxyHost: 'proxy.example:3128' };

  test('names the proxy, which may be what does not answer, and its variables', () => {
    const { headline, advice } = explainStall('connect', 1500, facts);
    expect(headline).toBe(
      'Nothing moved to or from https://scan.example (through the proxy proxy.example:3128) for 1.5 s while connecting.',
    );
    expect(advice).toEqual([
      expect.stringContaining('https_proxy'),
      'The limit is stall-timeout-seconds.',
    ]);
  });

  test('does not suspect it once there is a connection', () => {
    const { headline, advice } = explainStall('send', 1500, facts);
    expect(headline).toContain('through the proxy proxy.example:3128');
    expect(advice).toEqual(['The limit is stall-timeout-seconds.']);
  });
});

describe('namePhase', () => {
  test.each(PHASES)('of %s is %s', (phase, name) => {
    expect(namePhase(phase)).toBe(name);
  });
});
