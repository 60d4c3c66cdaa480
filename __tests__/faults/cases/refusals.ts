import { hostileReply } from '../harness/hostile.ts';
import type { FaultCase, Transport } from '../harness/types.ts';
import { afterUpload } from '../harness/serve.ts';

const ALL: readonly Transport[] = ['http', 'https', 'https-proxy'];

/** F33 to F35, and S4: refusals of a service or a gateway. */
export const REFUSALS: readonly FaultCase[] = [
  ...[
    'Request body too large. The max is 30 bytes.',
    'Multipart body length limit 134217728 exceeded.',
  ].map((limit): FaultCase => ({
    row: 'F33',
    variant: `ASP.NET's 400 for a body too large: ${limit}`,
    serve: afterUpload((peer) => {
      const message = `Failed to read the request form. ${limit}`;
      const title = 'One or more validation errors occurred.';
      const body = JSON.stringify({ title, status: 400, errors: { '': [message] } });
      peer.reply(400, { headers: { 'Content-Type': 'application/json' }, body });
    }),
    expected: {
      result: 'rejected',
      status: '400',
      // The field error comes before the generic title.
      says: /\nFailed to read the request form\. .*\nOne or more.*probably too large/s,
    },
  })),
  ...[502, 504, 520, 521, 522, 523, 524].map((status): FaultCase => ({
    row: 'F34',
    variant: `a gateway's ${status} after the whole body`,
    transports: status === 502 ? ALL : ['http', 'https'],
    serve: afterUpload((peer, { secrets }) => peer.reply(status, hostileReply(secrets))),
    expected: {
      result: 'unconfirmed',
      status: String(status),
      attempts: '1',
      says: /may have the scan/,
    },
  })),
  ...[401, 409].map((status): FaultCase => ({
    row: 'F35',
    variant: `unconfirmed first, then ${status}`,
    inputs: () => ({ retries: '1' }),
    serve: afterUpload((peer, { secrets }, turn) => {
      if (turn === 1) return peer.reset();
      peer.reply(status, hostileReply(secrets));
    }),
    expected: {
      result: 'unconfirmed',
      status: String(status),
      attempts: '2',
      says: /In an earlier attempt/,
    },
  })),
  ...[400, 401, 403, 404, 429, 500, 503].map((status): FaultCase => ({
    row: 'S4',
    variant: `a ${status} that repeats every secret`,
    transports: status === 400 ? [...ALL, 'http-proxy'] : ['http', 'https'],
    serve: afterUpload((peer, { secrets }) => peer.reply(status, hostileReply(secrets))),
    expected: { result: 'rejected', status: String(status), attempts: '1', says: /said no/ },
  })),
];
