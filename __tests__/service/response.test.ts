import { deflateSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { show } from '../../src/redaction/show.ts';
import { isChallenge } from '../../src/service/attempt.ts';
import type { ServiceResponse } from '../../src/service/attempt.ts';
import { createTraceId, makeCommonHeaders } from '../../src/service/request.ts';
import { makeResponse } from '../support/attempts.ts';
import { exchangeWith, expectResponse } from '../support/exchanges.ts';
import type { Reply } from '../support/servers.ts';
import { openServer } from '../support/servers.ts';
import { KIB, MIB, cleanUp } from '../support/workspace.ts';

async function receive(status: number, reply: Reply): Promise<ServiceResponse> {
  const server = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(status, reply);
  });
  return expectResponse(await exchangeWith(server.url));
}

/** Media ranges that match text/html (RFC 9110, section 12.5.1). */
const MATCHES_HTML = /(?:^|[,\s])(?:text\/html|text\/\*|\*\/\*)/;

test('a server that prefers HTML wherever it is accepted says its message', async () => {
  const server = await openServer(async (peer) => {
    await peer.readUpload();
    const html = { body: '<html><h1>Whitelabel Error Page</h1>' };
    const json = { body: '{"status":409,"message":"It is closed."}' };
    peer.reply(409, MATCHES_HTML.test(peer.header('accept') ?? '') ? html : json);
  });
  const headers = makeCommonHeaders(createTraceId());
  const { says } = expectResponse(await exchangeWith(server.url, { headers }));
  expect(says).toEqual(['It is closed.']);
});

describe('ResponseReader', () => {
  test.each([
    [418, 'no coffee', 'other', ['no coffee']],
    [400, '<html><p>No way.</p>', 'web-page', ['No way.']],
    [200, '{"detail":"No.","status":400}', 'problem', ['No.']],
    [200, '{"success":false,"error":"quota"}', 'json', ['quota']],
    [200, '{"detail":"Fine.","id":"x"}', 'success', ['id: x']],
  ])('reads status, headers, kind and texts of a %i: %s', async (status, body, kind, says) => {
    const response = await receive(status, { headers: { 'X-A': 'b', 'Retry-After': '7' }, body });
    const known = { status, headers: { 'x-a': 'b' }, complete: true, retryAfterMs: 7000 };
    expect(response).toMatchObject({ ...known, kind, says });
    expect(response.problem !== undefined).toBe(kind === 'problem');
  });

  test.each([
    [200, MIB, 'success'],
    [400, MIB, 'other'],
  ])('reads of a %i at most %i bytes: a longer one is truncated', async (status, most, kind) => {
    const [whole, longer] = [Buffer.alloc(most, 'a '), Buffer.alloc(most + 1, 'a ')];
    expect(await receive(status, { body: whole })).toMatchObject({ complete: true, kind });
    expect(await receive(status, { body: longer })).toMatchObject({ complete: false, kind });
  });

  test.each([
    [200, []],
    [400, ['L\ufffdrm']],
  ])('shows of a %i whose characters are none of its charset %j', async (status, says) => {
    const body = Buffer.from('Lärm', 'latin1');
    expect(await receive(status, { body })).toMatchObject({ kind: 'other', says });
  });

  test('undoes the content coding of a body', async () => {
    const body = deflateSync('{"success":false}');
    const response = await receive(200, { headers: { 'Content-Encoding': 'deflate' }, body });
    expect(response.kind).toBe('json');
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
    ['follows a control character', '\u0007400.1.k3pt-s3cr3t no', ' no'],
    ['begins with the status', '400.1.k3pt-s3cr3t no', ' no'],
    ['is formed in references', '<html><p>400.1.k3pt-s&#8203;3cr3t no</p>', ' no'],
    ['is divided by tags', '<html><p>400.1.<b></b>k3pt-s3cr3t no', ' no'],
    ['is formed in JSON', '"{\\"message\\":\\"400.1.k3pt-s\\\\u200b3cr3t\\"}"', ''],
  ])('hides a secret that %s', (_, body, rest) => {
    hide('400.1.k3pt-s3cr3t');
    const { says } = makeResponse({ status: 400, body });
    expect(says.map((line) => show(line))).toEqual([`***${rest}`]);
  });
});

/** The problem of a refusal; undefined if there is none. */
function readProblem(body: string, type?: string) {
  const headers = type === undefined ? {} : { 'content-type': type };
  const { problem } = makeResponse({ status: 400, headers, body });
  return (
    problem && { traceId: problem.serviceTraceId, members: JSON.parse(problem.json) as unknown }
  );
}

describe('the problem of a refusal', () => {
  test.each([7, ' \t\n', '\u200b\0', 'a'])(
    'has every member, and a traceId unless it is %j',
    (traceId) => {
      const members = { title: 'T.', detail: null, status: '400', errors: { key: ['x'] }, traceId };
      const problem = readProblem(`\ufeff \n${JSON.stringify(members)}\ufeff`, 'text/plain');
      expect(problem).toMatchObject({ traceId: traceId === 'a' ? 'a' : undefined });
      expect(problem?.members).toEqual({
        ...members,
        traceId: traceId === '\u200b\0' ? '' : traceId,
      });
    },
  );

  test.each([
    [{ status: 400 }, true],
    [{ title: null, message: 'text' }, true],
    [{ type: 'text' }, true],
    [{}, false],
    [{ status: 500, error: 'Internal Server Error', path: '/v1' }, false],
    [{ message: 'text', Title: 'text' }, false],
  ])('is known by its members, or by its media type: %j %s', (members, isKnown) => {
    const text = JSON.stringify(members);
    for (const type of [undefined, 'text/plain; was=application/problem+json']) {
      expect(readProblem(text, type) !== undefined).toBe(isKnown);
    }
    const declared = ' Application/Problem+JSON; charset=utf-8';
    expect(readProblem(text, declared)).toMatchObject({ members });
  });

  test('has the traceId of ASP.NET with names in Pascal case', () => {
    expect(readProblem('{"Title":"t","TraceId":"a"}', 'application/problem+json')).toMatchObject({
      traceId: 'a',
    });
  });

  test('has a traceId of at most 100 characters', () => {
    const traceId = 'a'.repeat(101);
    expect(readProblem(JSON.stringify({ title: 't', traceId }))?.traceId).toMatch(/^a{98} …$/);
  });

  test.each(['[{"title":"t"}]', '{"title":"t","detail":"cu', '"title"'])('is not %j', (text) => {
    expect(readProblem(text, 'application/problem+json')).toBeUndefined();
  });
});

test.each([
  ['a text to its last line', 400, 'a\n'.repeat(100), 'a\n'.repeat(99) + 'a'],
  ['a page without tags', 400, '<html><p>It\n<b>ended</b> &amp; x', '\n\nIt ended & x'],
  ['JSON that does not parse', 400, '{"a":"b\nc"}', '{"a":"b\nc"}'],
  ['JSON by line', 400, '{"a":"b\\nc","d":[{"e":7,"f":null},true]}', 'a: b\nc\nd:\ne: 7\ntrue'],
  [
    'JSON without what is of the request',
    400,
    '{"type":"urn:a","Instance":"POST /v1","b":{"in-stance":["x"],"c":"PUT /v1?a HTTP/1.1"}}',
    'type: urn:a\nb:\nin-stance:',
  ],
  ['a text up to its stack', 500, 'E: x\n at a.b(c.js:1)\nHEADERS\nCookie: a', 'E: x'],
  ['a page up to its stack', 400, '<html><p>E: x\n at a.b(c.js:1)\n<p>y', '\n\nE: x'],
  ['the text of a success that is none', 200, 'Error: a', 'Error: a'],
  ['the text of a success', 200, 'Stored', 'Stored'],
])('keeps for decisions %s', (_, status, body, text) => {
  expect(makeResponse({ status, body }).text).toBe(text);
});

const CHALLENGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><p>Wait.</p>';
test.each([
  [true, 'its page', { server: 'cloudflare' }, CHALLENGE],
  [true, 'its text', { server: 'cloudflare' }, 'Just a moment...'],
  [true, 'its header', { 'cf-mitigated': 'challenge' }, 'Wait.'],
  [false, 'its page from nginx', { server: 'nginx' }, CHALLENGE],
  [false, 'its words later', { server: 'cloudflare' }, '<html><p>It ended. Just a moment...</p>'],
])('isChallenge says %s of a challenge of Cloudflare: %s', (expected, _, headers, body) => {
  const statuses = [200, 403].map((status) => isChallenge(makeResponse({ status, headers, body })));
  expect(statuses).toEqual([expected, expected]);
});

test.each([
  ['0', 0],
  ['120', 120_000],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['Wed, 01 Jan 2025 00:01:00 GMT', 60_000],
  ['-1', undefined],
  ['1e3', undefined],
  [' GMT', undefined],
  ['2025-01-02T00:00:00Z', undefined],
  ['Thu, 02 Jan 2025 00:00:00 +0100', undefined],
  ['Wed, 99 Foo 2025 00:01:00 GMT', undefined],
])('Retry-After of %s is %s ms', (value, milliseconds) => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2025, 0, 1));
  cleanUp(() => clock.mockRestore());
  expect(makeResponse({ headers: { 'retry-after': value } }).retryAfterMs).toBe(milliseconds);
});
