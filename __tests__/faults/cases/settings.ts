import { ACCEPTED, INVALID } from '../harness/case-scripts.ts';
import type { FaultCase } from '../harness/types.ts';

/** An invalid input ends the step before any connection. */
function refused(name: string, inputs: NonNullable<FaultCase['inputs']>): FaultCase {
  return { name, transports: ['http'], inputs, expected: INVALID };
}

/** Addresses and settings that must not be used. */
const REFUSED: readonly FaultCase[] = [
  refused('base-url with the token as a password', ({ server, secrets }) => ({
    'base-url': `http://me:${encodeURIComponent(secrets.token.value)}@127.0.0.1:${server.port}`,
  })),
  refused('base-url with the token in a query', ({ server, secrets }) => ({
    'base-url': `http://127.0.0.1:${server.port}/?key=${encodeURIComponent(secrets.token.value)}`,
  })),
  refused('base-url with white space and a command', ({ server }) => ({
    'base-url': `http://127.0.0.1\t:${server.port}/\r::error::PWNED`,
  })),
  {
    name: 'http to a host that is not loopback',
    transports: ['http-proxy'],
    inputs: () => ({ 'allow-http': 'false' }),
    expected: INVALID,
    check: ({ proxy }) => (proxy?.targets.length === 0 ? [] : ['the proxy was asked']),
  },
  {
    name: 'verification of certificates switched off',
    transports: ['https'],
    inputs: () => ({ 'ca-cert': '' }),
    env: () => ({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
    expected: INVALID,
  },
];

/** What a secret may look like. */
const SECRETS: readonly FaultCase[] = [
  refused('a token of several lines', ({ secrets }) => ({
    token: `${secrets.token.value}\n${secrets.apiKey.value}`,
  })),
  refused('a token of 120 KB in many lines', ({ secrets }) => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${secrets.token.value}${index}`);
    return { token: lines.join('\n') };
  }),
  refused('a secret in a header line without a name', ({ secrets }) => ({
    headers: secrets.apiKey.value,
  })),
  refused('a client key without its frame', ({ secrets }) => ({
    'client-key': secrets.clientKey.value.replaceAll('-----', ''),
  })),
  {
    name: 'a token with a line break at its end, and every secret is masked',
    transports: ['https-proxy'],
    inputs: ({ secrets }) => ({ token: `${secrets.token.value}\r\n` }),
    expected: ACCEPTED,
    check: ({ secrets }, { masks }) =>
      [secrets.token, secrets.apiKey, ...secrets.cookies, secrets.proxyPassword]
        .filter(({ value }) => !masks.includes(value))
        .map(({ name }) => `not masked: ${name}`),
  },
  {
    name: 'a credential header whose value is short',
    inputs: () => ({ headers: 'X-Debug: true\nX-Debug-Key: true' }),
    expected: ACCEPTED,
    check: (_scene, { masks }) => (masks.includes('true') ? ["'true' is masked"] : []),
  },
];

export const SETTINGS: readonly FaultCase[] = [...REFUSED, ...SECRETS];
