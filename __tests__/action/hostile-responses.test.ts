import { describe, expect, test } from '@jest/globals';
import type { Reply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { listOutputTexts } from '../support/results.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';

// A response may be made to take long, or to show a secret in a text that is changed before it is searched.

const KEPT_BYTES = 64 * 1024;
/** Far more than a step takes; a pattern that is tried again from each character takes minutes. */
const STEP_MS = 20_000;

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

describe('a response that is slow to read', () => {
  const versions = 'HTTP/x:'.repeat(40);
  const page = `<html><title>${versions}</title></html>`;
  const fieldOfPages = JSON.stringify({
    errors: { ['<p>x'.repeat(16_000)]: Array.from({ length: 100 }, () => 'no') },
  });

  test.each([
    ['versions of HTTP as text', 400, { body: versions }],
    ['versions of HTTP in a page', 400, { body: page, headers: { 'Content-Type': 'text/html' } }],
    ['versions of HTTP in a detail', 400, { body: JSON.stringify({ detail: versions }) }],
    [
      'versions of HTTP in a challenge',
      401,
      { headers: { 'WWW-Authenticate': `Bearer error_description="${versions}"` } },
    ],
    ['a field name that looks like a page', 400, { body: fieldOfPages }],
    ['a page of unclosed tags', 400, { body: '<html>'.repeat(KEPT_BYTES / 6) }],
    ['a text without white space', 400, { body: 'x'.repeat(KEPT_BYTES * 2) }],
  ])('ends the step: %s', async (_name, status, reply) => {
    const run = await refuseWith(status, reply);
    expect(run).toMatchObject({ timedOut: false, exitCode: 1 });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': String(status) });
  });

  test('ends the step if it comes from a proxy', async () => {
    const proxy = await openServer(async (peer) => {
      await peer.readHead();
      peer.replyAsStranger(403, { body: versions });
    });
    const inputs = { 'base-url': 'https://scan.example', retries: '0' };
    const env = { https_proxy: proxy.origin };
    const run = await runAction(await makeWorkspace(), inputs, { env, timeoutMs: STEP_MS });
    expect(run).toMatchObject({ timedOut: false, exitCode: 1 });
    expect(run.outputs).toMatchObject({ result: 'not-sent', reason: 'proxy' });
  });
});

function problem(detail: string): Reply {
  return { body: JSON.stringify({ detail }) };
}

describe('a secret in a response', () => {
  /** The part of each token that must not be shown, whatever was removed before it. */
  const REST = 'kJhG7654zYxW3210vUtS';

  test.each([
    ['begins with the status', `401|${REST}`, (token: string) => problem(`${token} is not valid`)],
    ['begins with the name', `Unauthorized: ${REST}`, (token: string) => problem(`${token} no`)],
    ['begins with a substatus', `401.12.${REST}`, (token: string) => ({ body: `${token} no` })],
    [
      'is in a title',
      `401|${REST}`,
      (token: string) => ({ body: JSON.stringify({ title: token }) }),
    ],
    [
      'is the name of a field',
      `401|${REST}`,
      (token: string) => ({ body: JSON.stringify({ errors: { [token]: ['no'] } }) }),
    ],
    [
      'is in a challenge',
      `401|${REST}`,
      (token: string) => ({
        headers: { 'WWW-Authenticate': `Bearer error_description="${token} no"` },
      }),
    ],
    [
      'has the beginning of a tag, in a page',
      `abc<def${REST}`,
      (token: string) => ({ body: `<html><body><p>${token} is not valid</p></body></html>` }),
    ],
    [
      'has the beginning of a reference, in a page',
      `abc&#4${REST}`,
      (token: string) => ({ body: `<html><body><p>${token} is not valid</p></body></html>` }),
    ],
    [
      'is written with references of which one is invisible, in a page',
      `abc${REST}`,
      (token: string) => ({
        body: `<html><body><p>${token.replace('G', '&#71;&#8203;')}</p></body></html>`,
      }),
    ],
    [
      'begins with the status, and has an invisible reference in a page',
      `401.12.${REST}`,
      (token: string) => ({
        body: `<html><body><p>${token.replace('G', '&#71;&#8203;')} no</p></body></html>`,
      }),
    ],
    [
      'is repeated without what stands before its |',
      `401|${REST}`,
      () => problem(`${REST} is not valid`),
    ],
    [
      'is formed when a status is removed from a line',
      `abc${REST}`,
      (token: string) => ({ body: token.replace('zY', 'z(401)Y') }),
    ],
    [
      'has two spaces that become one',
      `abc ${REST}`,
      (token: string) => problem(token.replace(' ', '  ')),
    ],
    [
      'is in JSON in a text of JSON',
      `abc"${REST}`,
      (token: string) => problem(JSON.stringify({ message: `${token} no` })),
    ],
  ])('is removed if it %s', async (_name, token, makeReply) => {
    const run = await refuseWith(401, makeReply(token), { token });
    expect(run.outputs['status-code']).toBe('401');
    const shown = [run.log, run.summary, ...listOutputTexts(run)].join('\n');
    expect(shown).not.toContain(REST);
    expect(shown).not.toContain(REST.slice(6));
    expect(
      run.stdout.replace(`::add-mask::${token}`, '').replaceAll(/::add-mask::.*/g, ''),
    ).not.toContain(REST);
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

describe('a response with values of odd types', () => {
  test.each([
    [400, '{"errors":[{"loc":[{"toString":1}],"message":"No."}]}', 'rejected'],
    [200, '{"warnings":[{"path":[{"toString":1}],"message":"Old."}]}', 'accepted'],
  ])('is reported as any other: %i', async (status, body, result) => {
    const run = await refuseWith(status, { body });
    expect(run.outputs).toMatchObject({ result, 'status-code': String(status) });
    expect(run.log).toMatch(/No\.|Old\.|accepted/);
  });
});

describe('a service that refuses to be asked', () => {
  test('is not believed if it then responds without reading', async () => {
    const { origin } = await openServer(async (peer, turn) => {
      await peer.readHead();
      peer.socket.pause();
      setTimeout(() => peer.replyAsStranger(turn === 1 ? 417 : 200), turn === 1 ? 0 : 100);
    });
    const inputs = { 'base-url': origin, retries: '0' };
    const run = await runAction(await makeWorkspace(), inputs, { timeoutMs: STEP_MS });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent' });
  });
});

describe('a response with many texts', () => {
  test('is shown with a bounded message', async () => {
    const errors = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${index}${'f'.repeat(60)}`, ['m'.repeat(40)]]),
    );
    const run = await refuseWith(400, { body: JSON.stringify({ errors }) });
    expect(run.annotations[0]?.message.length).toBeLessThan(4096);
    expect(run.annotations[0]?.message).toContain('Trace id of the requests');
  });
});
