import { ENCODERS } from '../../properties/encodings.ts';
import type { FaultCase } from '../harness/types.ts';
import { KEPT_BYTES, fill, said } from './said.ts';

/** Puts a character into the middle of each part of a secret. */
function split(value: string, by: string): string {
  return value.replaceAll(/(\w{10})(?=\w)/g, `$1${by}`);
}

/** A problem with a text in every encoding. */
function encodeInProblem(text: string): string {
  const encoded = Object.values(ENCODERS).map((encode) => encode(text));
  return JSON.stringify({ title: 'Refused', errors: { '': encoded } });
}

/** S2: secrets in every encoding, and those that are joined or split only when the action changes a text. */
export const SPLIT_SECRETS: readonly FaultCase[] = [
  ...Object.entries({
    'a zero-width space': '\u200b',
    'an escape sequence': '\u001b[0m',
    'a control character': '\u0001',
    'a soft hyphen': '\u00ad',
  }).map(([what, by]) =>
    said({
      row: 'S2',
      variant: `${what} within a secret`,
      reply: ({ secrets }) => ({
        body: JSON.stringify({ detail: `d ${split(secrets.token.value, by)}` }),
      }),
    }),
  ),
  ...[4000, 4090, 4096].map((shown) =>
    said({
      row: 'S2',
      variant: `a secret across the ${shown}th character, where texts are truncated`,
      reply: ({ secrets }) => ({
        body: JSON.stringify({ detail: `${fill('ab ', shown - 30)}${secrets.token.value} end` }),
      }),
    }),
  ),
  said({
    row: 'S2',
    variant: 'a secret across the 64 KiB that are kept of a response',
    reply: ({ secrets }) => ({
      body: `${secrets.token.value} ${fill('\n', KEPT_BYTES - 80)}${secrets.token.value} end`,
    }),
  }),
  said({
    row: 'S2',
    variant: 'a secret with a quote within a quoted challenge',
    status: 401,
    reply: ({ secrets }) => ({
      headers: {
        'WWW-Authenticate': `Bearer error_description="bad ${JSON.stringify(secrets.token.value).slice(1)}`,
      },
    }),
  }),
  said({
    row: 'S2',
    variant: "a secret with a < within a page's title",
    reply: ({ secrets }) => ({ body: `<html><title>${secrets.token.value}</title></html>` }),
  }),
  ...["'`/=\\", '\u00e9\u00ff"\u00c3\u00a9'].map((end): FaultCase => ({
    ...said({
      row: 'S2',
      variant: `a token with ${end} in every encoding`,
      reply: ({ secrets }) => ({ body: encodeInProblem(secrets.token.value + end) }),
    }),
    inputs: ({ secrets }) => ({ token: secrets.token.value + end, 'timeout-seconds': '20' }),
  })),
  {
    row: 'S2',
    variant: 'a token of 120 KB in many lines',
    transports: ['http'],
    inputs: ({ secrets }) => {
      const lines = Array.from({ length: 2000 }, (_, index) => `${secrets.token.value}${index}`);
      return { token: lines.join('\n'), 'timeout-seconds': '1' };
    },
    serve: (peer) => peer.readUpload(),
    expected: { result: 'not-sent', attempts: '0' },
  },
  {
    ...said({
      row: 'S2',
      variant: 'a token that brings its scheme along, repeated without it',
      reply: ({ secrets }) => ({ body: JSON.stringify({ detail: `no ${secrets.token.value}` }) }),
    }),
    inputs: ({ secrets }) => ({
      token: `Bearer ${secrets.token.value}`,
      'token-prefix': 'none',
      'timeout-seconds': '20',
    }),
  },
  {
    ...said({
      row: 'S2',
      variant: 'the password of a Basic credential, repeated as it was before it was encoded',
      reply: ({ secrets }) => ({ body: JSON.stringify({ detail: `no ${secrets.token.value}` }) }),
    }),
    inputs: ({ secrets }) => ({
      token: secrets.basic,
      'token-prefix': 'Basic',
      'timeout-seconds': '20',
    }),
  },
];
