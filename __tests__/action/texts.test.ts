import { describe, expect, test } from '@jest/globals';
import { makeMeter } from '../faults/support/usage.ts';
import type { Reply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { readResults } from '../support/results.ts';
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

describe('the detail of a problem', () => {
  test('is shown with all of its lines, then the field errors, then the title', async () => {
    const detail = 'No scan has this key.\nLook again.';
    const body = JSON.stringify({ title: 'Unknown', detail, errors: { Key: ['is odd'] } });
    const run = await respondWith(400, body);
    const message = run.annotations[0]?.message ?? '';
    const lines = ['No scan has this key.', 'Look again.', 'Key: is odd', 'Unknown'];
    expect(message.split('\n').slice(0, 4)).toEqual(lines);
    expect(run.outputs.error).toBe('No scan has this key. Look again.');
    for (const text of [run.log, run.summary]) expect(text).toContain(lines.join('\n'));
  });

  test('is cut at a word after 1,500 characters, in error after 1,000', async () => {
    const { annotations, outputs } = await respondWith(
      400,
      JSON.stringify({ detail: 'word '.repeat(400) }),
    );
    const [first = ''] = annotations[0]?.message.split('\n') ?? [];
    expect([first.length > 1400, first.length <= 1500]).toEqual([true, true]);
    expect(first).toMatch(/ word …$/);
    expect(outputs.error?.length).toBeLessThanOrEqual(1000);
    expect(outputs.error?.length).toBeGreaterThan(900);
  });

  test.each([
    ['a plain text', 'a b\nc d\ne f\ng h\ni j\nk l\nm n'],
    ['a message', JSON.stringify({ message: 'a b\nc d\ne f\ng h\ni j\nk l\nm n' })],
    ['a page', '<html><p>a b<p>c d<p>e f<p>g h<p>i j<p>k l<p>m n</html>'],
  ])('is unlike %s, of which six lines are shown', async (_, body) => {
    const { annotations } = await respondWith(400, body);
    const message = annotations[0]?.message ?? '';
    for (const line of ['a b', 'c d', 'e f', 'g h', 'i j', 'k l']) expect(message).toContain(line);
    expect(message).not.toContain('m n');
  });
});

describe('a 2xx', () => {
  test.each([
    '{"success":false,"error":"The quota is used up."}',
    '{"status":"failed","message":"The quota is used up."}',
    '{"errors":[{"message":"The quota is used up."}]}',
  ])('that says no is a refusal: %s', async (body) => {
    const run = await respondWith(200, body);
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'rejected', reason: 'refused' });
    expect(run.annotations[0]?.message).toContain('The quota is used up.');
  });

  test.each([
    ['{"errors":[],"message":"Stored as 7."}', ['Stored as 7.']],
    ['{"success":true,"error":"x y","warnings":["Old format."],"url":"a b"}', ['Old format.']],
    ['Stored.\nIt is queued.', ['Stored.', 'It is queued.']],
    ['', []],
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

describe('problem-details', () => {
  const nested = `${'['.repeat(20)}1${']'.repeat(20)}`;

  test.each([
    ['of a long title', `{"title":"${'é'.repeat(31_000)}"}`],
    ['of nested lists', `{"title":"x","a":[${Array.from({ length: 1500 }, () => nested).join()}]}`],
  ])('is empty over 60,000 bytes %s, and the file of results-path has it', async (_, body) => {
    const workspace = await makeWorkspace();
    const inputs = { 'base-url': await openResponder(400, { body }), retries: '0' };
    const { outputs } = await runAction(workspace, inputs);
    expect(outputs['problem-details']).toBe('');
    const problemDetails: unknown = JSON.parse(body);
    expect(readResults({ outputs })).toMatchObject([{ problemDetails }]);
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
