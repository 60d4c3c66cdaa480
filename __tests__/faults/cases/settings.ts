import type { Scene } from '../harness/scene.ts';
import type { FaultCase } from '../harness/types.ts';
import { ACCEPTED } from '../harness/serve.ts';

interface BadInput {
  readonly row: string;
  readonly variant: string;
  readonly inputs?: FaultCase['inputs'];
  readonly env?: FaultCase['env'];
  readonly says: RegExp;
}

/** An invalid input ends the step before any connection. */
function refused({ row, variant, inputs, env, says }: BadInput): FaultCase {
  return {
    row,
    variant,
    transports: ['http'],
    ...(inputs !== undefined && { inputs }),
    ...(env !== undefined && { env }),
    expected: { result: 'not-sent', status: '', attempts: '0', says, connections: 0 },
  };
}

type Write = (port: number, scene: Scene) => string;

/** Invalid values that would reach the service if they were accepted as an address. */
const ADDRESSES: Readonly<Record<string, Write>> = {
  'a host as user name': (port) => `http://good.example@127.0.0.1:${port}`,
  'user name and password': (port, { secrets }) =>
    `http://me:${encodeURIComponent(secrets.token.value)}@127.0.0.1:${port}`,
  'an empty user name': (port) => `http://@127.0.0.1:${port}`,
  'a tab within': (port) => `http://127.0.0.1\t:${port}`,
  'a line break within': (port) => `http://127.0.0.1:${port}\n/tenant`,
  'a carriage return within': (port) => `http://127.0.0.1:${port}/\r::error::PWNED`,
  'a space within': (port) => `http://127.0.0.1:${port}/a b`,
  'a zero-width space within': (port) => `http://127.0.0.1\u200b:${port}`,
  'a backslash': (port) => `http:\\\\127.0.0.1:${port}`,
  'a query': (port, { secrets }) =>
    `http://127.0.0.1:${port}/?key=${encodeURIComponent(secrets.token.value)}`,
  'a fragment': (port) => `http://127.0.0.1:${port}/#/v1`,
  'no scheme': (port) => `127.0.0.1:${port}`,
  'no host': (port) => `http:///127.0.0.1:${port}`,
  'one slash': (port) => `http:/127.0.0.1:${port}`,
  ftp: (port) => `ftp://127.0.0.1:${port}`,
  file: () => 'file:///etc/passwd',
  'a port that is none': () => 'http://127.0.0.1:99999',
  nothing: () => '',
};

const TLS_OFF = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

/** S6 and S7: addresses and settings that must not be used. */
const REFUSED: readonly FaultCase[] = [
  ...Object.entries(ADDRESSES).map(([what, write]) =>
    refused({
      row: 'S7',
      variant: `base-url with ${what}`,
      inputs: (scene) => ({ 'base-url': write(scene.server.port, scene) }),
      says: /base-url/,
    }),
  ),
  {
    row: 'S6',
    variant: 'http to a host that is not loopback',
    transports: ['http-proxy'],
    inputs: () => ({ 'allow-http': 'false' }),
    expected: { result: 'not-sent', attempts: '0', says: /must begin with https/, connections: 0 },
    check: ({ proxy }) => (proxy?.targets.length === 0 ? [] : ['the proxy was asked']),
  },
  {
    row: 'S6',
    variant: 'verification of certificates switched off',
    transports: ['https'],
    inputs: () => ({ 'ca-cert': '' }),
    env: () => TLS_OFF,
    expected: { result: 'not-sent', attempts: '0', says: /ca-cert/, connections: 0 },
  },
];

/** S2, S3 and F38: what a secret may look like. */
const SECRETS: readonly FaultCase[] = [
  refused({
    row: 'S3',
    variant: 'an empty token',
    inputs: () => ({ token: '' }),
    says: /`token` is empty/,
  }),
  refused({
    row: 'S3',
    variant: 'a blank token',
    inputs: () => ({ token: ' \n\t ' }),
    says: /`token` is empty/,
  }),
  refused({
    row: 'S3',
    variant: 'a token of several lines',
    inputs: ({ secrets }) => ({ token: `${secrets.token.value}\n${secrets.apiKey.value}` }),
    says: /`token` has a line break/,
  }),
  refused({
    row: 'S3',
    variant: 'a secret in a header line that is not one',
    inputs: ({ secrets }) => ({ headers: secrets.apiKey.value }),
    says: /`headers`, line 1/,
  }),
  refused({
    row: 'S3',
    variant: 'a secret in a header name',
    inputs: ({ secrets }) => ({ headers: `X-Api-Key ${secrets.apiKey.value}: x` }),
    says: /`headers`, line 1/,
  }),
  refused({
    row: 'S3',
    variant: 'a client key without its frame',
    inputs: ({ secrets }) => ({ 'client-key': secrets.clientKey.value.replaceAll('-----', '') }),
    says: /client-key/,
  }),
  {
    row: 'S3',
    variant: 'a token with a line break at its end',
    inputs: ({ secrets }) => ({ token: `${secrets.token.value}\r\n` }),
    expected: ACCEPTED,
    check: ({ secrets }, { masks }) =>
      masks.includes(secrets.token.value) ? [] : ['the token is not masked'],
  },
  {
    row: 'S3',
    variant: 'every secret is masked',
    transports: ['https-proxy'],
    expected: ACCEPTED,
    check: ({ secrets }, { masks }) =>
      [secrets.token, secrets.apiKey, ...secrets.cookies, secrets.proxyPassword]
        .filter(({ value }) => !masks.includes(value))
        .map(({ name }) => `not masked: ${name}`),
  },
  {
    row: 'F38',
    variant: 'a credential header whose value is short',
    inputs: () => ({ headers: 'X-Debug: true\nX-Debug-Key: true' }),
    expected: { ...ACCEPTED, says: /too short to be masked.*: X-Debug-Key$/m },
    check: (_scene, { masks }) => (masks.includes('true') ? ["'true' is masked"] : []),
  },
];

export const SETTINGS: readonly FaultCase[] = [...REFUSED, ...SECRETS];
