import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Reply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import {
  listOutputTexts,
  makeWorkspace,
  readResults,
  runAction,
  TOKEN,
} from '../support/run-action.ts';
import { findLines } from '../support/report.ts';
import { repeatFile, runBatch } from './batch.ts';

// A response may be made to take long, or to show a secret in a text that is changed before it is searched.

/** Far more than a step takes; a pattern that is tried again from each character takes minutes. */
const STEP_MS = 15_000;

/** Runs the action against a service that responds like this, once. */
async function refuseWith(
  status: number,
  reply: Reply,
  inputs: Readonly<Record<string, string>> = {},
): ReturnType<typeof runAction> {
  const { origin } = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(status, reply);
  });
  const all = { 'base-url': origin, retries: '0', ...inputs };
  return runAction(await makeWorkspace(), all, { timeoutMs: STEP_MS });
}

test('many long problems are kept whole up to 8 MiB, then their title, detail and trace id', async () => {
  const problem = { detail: '\u6f22'.repeat(64_000), errors: {}, traceId: 'a' };
  const reply = {
    headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/problem+json' },
    body: gzipSync(JSON.stringify(problem)),
  };
  const { origin } = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(400, reply);
  });
  const run = await runBatch(await makeWorkspace(), origin, repeatFile(45, 'scan.json'));
  expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '400' });
  const kept = readResults(run).map((scan): unknown => Reflect.get(scan, 'problemDetails'));
  const cut = { detail: expect.stringMatching(/^\u6f22{1498} …$/), traceId: 'a' };
  // Each has 192 kB.
  expect(kept.filter((each) => !isDeepStrictEqual(each, problem))).toEqual([cut, cut]);
});

function page(text: string): string {
  return `<html><body><p>${text} is not valid</p></body></html>`;
}

describe('a secret in a response', () => {
  /** The part of each token that must not be shown, whatever was removed before it. */
  const REST = 'kJhG7654zYxW3210vUtS';
  const DIVIDED = REST.replace('G', '&#71;&#8203;');

  // The rows of __tests__/service/response.test.ts are other texts.
  test.each<[string, string, Reply | string]>([
    ['begins with the status', `401|${REST}`, `{"detail":"401|${REST} is not valid"}`],
    ['begins with a substatus', `401.12.${REST}`, `401.12.${REST} no`],
    ['is in a title', `401|${REST}`, `{"title":"401|${REST}"}`],
    [
      'is in a challenge',
      `401|${REST}`,
      { headers: { 'WWW-Authenticate': `Bearer error_description="401|${REST} no"` } },
    ],
    ['has the beginning of a tag, in a page', `abc<def${REST}`, page(`abc<def${REST}`)],
    ['is written with references, in a page', `abc${REST}`, page(`abc${DIVIDED}`)],
    ['is repeated without what stands before its |', `401|${REST}`, `{"detail":"${REST} is bad"}`],
  ])('is removed if it %s', async (_name, token, reply) => {
    const run = await refuseWith(401, typeof reply === 'string' ? { body: reply } : reply, {
      token,
    });
    expect(run.outputs['status-code']).toBe('401');
    const written = run.stdout.replaceAll(/::add-mask::.*/g, '');
    const shown = [written, run.log, run.summary, ...listOutputTexts(run)].join('\n');
    expect(findLines(shown, REST.slice(6))).toEqual([]);
  });

  test('does not make a problem unreadable', async () => {
    const inputs = { token: TOKEN, headers: 'X-Api-Key: 4711' };
    const body = '{"detail":"first\u2028second","id":5471199,"status":400}';
    const run = await refuseWith(400, { body }, inputs);
    expect(run.outputs.reason).toBe('problem');
    const message = run.annotations.find(({ level }) => level === 'error')?.message;
    expect(message?.split('\n').slice(0, 2)).toEqual(['first', 'second']);
  });
});
