import { utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { ScanResult } from '../../src/outcomes/scan-result.ts';
import { Schedule } from '../../src/upload/schedule.ts';
import type { Texts } from '../support/inputs.ts';
import { makeEntries, makeStages } from '../support/scans.ts';
import type { Stages } from '../support/scans.ts';
import { makeReply, openServer, waitUntil } from '../support/servers.ts';
import { MIB, REPORT, makeKey, cleanUp } from '../support/workspace.ts';

/** A service that responds to each scan key as the test says, after `before`. */
interface KeyedService {
  readonly url: string;
  /** The last digits of the keys, in the order in which their requests were read. */
  readonly keys: readonly number[];
}

async function openKeyed(
  respond: (key: number) => Buffer = () => makeReply(200),
  before: (key: number) => Promise<void> = async () => {},
): Promise<KeyedService> {
  const keys: number[] = [];
  const { url } = await openServer(async (peer) => {
    await peer.readUpload();
    const text = peer.body.toString('latin1');
    const key = Number(/3fa85f64-5717-4562-b3fc-(\d{12})/.exec(text)?.[1]);
    keys.push(key);
    await before(key);
    peer.socket.end(respond(key));
  });
  return { url: url.origin, keys };
}

/** Prepared stages that send to this service, one scan after the other unless the inputs say otherwise. */
async function makeReady(
  { url }: KeyedService,
  names: string,
  inputs: Texts = {},
  signal?: AbortSignal,
): Promise<Stages> {
  const given = { 'base-url': url, 'max-parallel': '1', ...inputs };
  const stages = await makeStages(makeEntries(names), given, {}, signal);
  await stages.prepare();
  return stages;
}

async function sendTo(...ready: Parameters<typeof makeReady>): Promise<readonly ScanResult[]> {
  return (await makeReady(...ready)).upload();
}

/** Result and situation of each scan. */
function listEnds(results: readonly ScanResult[]): readonly string[] {
  return results.map(({ result, failure }) => `${result} ${failure?.situation ?? ''}`.trim());
}

function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}

describe('uploadScans', () => {
  test('uploads up to max-parallel scans at the same time, in order, and returns them in order', async () => {
    const held = new Map<number, () => void>();
    const service = await openKeyed(
      (key) => makeReply(200 + key),
      async (key) => new Promise((resolve) => held.set(key, resolve)),
    );
    const sending = sendTo(service, 'abcde', { 'max-parallel': '2' });
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
    expect((await sending).map(({ status }) => status)).toEqual([201, 202, 203, 204, 205]);
  });

  test('measures each scan from its start, without the wait before it', async () => {
    const wait = jest.spyOn(Schedule.prototype, 'wait').mockImplementation(() => delay(100));
    cleanUp(() => wait.mockRestore());
    const stages = await makeReady(await openKeyed(undefined, () => delay(100)), 'a');
    const [start, begun] = [performance.now(), Date.now()];
    const [{ startedAt = 0, durationMs = 0 } = {}] = await stages.upload();
    // Timers may fire up to 1 ms early.
    expect(startedAt - begun).toBeGreaterThan(98);
    expect(durationMs).toBeGreaterThan(98);
    expect(durationMs).toBeLessThan(performance.now() - start - 98);
  });

  test.each([
    // Before an acceptance, and after it until three in a row; a 403 says nothing of the credential.
    ['a', [401], '1'],
    ['b', [403, 401], '12'],
    ['g', [200, 401, 200, 401, 403, 401, 401], '1234567'],
  ])('starts no upload after the credential of %s is rejected', async (last, statuses, keys) => {
    const service = await openKeyed((key) => makeReply(statuses[key - 1] ?? 200));
    const results = await sendTo(service, 'abcdefgh');
    expect(service.keys.join('')).toBe(keys);
    const headline = `Not tried, because the service rejected the credential of ${last}.`;
    for (const { failure } of results.slice(keys.length)) {
      expect(failure).toMatchObject({ situation: 'other-scans', headline, fixes: [] });
    }
  });

  test('says of a rejected credential that another scan was accepted with it', async () => {
    const service = await openKeyed((key) => makeReply(key === 1 ? 200 : 401));
    const [, rejected] = await sendTo(service, 'ab');
    expect(rejected?.failure?.fixes.join('')).toContain('accepted the credential for `a`.');
  });

  test('fails a scan whose file has changed, with its modification time put back', async () => {
    const service = await openKeyed();
    const stages = await makeStages(makeEntries('a'), { 'base-url': service.url });
    await utimes(stages.locate('a.json'), 0, 0);
    await stages.prepare();
    await writeFile(stages.locate('a.json'), REPORT.replace('2', '3'));
    await utimes(stages.locate('a.json'), 0, 0);
    expect(listEnds(await stages.upload())).toEqual(['not-sent files']);
    expect(service.keys).toEqual([]);
  });

  test('ends all scans with one failure after a cancellation', async () => {
    const controller = new AbortController();
    const service = await openKeyed(undefined, async (key) => {
      if (key === 2) controller.abort(new CancelledError('SIGINT'));
      if (key === 2) await new Promise(() => {});
    });
    const results = await sendTo(service, 'abcd', {}, controller.signal);
    expect(service.keys).toEqual([1, 2]);
    expect(listEnds(results)).toEqual([
      'accepted',
      'unconfirmed cancelled',
      'not-sent cancelled',
      'not-sent cancelled',
    ]);
    expect(results[2]?.failure).toEqual(results[3]?.failure);
  });

  test('keeps problems up to 1 MiB of all scans with what is said of their failures, then none', async () => {
    const body = JSON.stringify({ detail: 'x y '.repeat(400), more: 'y'.repeat(50_500) });
    const { url } = await openKeyed(() => makeReply(400, { body }));
    const scan = { 'scan-key': makeKey(1), 'scan-file': 'a.json' };
    const entries = Array.from({ length: 20 }, (_, index) => ({ ...scan, name: `${index}` }));
    const stages = await makeStages(entries, { 'base-url': url });
    await stages.prepare();
    const results = await stages.upload();
    // Without what is said, all problems would be kept.
    expect(results.filter(({ problem }) => problem !== undefined)).toHaveLength(19);
    expect(results.every(({ failure }) => failure?.headline.startsWith('x y '))).toBe(true);
  });

  test('keeps no response in memory', async () => {
    const words = 'It is so. '.repeat(MIB / 40);
    const replies = [
      makeReply(200, { body: words }),
      makeReply(200, { body: JSON.stringify({ message: words, warnings: [words] }) }),
      makeReply(400, { headers: { 'X-Request-Id': 'i'.repeat(60_000) }, body: words }),
      makeReply(400, {
        body: JSON.stringify({ detail: words, title: words, traceId: words }),
      }),
    ];
    const { url } = await openKeyed((key) => replies[key % replies.length] ?? Buffer.alloc(0));
    const entries = Array.from({ length: 48 }, (_, index) => ({
      name: `${index}`,
      'scan-key': makeKey(index),
      'scan-file': 'a.json',
    }));
    const stages = await makeStages(entries, { 'base-url': url });
    await stages.prepare();
    const before = measureHeap();
    const results = await stages.upload();
    expect(results.filter(({ result }) => result === 'accepted')).toHaveLength(24);
    // One of the problems is kept; each response that is not copied would take 256 KiB.
    expect(measureHeap() - before).toBeLessThan(5 * MIB);
    expect(results).toHaveLength(48);
  });

  test('holds back the scans that a wait beyond the time limit would delay, without a time of their own', async () => {
    const service = await openKeyed(() => makeReply(429, { headers: { 'Retry-After': '3480' } }));
    const results = await sendTo(service, 'abc');
    expect(listEnds(results)).toEqual([
      'rejected rate-limited',
      'not-sent other-scans',
      'not-sent other-scans',
    ]);
    expect(results.map(({ failure }) => failure?.fixes)).toEqual([
      ['Re-run in 58 minutes, or increase `timeout-seconds`.'],
      [],
      [],
    ]);
  });

  test('keeps the results of all scans after an error in what is said of one', async () => {
    const ended: ScanResult[] = [];
    const stages = await makeReady(await openKeyed(), 'ab');
    const results = await stages.upload((scan) => {
      ended.push(scan);
      throw new Error('no words');
    });
    expect(listEnds(results)).toEqual(['accepted', 'accepted']);
    expect(ended).toEqual(results);
  });
});
