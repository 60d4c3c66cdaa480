import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { showText } from '../../src/redaction/gate.ts';
import { isChallenge } from '../../src/service/attempt.ts';
import type { ServiceResponse } from '../../src/service/attempt.ts';
import { makeResponse } from '../support/attempts.ts';
import { evaluate } from '../support/evaluate.ts';
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
  ['a text to its last line', 400, 'a\n'.repeat(100), 'a\n'.repeat(99) + 'a'],
  ['a page without tags', 400, '<html><p>It\n<b>ended</b> &amp; x', '\n\nIt ended & x'],
  ['JSON as it is', 400, '{"a":"b\nc"}', '{"a":"b\nc"}'],
  ['the text of a success that is none', 200, 'Error: a', 'Error: a'],
  ['nothing of a success', 200, 'Stored', ''],
])('keeps for decisions %s', (_, status, body, text) => {
  expect(makeResponse({ status, body }).text).toBe(text);
});

const CHALLENGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><p>Wait.</p>';
test.each([
  [{ server: 'cloudflare' }, CHALLENGE, true],
  [{ 'cf-mitigated': 'challenge' }, 'Wait.', true],
  [{ server: 'nginx' }, CHALLENGE, false],
  [{ server: 'cloudflare' }, '<html><p>It ended. Just a moment...</p>', false],
])('isChallenge knows the page or the header of Cloudflare: row %#', (headers, body, expected) => {
  const statuses = [200, 403].map((status) => isChallenge(makeResponse({ status, headers, body })));
  expect(statuses).toEqual([expected, expected]);
});

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120_000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['-1', undefined],
    ['1e3', undefined],
    [' GMT', undefined],
    ['2097-01-02T00:00:00Z', undefined],
    ['Wed, 02 Jan 2097 00:00:00 +0100', undefined],
    ['Wed, 99 Foo 2097 00:01:00 GMT', undefined],
  ])('of %.40s is %s ms', (value, milliseconds) => {
    expect(makeResponse({ headers: { 'retry-after': value } }).retryAfterMs).toBe(milliseconds);
  });

  test('is a date in GMT in any time zone', () => {
    const headers = "headers: { 'retry-after': 'Wed, 02 Jan 2097 00:00:00 GMT' }";
    const response = `m.readResponse({ status: 503, ${headers}, text: '', complete: true })`;
    const expression = `Math.round((${response}.retryAfterMs + Date.now()) / 60_000)`;
    const variables = { TZ: 'America/New_York' };
    const minutes = Date.UTC(2097, 0, 2) / 60_000;
    expect(evaluate('service/response.ts', expression, variables)).toBe(String(minutes));
  });
});
