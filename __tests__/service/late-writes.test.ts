import type { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { readEvidence } from '../../src/outcomes/evidence.ts';
import { judge } from '../../src/outcomes/judge.ts';
import type { Attempt } from '../../src/service/attempt.ts';
import { makeBody, makeError, exchangeOver, makeConnection } from '../support/exchanges.ts';
import type { Done, Setting } from '../support/exchanges.ts';
import { makeTask } from '../support/scans.ts';
import { makeReply } from '../support/servers.ts';
import { KIB, MIB, makeBytes } from '../support/workspace.ts';

const SCHEMES = ['http', 'https'] as const;

type Act = (connection: Duplex) => void;

const respond =
  (status: number, body = '', ends = false, headers = {}): Act =>
  (connection) => {
    connection.push(makeReply(status, { headers, body }));
    if (ends) connection.push(null);
  };
const disconnect: Act = (connection) => void connection.destroy(makeError('ECONNRESET'));

// Over TLS, the callback of the last write may come after the response to it.

interface Late extends Setting {
  /** Acts so much later than the last write; by default calls back. */
  readonly ms?: number;
  readonly release?: (done: Done, connection: Duplex) => void;
  readonly scheme?: string;
}

/** An exchange in which `act` comes before the callback of the last write. */
async function exchangeLate(
  act: Act,
  { ms = 10_000, release = (done) => done(), ...setting }: Late,
): Promise<Attempt> {
  const connection = makeConnection((_connection, _piece, done, isLast) => {
    if (!isLast) return done();
    setImmediate(act, connection);
    setTimeout(() => release(done, connection), ms).unref();
  });
  return exchangeOver(connection, setting);
}

describe.each(SCHEMES)('a response over %s before the callback of the last write', (scheme) => {
  // Over TLS everything may have been sent.
  const isSent = scheme === 'https';

  test.each([
    [1, false],
    [50, true],
  ])('is accepted if the callback comes %i ms later (and the end: %s)', async (ms, breaks) => {
    const release: Late['release'] = (done, connection) => {
      done();
      if (breaks) connection.destroy(new Error('broken'));
    };
    const end = await exchangeLate(respond(200, 'stored'), { ms, scheme, release });
    const response = { complete: true, says: ['stored'] };
    expect(end).toMatchObject({ isSent: true, response, failure: undefined });
    expect(judge(readEvidence(end, makeTask()))).toBeUndefined();
  });

  const BROKEN = { kind: 'connection', error: { text: 'broken' } };
  const LIMIT = { kind: 'limit', limitMs: 400 };
  const fails = { ms: 50, release: (done: Done) => done(new Error('broken')) };
  test.each<[string, Act, Late, object]>([
    ['the callback does not come', respond(200), { limits: { stallMs: 400 } }, { failure: LIMIT }],
    ['the last write fails', respond(200, '', true), fails, { isSent, failure: BROKEN }],
    [
      'the connection ends before it',
      respond(200, 'half', true, { 'Content-Length': '9' }),
      { ms: 50 },
      {},
    ],
  ])('is not accepted if %s', async (_, act, late, record) => {
    const end = await exchangeLate(act, { ...late, scheme });
    expect(end).toMatchObject({ ...record, response: { status: 200, complete: false } });
    expect(['response-early', 'connection-broken']).toContain(
      judge(readEvidence(end, makeTask()))?.situation,
    );
  });
});

const drip: Act = (connection) => {
  respond(400, 'half', false, { 'Content-Length': '9' })(connection);
  setTimeout(() => connection.push('later'), 100);
};

test('a refusal before the callback of the last write is read once', async () => {
  const response = { status: 400, complete: true, says: ['halflater'] };
  expect(await exchangeLate(drip, { ms: 30 })).toMatchObject({ state: 'reading', response });
});

// A server responds early and closes the connection: the next write fails before the response is read.

interface Broken extends Setting {
  /** From so many bytes on writes fail, or else at the last piece. */
  readonly failAt?: number;
  readonly scheme?: string;
}

/** An exchange whose writes fail; `act` comes after that. */
async function exchangeBroken(act: Act, { failAt = 500 * KIB, ...setting }: Broken = {}) {
  let bytes = 0;
  const connection = makeConnection((_connection, piece, done, isLast) => {
    bytes += piece.length;
    if (bytes < failAt && !isLast) return done();
    done(makeError('EPIPE', 'write EPIPE'));
    setTimeout(act, 30, connection);
  });
  return exchangeOver(connection, { body: await makeBody(makeBytes(MIB)), ...setting });
}

describe.each(SCHEMES)('a write that fails over %s', (scheme) => {
  test('waits for the refusal that has arrived', async () => {
    const end = await exchangeBroken(respond(413, 'too large', true), { scheme });
    const response = { status: 413, complete: true, says: ['too large'] };
    expect(end).toMatchObject({ isSent: false, response, failure: undefined });
  });

  test('never counts as sent, and fails with its own error if nothing has arrived', async () => {
    const sent: number[] = [];
    const onSent = (bytes: number): void => void sent.push(bytes);
    const end = await exchangeBroken(disconnect, { scheme, onSent });
    const record = { state: 'sending', isSent: false, response: undefined };
    const failure = { kind: 'connection' };
    expect(end).toMatchObject({ ...record, failure, sentBytes: sent.at(-1) });
    expect(end.sentBytes).toBeLessThan(500 * KIB);
    expect(judge(readEvidence(end, makeTask()))?.situation).toBe('connection-broken');
  });

  test('at the last piece keeps a success from being accepted', async () => {
    const end = await exchangeBroken(respond(200, 'too late', true), { scheme, failAt: Infinity });
    // Over TLS the service may have everything, although the write failed.
    const response = { status: 200, complete: false };
    expect(end).toMatchObject({ isSent: scheme === 'https', digests: undefined, response });
    expect(judge(readEvidence(end, makeTask()))?.situation).toBe('response-early');
  });
});
