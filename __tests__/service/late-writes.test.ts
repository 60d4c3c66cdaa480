import type { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { Attempt } from '../../src/service/attempt.ts';
import { findSituation } from '../../src/outcomes/judge.ts';
import { SETTINGS } from '../support/attempts.ts';
import { makeBody, makeError } from '../support/bodies.ts';
import { exchangeOver } from '../support/connections.ts';
import type { Done } from '../support/connections.ts';
import type { Setting } from '../support/exchanges.ts';
import { makeReply } from '../support/peer.ts';
import { KIB, MIB, makeBytes } from '../support/samples.ts';

const REASON = new CancelledError('SIGTERM');
const HALF = { headers: { 'Content-Length': '100' }, body: 'half of it' };
const SCHEMES = ['http', 'https'] as const;

const respond =
  (status: number, body = '', ends = false) =>
  (connection: Duplex): void => {
    connection.push(makeReply(status, body === 'half' ? HALF : { body }));
    if (ends) connection.push(null);
  };

function disconnect(connection: Duplex): void {
  connection.destroy(makeError('ECONNRESET'));
}

// Over TLS, the callback of the last write may come after the response to it.

interface Late extends Setting {
  /** Acts after the last write, in place of its callback. */
  readonly respond: (connection: Duplex) => void;
  /** Acts so much later; by default calls back. */
  readonly ms: number;
  readonly release?: (done: Done, connection: Duplex) => void;
  readonly scheme?: string;
}

async function exchangeLate({ respond: act, ms, release, ...setting }: Late): Promise<Attempt> {
  return exchangeOver(
    (connection, _, done, isLast) => {
      if (!isLast) return done();
      setImmediate(act, connection);
      setTimeout(() => (release ?? ((late) => late()))(done, connection), ms).unref();
    },
    { limits: { stallMs: 5000 }, ...setting },
  );
}

describe.each(SCHEMES)('a response over %s before the callback of the last write', (scheme) => {
  // Over TLS everything may have been sent.
  const isSent = scheme === 'https';
  const stall = { ms: 10_000, limits: { stallMs: 200 } };
  const breakLater = { ms: 50, release: (done: Done) => done(new Error('broken')) };

  test.each([
    [1, false],
    [100, false],
    [1, true],
    [50, true],
  ])('is accepted if the callback comes %i ms later (and the end: %s)', async (ms, breaks) => {
    const release: Late['release'] = (done, connection) => {
      done();
      if (breaks) connection.destroy(new Error('broken'));
    };
    const end = await exchangeLate({ respond: respond(200, 'stored'), ms, scheme, release });
    expect(end).toMatchObject({ isSent: true, response: { complete: true }, failure: undefined });
    expect(end.response?.says).toEqual(['stored']);
    expect(findSituation(end, SETTINGS)).toBeUndefined();
  });

  test.each<[string, Late, object]>([
    [
      'the callback does not come within the stall limit',
      { respond: respond(200), ...stall },
      { state: 'flushing', isSent, failure: { kind: 'limit', limitMs: 200 } },
    ],
    [
      'the last write fails',
      { respond: respond(200, '', true), ...breakLater },
      { isSent, failure: { kind: 'connection', error: { text: 'broken' } } },
    ],
    [
      'the connection ends at once',
      { respond: respond(200, 'half', true), ms: 1 },
      { failure: { kind: 'connection' } },
    ],
    [
      'the connection ends before the callback',
      { respond: respond(200, 'half', true), ms: 50 },
      { failure: { kind: 'connection' } },
    ],
  ])('is not accepted if %s', async (_, late, record) => {
    const end = await exchangeLate({ ...late, scheme });
    expect(end).toMatchObject({ ...record, response: { status: 200, complete: false } });
    expect(['early-success', 'connection-broken']).toContain(findSituation(end, SETTINGS));
  });

  test('is read at once if it is a refusal', async () => {
    const end = await exchangeLate({ respond: respond(400, 'no'), ms: 10_000, scheme });
    expect(end).toMatchObject({ isSent, response: { status: 400, complete: true } });
    expect(end.response?.says).toEqual(['no']);
  });

  test('is not accepted if it is missing after a reset', async () => {
    const end = await exchangeLate({ respond: disconnect, ms: 10_000, scheme });
    const record = { state: 'flushing', isSent, digests: undefined, response: undefined };
    expect(end).toMatchObject({ ...record, failure: { kind: 'connection' } });
  });
});

describe('a response before the callback of the last write', () => {
  test('is read under the limit of its own state', async () => {
    const limits = { stallMs: 300 };
    const end = await exchangeLate({ respond: respond(400, 'half'), ms: 30, limits });
    const response = { status: 400, complete: false, says: ['half of it'] };
    const failure = { kind: 'limit', limitMs: 300 };
    expect(end).toMatchObject({ state: 'reading', response, failure });
  });

  test.each([
    [400, 'half'],
    [200, ''],
  ])('is kept with the reason of the signal if it fires first: %i', async (status, body) => {
    const controller = new AbortController();
    const release = (): void => controller.abort(REASON);
    const late = { respond: respond(status, body), ms: 30, release, signal: controller.signal };
    const failure = { kind: 'step', error: REASON };
    const response = { status, complete: false };
    expect(await exchangeLate(late)).toMatchObject({ response, failure });
  });
});

// A server responds early and closes the connection: the next write fails before the response is read.

interface Broken extends Setting {
  /** Acts on a connection after its writes have begun to fail. */
  readonly arrive?: (connection: Duplex) => void;
  /** From so many bytes on writes fail, or else at the last piece. */
  readonly failAt?: number;
  readonly scheme?: string;
}

async function exchangeBroken({ arrive, failAt = 500 * KIB, ...setting }: Broken) {
  let bytes = 0;
  return exchangeOver(
    (connection, piece, done, isLast) => {
      bytes += piece.length;
      if (bytes < failAt && !isLast) return done();
      done(makeError('EPIPE', 'write EPIPE'));
      if (arrive) setTimeout(arrive, 30, connection);
    },
    { body: await makeBody(makeBytes(MIB)), ...setting },
  );
}

describe.each(SCHEMES)('a write that fails over %s', (scheme) => {
  test('waits for the refusal that has arrived', async () => {
    const end = await exchangeBroken({ arrive: respond(413, 'too large', true), scheme });
    const response = { status: 413, complete: true, says: ['too large'] };
    expect(end).toMatchObject({ isSent: false, response, failure: undefined });
  });

  test('never counts as sent, and fails with its own error if nothing has arrived', async () => {
    const sent: number[] = [];
    const onSent = (bytes: number): void => void sent.push(bytes);
    const end = await exchangeBroken({ arrive: disconnect, scheme, onSent });
    const record = { state: 'sending', isSent: false, response: undefined };
    const failure = { kind: 'connection' };
    expect(end).toMatchObject({ ...record, failure, sentBytes: sent.at(-1) });
    expect(end.sentBytes).toBeLessThan(500 * KIB);
    expect(findSituation(end, SETTINGS)).toBe('connection-broken');
  });

  test('does not stop the stall limit, or delay a cancellation', async () => {
    const controller = new AbortController();
    const stalled = await exchangeBroken({ scheme, limits: { stallMs: 200 } });
    expect(stalled).toMatchObject({ state: 'sending', failure: { kind: 'limit', limitMs: 200 } });
    const arrive = (): void => controller.abort(REASON);
    const end = await exchangeBroken({ arrive, scheme, signal: controller.signal });
    expect(end).toMatchObject({ failure: { kind: 'step', error: REASON }, isSent: false });
  });

  test('at the last piece keeps a success from being accepted', async () => {
    const body = await makeBody(makeBytes(100 * KIB));
    const arrive = respond(200, 'too late', true);
    const end = await exchangeBroken({ arrive, scheme, body, failAt: Infinity });
    // Over TLS the service may have everything, although the write failed.
    const response = { status: 200, complete: false };
    expect(end).toMatchObject({ isSent: scheme === 'https', digests: undefined, response });
    expect(findSituation(end, SETTINGS)).toBe('early-success');
  });
});

test('a write that fails ends the attempt after 1 s if the connection does not end', async () => {
  const { failure } = await exchangeBroken({});
  expect(failure).toMatchObject({ kind: 'connection', error: { code: 'EPIPE' } });
});
