import type { TlsOptions } from 'node:tls';
import type { FaultCase, Transport } from '../harness/types.ts';
import { ACCEPTED, NOT_SENT, afterFirstByte } from '../harness/serve.ts';

const SECURE: readonly Transport[] = ['https', 'https-proxy'];

/** F36: certificates, on either side. */
export const CERTIFICATES: readonly FaultCase[] = [
  {
    row: 'F36',
    variant: 'a private CA, given as ca-cert',
    transports: SECURE,
    expected: ACCEPTED,
  },
  {
    row: 'F36',
    variant: 'a private CA, not given',
    transports: SECURE,
    inputs: () => ({ 'ca-cert': '', retries: '2' }),
    expected: { ...NOT_SENT, says: /ca-cert/ },
  },
  {
    row: 'F36',
    variant: 'another CA given as ca-cert',
    transports: SECURE,
    inputs: ({ authority }) => ({ 'ca-cert': authority.stranger.cert, retries: '2' }),
    expected: { ...NOT_SENT, says: /ca-cert/ },
  },
  {
    row: 'F36',
    variant: 'a certificate for another host',
    transports: SECURE,
    tls: ({ authority }) => authority.otherHost,
    inputs: () => ({ retries: '2' }),
    expected: { ...NOT_SENT, says: /for other names/ },
  },
  {
    row: 'F36',
    variant: 'an expired certificate',
    transports: SECURE,
    tls: ({ authority }) => authority.expired,
    inputs: () => ({ retries: '2' }),
    expected: { ...NOT_SENT, says: /Renew the service's certificate/ },
  },
  ...(['TLSv1.2', 'TLSv1.3'] as const).flatMap((version): FaultCase[] => [
    {
      row: 'F36',
      variant: `a client certificate is required and given (${version})`,
      transports: SECURE,
      tls: ({ authority }) => requireClient(authority.ca, version),
      expected: ACCEPTED,
    },
    {
      row: 'F36',
      variant: `a client certificate is required and not given (${version})`,
      transports: SECURE,
      tls: ({ authority }) => requireClient(authority.ca, version),
      inputs: () => ({ 'client-cert': '', 'client-key': '', retries: '2' }),
      expected: { ...NOT_SENT, says: /client-cert/ },
    },
    {
      row: 'F36',
      variant: `a client certificate of another CA, dropped without a word (${version})`,
      transports: SECURE,
      tls: ({ authority }) => requireClient(authority.stranger.cert, version),
      // In TLS 1.3 the client has finished the handshake before the server checks its certificate.
      expected: {
        result: version === 'TLSv1.2' ? 'not-sent' : ['not-sent', 'unconfirmed'],
        status: '',
      },
    },
  ]),
  ...Object.entries({
    42: 'bad certificate',
    46: 'certificate unknown',
    48: 'unknown authority',
  }).map(([alert, name]): FaultCase => ({
    row: 'F36',
    variant: `the alert that a client certificate is not accepted (${name})`,
    transports: SECURE,
    wire: 'tcp',
    inputs: () => ({ retries: '2' }),
    serve: afterFirstByte((peer) =>
      peer.socket.end(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, Number(alert)])),
    ),
    expected: { ...NOT_SENT, says: /client-cert/ },
  })),
  {
    row: 'F36',
    variant: 'the alert that the two sides do not agree',
    transports: SECURE,
    wire: 'tcp',
    inputs: () => ({ retries: '2' }),
    serve: afterFirstByte((peer) =>
      peer.socket.end(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 40])),
    ),
    expected: { ...NOT_SENT, says: /TLS with/ },
  },
];

function requireClient(ca: string, version: 'TLSv1.2' | 'TLSv1.3'): TlsOptions {
  return {
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: version,
    maxVersion: version,
  };
}
