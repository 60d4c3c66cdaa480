import type { TlsOptions } from 'node:tls';
import { ACCEPTED, NOT_SENT } from '../harness/case-scripts.ts';
import type { Authority } from '../harness/authority.ts';
import type { FaultCase } from '../harness/types.ts';

const UNTRUSTED = { ...NOT_SENT, reason: 'certificate' } as const;

/** Certificates on either side, behind a proxy; `__tests__/action/situations` has them without one. */
export const CERTIFICATES: readonly FaultCase[] = [
  {
    name: 'a private CA that is not given',
    transports: ['https-proxy'],
    inputs: () => ({ 'ca-cert': '', retries: '2' }),
    expected: UNTRUSTED,
  },
  {
    name: 'another CA given as ca-cert',
    transports: ['https-proxy'],
    inputs: ({ authority }) => ({ 'ca-cert': authority.stranger.cert, retries: '2' }),
    expected: UNTRUSTED,
  },
  ...(['otherHost', 'expired'] as const).map((which): FaultCase => ({
    name: `a certificate that is not valid (${which})`,
    transports: ['https-proxy'],
    tls: ({ authority }) => authority[which],
    inputs: () => ({ retries: '2' }),
    expected: UNTRUSTED,
  })),
  ...(['TLSv1.2', 'TLSv1.3'] as const).map((version): FaultCase => ({
    name: `a client certificate is required and given (${version})`,
    transports: [version === 'TLSv1.2' ? 'https' : 'https-proxy'],
    tls: ({ authority }) => requireClient(authority, version),
    expected: ACCEPTED,
  })),
  {
    name: 'a client certificate is required and not given',
    transports: ['https-proxy'],
    tls: ({ authority }) => requireClient(authority, 'TLSv1.3'),
    inputs: () => ({ 'client-cert': '', 'client-key': '', retries: '2' }),
    expected: UNTRUSTED,
  },
];

function requireClient({ ca }: Authority, version: 'TLSv1.2' | 'TLSv1.3'): TlsOptions {
  const versions = { minVersion: version, maxVersion: version };
  return { ca, requestCert: true, rejectUnauthorized: true, ...versions };
}
