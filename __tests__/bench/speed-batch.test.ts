import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  checkAllArrived,
  MAX_PARALLEL,
  sendBatchByCurl,
  sendBatchByFloor,
  sendBatchByStep,
  sendOneByOne,
} from '../../bench/speed/batch.ts';
import type { Batch } from '../../bench/speed/batch.ts';
import { setStage } from '../../bench/speed/stage.ts';
import type { Stage } from '../../bench/speed/stage.ts';
import { createCounter } from '../../bench/speed/tally.ts';
import type { Tally } from '../../bench/speed/tally.ts';

/** More than are sent in parallel. */
const COUNT = 3 * MAX_PARALLEL;
const LATENCY_MS = 30;
const SENDERS = { sendBatchByStep, sendBatchByCurl, sendBatchByFloor };

let stage: Stage;
beforeAll(() => {
  stage = setStage(realpathSync(mkdtempSync(join(tmpdir(), 'bench-test-'))));
});
afterAll(async () => {
  await stage.close();
  rmSync(stage.folder, { recursive: true, force: true });
});

/** A batch to the service of the stage, and what the service told of it when it was asked. */
async function makeBatch(latencyMs = 0): Promise<Batch & { readonly told: readonly Tally[] }> {
  const told: Tally[] = [];
  const service = await stage.distantService(latencyMs);
  const takeTally = async (): Promise<Tally> => {
    const tally = await service.takeTally();
    told.push(tally);
    return tally;
  };
  const { cert: ca } = await stage.keyPair();
  return { stage, service: { ...service, takeTally }, ca, scans: stage.scans(COUNT), told };
}

/** A batch whose service says that so much of it came. */
async function tell(change: (tally: Tally) => Partial<Tally>): Promise<Batch> {
  const batch = await makeBatch();
  const { bytes } = batch.scans;
  const tally = { uploads: COUNT, keys: COUNT, bytes };
  const takeTally = (): Promise<Tally> => Promise.resolve({ ...tally, ...change(tally) });
  return { ...batch, service: { ...batch.service, takeTally } };
}

/** Writes what stands in for the action's bundle. */
function writeScript(name: string, text: string): string {
  const path = join(stage.folder, name);
  writeFileSync(path, text);
  return path;
}

/** The beginning of a form. */
function makeForm(key: string): string {
  return `--x\r\nContent-Disposition: form-data; name="ScanKey"\r\nContent-Type: text/plain\r\n\r\n${key}\r\n--x`;
}

describe('createCounter', () => {
  test('counts uploads, bytes and different keys, each time anew', () => {
    const counter = createCounter();
    for (const key of ['a', 'b', 'a']) counter.addUpload(100, makeForm(key));
    counter.addUpload(7, 'no form');
    expect(counter.take()).toEqual({ uploads: 4, bytes: 307, keys: 2 });
    expect(counter.take()).toEqual({ uploads: 0, bytes: 0, keys: 0 });
  });
});

describe('writeScans', () => {
  test('gives each scan a key and a file of 20 KB of its own, and lists them', () => {
    const { list, entries, bytes } = stage.scans(COUNT);
    const listed: unknown = JSON.parse(readFileSync(join(stage.workspace, list), 'utf8'));
    const expected = entries.map(({ key, path }) => ({
      name: basename(path, '.json'),
      'scan-key': key,
      'scan-file': path.slice(stage.workspace.length + 1),
    }));
    expect(listed).toEqual(expected);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(COUNT);
    expect(new Set(entries.map(({ path }) => readFileSync(path, 'latin1'))).size).toBe(COUNT);
    const sizes = entries.map(({ path }) => statSync(path).size);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...sizes)).toBeLessThan(21_000);
    expect(bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });
});

describe.each(Object.entries(SENDERS))('%s', (_, send) => {
  test('sends every scan once', async () => {
    const batch = await makeBatch();
    expect(await send(batch).run()).toBeGreaterThan(0);
    expect(batch.told).toMatchObject([{ uploads: COUNT, keys: COUNT }]);
  });

  test('gives no time for less than all scans', async () => {
    const batch = await makeBatch();
    const takeTally = async (): Promise<Tally> => {
      const tally = await batch.service.takeTally();
      return { ...tally, uploads: tally.uploads - 1 };
    };
    const lossy = { ...batch, service: { ...batch.service, takeTally } };
    await expect(send(lossy).run()).rejects.toThrow(`${COUNT - 1} uploads`);
  });
});

/** A step that says this of an upload, and makes none. */
function writeStep(name: string, uploaded: string): string {
  const line = `uploaded=${uploaded}\\n`;
  return writeScript(
    name,
    `require('node:fs').appendFileSync(process.env.GITHUB_OUTPUT, '${line}')`,
  );
}

describe('sendBatchByStep', () => {
  test('gives no time for a step that says that it uploaded and did not', async () => {
    const script = writeStep('boaster.cjs', 'true');
    const { run } = sendBatchByStep(await makeBatch(), 'boaster', MAX_PARALLEL, script);
    await expect(run()).rejects.toThrow(`0 uploads with 0 different keys came of ${COUNT}`);
  });

  test('gives no time for a step that does not say that it uploaded', async () => {
    const script = writeStep('modest.cjs', 'false');
    const { run } = sendBatchByStep(await makeBatch(), 'modest', MAX_PARALLEL, script);
    await expect(run()).rejects.toThrow('The step did not upload.');
  });

  test('asks for as many at once as it is to, with no key but those of the list', async () => {
    const script = writeScript(
      'asker.cjs',
      "throw process.env['INPUT_MAX-PARALLEL'] + '/' + process.env['INPUT_SCAN-KEY'] + '/' + process.env.INPUT_SCANS",
    );
    const { run } = sendBatchByStep(await makeBatch(), 'asker', 4, script);
    await expect(run()).rejects.toThrow(`4//scans-${COUNT}.json`);
  });
});

describe('sendOneByOne', () => {
  test('gives the time of one scan times all, with the next scan each time', async () => {
    const batch = await makeBatch();
    const { run } = sendOneByOne(batch, 2);
    const started = performance.now();
    const figures = [await run(), await run()];
    const took = performance.now() - started;
    expect(figures[0]).toBeGreaterThan(0);
    expect((figures[0] ?? 0) + (figures[1] ?? 0)).toBeLessThanOrEqual(took * COUNT);
    expect(figures[0]).toBeGreaterThan(took);
    expect(batch.told.map(({ uploads }) => uploads)).toEqual([1, 1]);
  });
});

describe('a distant service', () => {
  test('waits before each answer', async () => {
    const batch = await makeBatch(LATENCY_MS);
    // Three uploads one after another in each of them; timers may be a millisecond early.
    const least = (COUNT / MAX_PARALLEL) * (LATENCY_MS - 1);
    expect(await sendBatchByCurl(batch).run()).toBeGreaterThanOrEqual(least);
  });
});

describe('checkAllArrived', () => {
  test.each([
    ['a scan is missing', ({ uploads }) => ({ uploads: uploads - 1 }), 'uploads'],
    ['a scan came twice', ({ uploads }) => ({ uploads: uploads + 1 }), 'uploads'],
    ['a key came twice', ({ keys }) => ({ keys: keys - 1 }), 'different keys'],
    ['bytes are missing', ({ bytes }) => ({ bytes: bytes - 1 }), 'bytes came of'],
  ] satisfies readonly (readonly [string, (tally: Tally) => Partial<Tally>, string])[])(
    'refuses a figure where %s',
    async (_, change, message) => {
      await expect(checkAllArrived(await tell(change))).rejects.toThrow(message);
    },
  );

  test('lets a figure count where all came', async () => {
    await expect(checkAllArrived(await tell(() => ({})))).resolves.toBeUndefined();
  });
});
