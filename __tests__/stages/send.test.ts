import { STATUS_CODES } from 'node:http';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { cleanUp } from '../support/scope.ts';
import { Schedule } from '../../src/upload/schedule.ts';
import { setEnvironment } from '../support/environment.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import type { RawServer } from '../support/raw-server.ts';
import { MIB, REPORT, makeKey } from '../support/samples.ts';
import { waitUntil } from '../support/service.ts';
import { makeEntries, makeStages } from '../support/stages.ts';
import type { Stages } from '../support/stages.ts';

/** A service that responds to each scan key as the test sets, and records the requests. */
class KeyedServer {
  /** The last digits of the keys, in the order in which their requests were read. */
  readonly keys: number[] = [];
  readonly server: RawServer;

  private constructor(server: RawServer) {
    this.server = server;
  }

  static async open(
    respond: (key: number) => Buffer = () => makeReply(200),
    before: (key: number) => Promise<void> = async () => {},
  ): Promise<KeyedServer> {
    const opened = Promise.withResolvers<KeyedServer>();
    const server = await openServer(async (peer) => {
      const service = await opened.promise;
      await peer.readUpload();
      const text = peer.body.toString('latin1');
      const key = Number(/3fa85f64-5717-4562-b3fc-(\d{12})/.exec(text)?.[1]);
      service.keys.push(key);
      await before(key);
      peer.socket.end(respond(key));
    });
    const service = new KeyedServer(server);
    opened.resolve(service);
    return service;
  }
}

/** Prepared stages that send to this service. */
async function makeReady(
  service: KeyedServer,
  names: string,
  inputs: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Stages> {
  const to = { 'base-url': service.server.url.origin, ...inputs };
  const stages = await makeStages(makeEntries(names), to, {}, signal);
  await stages.prepare();
  return stages;
}

/** Sends scans to this service, one after the other; returns what became of them. */
async function sendTo(
  service: KeyedServer,
  names: string,
  inputs: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Stages> {
  const stages = await makeReady(service, names, { 'max-parallel': '1', ...inputs }, signal);
  await stages.send();
  return stages;
}

/** Result and situation of each scan. */
function listEnds({ results }: Stages): readonly string[] {
  return results.map(({ result, failure }) => `${result} ${failure?.situation ?? ''}`.trim());
}

function failToName(): never {
  throw new Error('no words');
}

describe('sendScans', () => {
  test('sends up to max-parallel scans at the same time, in order, and returns them in order', async () => {
    const held = new Map<number, () => void>();
    const service = await KeyedServer.open(
      (key) => makeReply(200 + key),
      async (key) => new Promise((resolve) => held.set(key, resolve)),
    );
    const stages = await makeReady(service, 'abcde', { 'max-parallel': '2' });
    const sending = stages.send();
    for (const [key, keys] of [
      [2, [1, 2]],
      [3, [1, 3]],
      [4, [1, 4]],
      [1, [1, 5]],
      [5, [5]],
    ] as const) {
      await waitUntil(() => keys.every((each) => held.has(each)));
      expect(held.size).toBe(keys.length);
      held.get(key)?.();
      held.delete(key);
    }
    await sending;
    const statuses = stages.results.map(({ status }) => status);
    expect(statuses).toEqual([201, 202, 203, 204, 205]);
  });

  test('measures each scan from the start of its first attempt', async () => {
    const wait = jest.spyOn(Schedule.prototype, 'wait').mockImplementation(() => delay(100));
    cleanUp(() => wait.mockRestore());
    const service = await KeyedServer.open(undefined, () => delay(100));
    const stages = await makeReady(service, 'ab', { 'max-parallel': '1' });
    const [start, begun] = [performance.now(), Date.now()];
    await stages.send();
    const starts = stages.results.map(({ startedAt = 0 }) => startedAt - begun);
    // The first waits 100 ms before it starts; the second also for the first, which takes 100 ms.
    expect(starts[0]).toBeGreaterThan(98);
    expect(starts[1]).toBeGreaterThan(Number(starts[0]) + 2 * 98);
    const [first = 0, second = 0] = stages.results.map(({ durationMs }) => durationMs);
    // Timers may fire up to 1 ms early.
    expect(Math.min(first, second)).toBeGreaterThan(98);
    expect(first + second).toBeLessThan(performance.now() - start - 2 * 98);
  });

  test('starts no upload after a scan whose credential is rejected', async () => {
    const service = await KeyedServer.open((key) => makeReply(key === 2 ? 401 : 200));
    const stages = await sendTo(service, 'abcd');
    expect(service.keys).toEqual([1, 2]);
    expect(listEnds(stages)).toEqual([
      'accepted',
      'rejected credential-rejected',
      'not-sent other-scans',
      'not-sent other-scans',
    ]);
    const [, , third, fourth] = stages.results;
    expect(third?.failure).toEqual(fourth?.failure);
    const headline = 'Not tried, because the service rejected the credential of b.';
    expect(third?.failure).toHaveProperty('headline', headline);
  });

  test('starts no upload after a scan for which the job may not request an OIDC token', async () => {
    setEnvironment({ ACTIONS_ID_TOKEN_REQUEST_URL: undefined });
    const service = await KeyedServer.open();
    const stages = await sendTo(service, 'ab', { auth: 'oidc' });
    expect(listEnds(stages)).toEqual(['not-sent oidc-permission', 'not-sent other-scans']);
    expect(service.server.connections()).toBe(0);
  });

  test.each([{}, { 'content-check': 'off' }, { 'dry-run': 'true' }])(
    'fails a scan whose file has changed, with its modification time put back: %j',
    async (inputs) => {
      const service = await KeyedServer.open();
      const to = { 'base-url': service.server.url.origin, ...inputs };
      const stages = await makeStages(makeEntries('a'), to);
      const path = join(stages.scope.workspace, 'a.json');
      await utimes(path, 0, 0);
      await stages.prepare();
      await stages.write('a.json', REPORT.replace('2', '3'));
      await utimes(path, 0, 0);
      await stages.send();
      expect(service.keys).toEqual([]);
      expect(listEnds(stages)).toEqual(['not-sent files']);
    },
  );

  test('ends all scans with one failure after a cancellation', async () => {
    const controller = new AbortController();
    const service = await KeyedServer.open(undefined, async (key) => {
      if (key === 2) controller.abort(new CancelledError('SIGINT'));
      if (key === 2) await new Promise(() => {});
    });
    const stages = await sendTo(service, 'abcd', {}, controller.signal);
    expect(service.keys).toEqual([1, 2]);
    expect(listEnds(stages)).toEqual([
      'accepted',
      'unconfirmed cancelled',
      'not-sent cancelled',
      'not-sent cancelled',
    ]);
    expect(stages.results[2]?.failure).toEqual(stages.results[3]?.failure);
  });

  test('keeps problems up to 8 MiB of all scans, then none', async () => {
    const body = JSON.stringify({ detail: 'No.', more: 'y'.repeat(60_000) });
    const service = await KeyedServer.open(() => makeReply(400, { body }));
    const entries = Array.from({ length: 145 }, (_, index) => ({
      name: `${index}`,
      'scan-key': makeKey(index),
      'scan-file': 'a.json',
    }));
    const stages = await makeStages(entries, { 'base-url': service.server.url.origin });
    await stages.prepare();
    await stages.send();
    const bytes = stages.results.map(({ problem }) => problem?.length ?? 0);
    const kept = bytes.filter((each) => each > 0);
    expect(kept.length).toBeGreaterThan(130);
    expect(kept.length).toBeLessThan(145);
    expect(kept.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(8 * MIB);
    expect(stages.results.every(({ failure }) => failure?.headline === 'No.')).toBe(true);
  });

  test('holds back the scans that a wait beyond the time limit would delay, without a time of their own', async () => {
    const service = await KeyedServer.open(() =>
      makeReply(429, { headers: { 'Retry-After': '3480' } }),
    );
    const stages = await sendTo(service, 'abc');
    expect(listEnds(stages)).toEqual([
      'rejected rate-limited',
      'not-sent other-scans',
      'not-sent other-scans',
    ]);
    const fixes = stages.results.map(({ failure }) => failure?.fixes[0]);
    expect(fixes).toEqual([
      'Re-run in 58 minutes, or increase `timeout-seconds`.',
      undefined,
      undefined,
    ]);
  });

  test('keeps the results of all scans after an error in what is said of one', async () => {
    const stages = await makeReady(await KeyedServer.open(), 'ab');
    await stages.send(() => failToName());
    expect(stages.results).toMatchObject([{ result: 'accepted' }, { result: 'accepted' }]);
  });

  test('keeps the result of the upload after an error in our own words', async () => {
    // Of a success, only the headline has the name of its status.
    cleanUp(async () => void Reflect.deleteProperty(STATUS_CODES, 299));
    Object.defineProperty(STATUS_CODES, 299, { configurable: true, get: failToName });
    const unreadable = { headers: { 'Content-Encoding': 'unknown' }, body: 'x' };
    const service = await KeyedServer.open(() => makeReply(299, unreadable));
    const stages = await sendTo(service, 'a', { retries: '0' });
    expect(stages.results).toMatchObject([
      { result: 'unconfirmed', attempts: 1, failure: { headline: 'no words' } },
    ]);
  });
});
