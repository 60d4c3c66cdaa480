import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { showText } from '../../src/redaction/gate.ts';
import type { ServiceResponse } from '../../src/service/attempt.ts';
import { ResponseReader, isChallenge } from '../../src/service/response.ts';
import { makeResponse } from '../support/attempts.ts';
import { exchangeWith, expectResponse } from '../support/exchanges.ts';
import type { Reply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { KIB, MIB } from '../support/samples.ts';

async function receive(status: number, reply: Reply): Promise<ServiceResponse> {
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    peer.reply(status, reply);
  });
  return expectResponse(await exchangeWith(server.url));
}

describe('ResponseReader', () => {
  test('returns status, headers and what it says', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Retry-After': '7' };
    expect(await receive(418, { headers, body: 'no coffee' })).toMatchObject({
      status: 418,
      complete: true,
      kind: 'other',
      retryAfterMs: 7000,
      headers: { 'content-type': 'text/plain', 'retry-after': '7' },
      problem: undefined,
      says: ['no coffee'],
    });
  });

  test.each([
    [400, '<html><p>No way.</p>', 'web-page', ['No way.']],
    [200, '{"detail":"No.","status":400}', 'problem', ['No.']],
    [200, '{"success":false,"error":"quota"}', 'refusal', ['quota']],
    [200, '{"detail":"Fine.","id":"x"}', 'success', ['id: x']],
  ])('reads kind and texts of a %i: %s', async (status, body, kind, says) => {
    const response = await receive(status, { body });
    expect(response).toMatchObject({ kind, says });
    expect(response.problem !== undefined).toBe(kind === 'problem');
  });

  test('reads a success of 1 MiB to its end, and shows nothing of a longer one than 64 KiB', async () => {
    const response = await receive(200, { body: `x y ${'b'.repeat(MIB - 4)}` });
    expect(response).toMatchObject({ complete: true, kind: 'success', says: [] });
  });

  test.each([
    ['success', 200, MIB],
    ['refusal', 400, 64 * KIB],
  ])('treats a longer %s as truncated', async (_, status, maxBytes) => {
    const body = Buffer.alloc(maxBytes + 1, 'a ');
    expect(await receive(status, { body })).toMatchObject({ status, complete: false });
  });

  test('reads headers of up to 64 KiB', async () => {
    const policy = 'a'.repeat(60 * KIB);
    const { headers } = await receive(403, { headers: { 'Content-Security-Policy': policy } });
    expect(headers['content-security-policy']).toBe(policy);
  });

  test('breaks off at an end of the body that is none of the message', () => {
    const response = new IncomingMessage(new Socket());
    const [onEnd, onBreak] = [jest.fn(), jest.fn()];
    const events = { onProgress: onEnd, onComplete: onEnd, onTooLong: onEnd, onBreak };
    new ResponseReader(response, new URL('http://a')).read(events);
    response.emit('end');
    expect(onBreak).toHaveBeenCalledTimes(1);
    expect(onEnd).not.toHaveBeenCalled();
  });

  test('keeps JSON whole if the connection breaks after it', () => {
    const body = '{"message": "It is closed now"}';
    const { says } = makeResponse({ status: 409, complete: false, body });
    expect(says).toEqual(['It is closed now']);
  });

  test.each([
    ['begins with the status', '400.1.k3pt-s3cr3t no', ' no'],
    ['is formed in references', '<html><p>400.1.k3pt-s&#8203;3cr3t no</p>', ' no'],
    ['is divided by tags', '<html><p>400.1.<b></b>k3pt-s3cr3t no', ' no'],
    ['is formed in JSON', '"{\\"message\\":\\"400.1.k3pt-s\\\\u200b3cr3t\\"}"', ''],
  ])('hides a secret that %s', (_, body, rest) => {
    hide('400.1.k3pt-s3cr3t');
    const { says } = makeResponse({ status: 400, body });
    expect(says.map((line) => showText(line))).toEqual([`***${rest}`]);
    const { target } = makeResponse({ status: 302, headers: { location: '/400.1.k3pt-\ts3cr3t' } });
    expect(showText(target ?? '')).toMatch(/\/\*\*\*$/);
  });
});

test.each([
  [200, []],
  [400, ['L\ufffdrm']],
])('a %i whose characters are none of their charset says %j', async (status, says) => {
  const body = Buffer.from('Lärm', 'latin1');
  expect(await receive(status, { body })).toMatchObject({ kind: 'other', says });
});

test.each([
  ['a text to its last line', 'a\n'.repeat(100), 'a\n'.repeat(99) + 'a'],
  ['a page without tags', '<html><p>It\n<b>ended</b> &amp; x', '\n\nIt ended & x'],
  ['JSON as it is', '{"a":"b\\nc"}', '{"a":"b\\nc"}'],
])('keeps of a refusal %s', (_, body, text) => {
  expect(makeResponse({ status: 400, body }).text).toBe(text);
  expect(makeResponse({ status: 200, body }).text).toBe('');
});

test.each([
  [{ server: 'cloudflare' }, 'Just a moment...', true],
  [{ 'cf-mitigated': 'challenge' }, 'Wait.', true],
  [{ server: 'nginx' }, 'Just a moment...', false],
  [{ server: 'cloudflare' }, 'It ended.', false],
])('isChallenge knows the page or the header of Cloudflare: row %#', (headers, said, expected) => {
  expect(isChallenge({ headers, says: [said] })).toBe(expected);
});
