import { describe, expect, test } from '@jest/globals';
import { makeMeter } from '../faults/support/usage.ts';
import type { Reply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { makeEntries, runBatch } from './batch.ts';

// What a step shows of what the service says.

const KIB = 1024;

async function openResponder(status: number, reply: Reply): Promise<string> {
  const { origin } = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(status, reply);
  });
  return origin;
}

async function respondWith(status: number, body: string): ReturnType<typeof runAction> {
  const inputs = { 'base-url': await openResponder(status, { body }), retries: '0' };
  return runAction(await makeWorkspace(), inputs);
}

describe('a 2xx', () => {
  test.each(['{"success":false,"error":"The quota is used up."}'])(
    'that says no is a refusal: %s',
    async (body) => {
      const run = await respondWith(200, body);
      expect(run.exitCode).toBe(1);
      expect(run.outputs).toMatchObject({
        uploaded: 'false',
        result: 'rejected',
        reason: 'refused',
      });
      expect(run.annotations[0]?.message).toContain('The quota is used up.');
    },
  );

  test.each([
    ['{"success":true,"error":"x y","warnings":["Old format."],"url":"a b"}', ['Old format.']],
    ['Stored.\nIt is queued.', ['Stored.', 'It is queued.']],
  ])('that says yes is a success, and its text is logged: %j', async (body, texts) => {
    const run = await respondWith(200, body);
    expect(run.outputs).toMatchObject({ uploaded: 'true', result: 'accepted' });
    const said = run.log
      .split('\n')
      .flatMap((line) => /The service says: (.*)$/.exec(line)?.[1] ?? []);
    expect(said).toEqual(texts);
    expect(run.log).not.toMatch(/x y|a b/);
  });
});

describe('many refusals of 64 KiB', () => {
  test('take memory for their texts only', async () => {
    const lists = Array.from({ length: 21_000 }, () => '[]').join();
    const url = await openResponder(400, { body: `{"title":"x","a":[${lists}]}` });
    const meter = await makeMeter();
    const scans = makeEntries(200, 'scan.json');
    const inputs = { retries: '0', 'max-parallel': '8' };
    const run = await runBatch(await makeWorkspace(), url, scans, inputs, { env: meter.env });
    expect(run.outputs).toMatchObject({ result: 'rejected', reason: 'problem' });
    // Their objects would take 800 MiB.
    expect(meter.read().peakKiB).toBeLessThan(450 * KIB);
  });
});
