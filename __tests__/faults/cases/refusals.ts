import { afterUpload } from '../harness/case-scripts.ts';
import { hostileReply } from '../harness/hostile.ts';
import type { FaultCase } from '../harness/types.ts';

/** Refusals that repeat every secret, and the reason of each. */
const REASONS = {
  401: 'credentials',
  403: 'credentials',
  404: 'problem',
  429: 'rate-limited',
  500: 'problem',
  503: 'unavailable',
} as const;

/** Refusals of a service or a gateway. */
export const REFUSALS: readonly FaultCase[] = [
  {
    name: "ASP.NET's 400 for a body that is too large",
    serve: afterUpload((peer) => {
      const message =
        'Failed to read the request form. Request body too large. The max is 30 bytes.';
      const title = 'One or more validation errors occurred.';
      peer.reply(400, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ title, status: 400, errors: { '': [message] } }),
      });
    }),
    expected: { result: 'rejected', reason: 'too-large', status: '400' },
  },
  ...[502, 504].map((status): FaultCase => ({
    name: `a gateway's ${status} after the whole body`,
    transports: [status === 502 ? 'https-proxy' : 'https'],
    serve: afterUpload((peer, { secrets }) => peer.reply(status, hostileReply(secrets))),
    expected: {
      result: 'unconfirmed',
      reason: 'unavailable',
      status: String(status),
      attempts: 1,
    },
  })),
  {
    name: 'a 417 after the whole body',
    serve: afterUpload((peer, { secrets }) => peer.reply(417, hostileReply(secrets))),
    expected: {
      result: 'rejected',
      reason: 'problem',
      status: '417',
      attempts: 1,
      connections: 1,
    },
  },
  {
    name: 'unconfirmed first, then 401',
    inputs: () => ({ retries: '1' }),
    serve: afterUpload((peer, { secrets }, turn) => {
      if (turn === 1) return peer.reset();
      peer.reply(401, hostileReply(secrets));
    }),
    expected: { result: 'unconfirmed', reason: 'credentials', status: '401', attempts: 2 },
  },
  {
    name: 'a 400 that repeats every secret',
    transports: ['http', 'https', 'http-proxy', 'https-proxy'],
    serve: afterUpload((peer, { secrets }) => peer.reply(400, hostileReply(secrets))),
    expected: { result: 'rejected', reason: 'problem', status: '400', attempts: 1 },
  },
  ...Object.entries(REASONS).map(([status, reason]): FaultCase => ({
    name: `a ${status} that repeats every secret`,
    serve: afterUpload((peer, { secrets }) => peer.reply(Number(status), hostileReply(secrets))),
    expected: { result: 'rejected', reason, status, attempts: 1 },
  })),
];
