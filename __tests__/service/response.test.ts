import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { ResponseReader, TooLongError, isSuccess } from '../../src/service/response.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import { exchangeWith, expectResponse } from '../support/exchanges.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import type { Peer, Reply } from '../support/peer.ts';
import { KIB, MIB } from '../support/samples.ts';

async function receive(status: number, reply: Reply): Promise<ServiceResponse> {
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    peer.reply(status, reply);
  });
  return expectResponse(await exchangeWith(server.url));
}

/** Writes endlessly, as fast as the client reads. */
function flood({ socket }: Peer): void {
  const chunk = Buffer.alloc(64 * KIB, 'x');
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
}

/** A truncated text of 64 KiB loses its last word, but never more than 16 KiB of it. */
const KEPT_OF_ONE_WORD = 48 * KIB;

describe('ResponseReader', () => {
  test('returns status, headers and text', async () => {
    const headers = { 'Content-Type': 'text/plain', 'X-Request-Id': '7' };
    expect(await receive(418, { headers, body: 'no coffee' })).toMatchObject({
      status: 418,
      headers: { 'content-type': 'text/plain', 'x-request-id': '7' },
      text: 'no coffee',
      complete: true,
    });
  });

  test.each([200, 400])('treats a %i without a body as complete', async (status) => {
    expect(await receive(status, {})).toMatchObject({ text: '', complete: true });
  });

  test('reads a success of 1 MiB to its end, and keeps at most 64 KiB of it', async () => {
    const response = await receive(200, {
      body: `${'a'.repeat(64 * KIB)}${'b'.repeat(15 * 64 * KIB)}`,
    });
    expect(response.complete).toBe(true);
    expect(response.text).toBe('a'.repeat(KEPT_OF_ONE_WORD));
  });

  test.each([
    ['success', 200, MIB],
    ['refusal', 400, 64 * KIB],
  ])(
    'treats a longer %s as truncated, and keeps at most 64 KiB of it',
    async (_, status, maxBytes) => {
      const body = Buffer.alloc(maxBytes + 1, 'a');
      const text = 'a'.repeat(KEPT_OF_ONE_WORD);
      expect(await receive(status, { body })).toMatchObject({ status, complete: false, text });
    },
  );

  test('reads a refusal of 64 KiB to its end', async () => {
    const body = 'a'.repeat(64 * KIB);
    expect(await receive(400, { body })).toMatchObject({ complete: true, text: body });
  });

  test.each([200, 500])('stops reading a %i that never ends', async (status) => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.send(makeReply(status, { headers: { 'Content-Length': String(2 ** 40) } }));
      flood(peer);
    });
    const end = await exchangeWith(server.url);
    expect(expectResponse(end)).toMatchObject({ status, complete: false });
    expect(end.outcome).toHaveProperty('error', new TooLongError());
    await server.peer.closed;
  });

  test('judges a success by the whole of its body, which may be compressed', async () => {
    const pad = ' '.repeat(100 * KIB);
    const body = gzipSync(`${pad}{"status":500}`);
    const headers = { 'Content-Encoding': 'gzip' };
    expect(await receive(200, { headers, body })).toMatchObject({ confirmation: 'problem' });
    expect(await receive(200, { body: pad })).toMatchObject({ confirmation: 'success' });
  });

  test.each([200, 400])('shows the decoded text of a compressed %i', async (status) => {
    const headers = { 'Content-Encoding': 'gzip' };
    const response = await receive(status, { headers, body: gzipSync('a '.repeat(40 * KIB)) });
    expect(response).toMatchObject({ complete: true, text: 'a '.repeat(32 * KIB).trimEnd() });
  });

  test('shows nothing of a refusal that cannot be decoded', async () => {
    const headers = { 'Content-Encoding': 'zstd' };
    expect(await receive(400, { headers, body: 'x' })).toMatchObject({ status: 400, text: '' });
  });

  test.each([
    ['text/plain', Buffer.from('é€'), 'é€'],
    ['text/plain; charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
  ])('decodes %s', async (contentType, body, text) => {
    const response = await receive(400, { headers: { 'Content-Type': contentType }, body });
    expect(response.text).toBe(text);
  });

  test('drops the truncated last word, which may be half of a secret', async () => {
    const body = `${'a '.repeat(32 * KIB - 5)}half-of-a-secret and more`;
    expect((await receive(400, { body })).text).toBe('a '.repeat(32 * KIB - 5).trimEnd());
  });

  test('decodes a text that is truncated inside a character', async () => {
    const body = `${'a '.repeat(32 * KIB - 1)}aé`;
    expect((await receive(400, { body })).text).toBe('a '.repeat(32 * KIB - 1).trimEnd());
  });
});

async function closed(response: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
  });
}

describe('ResponseReader without a server', () => {
  interface Reading {
    readonly response: IncomingMessage;
    readonly reader: ResponseReader;
    readonly ends: (readonly [ServiceResponse, Error | undefined])[];
    progress: number;
  }

  function read(): Reading {
    const response = new IncomingMessage(new Socket());
    response.statusCode = 200;
    const ends: Reading['ends'] = [];
    const reader = new ResponseReader(response, {
      onProgress: () => {
        reading.progress += 1;
      },
      onEnd: (ended, error) => ends.push([ended, error]),
    });
    const reading: Reading = { response, reader, ends, progress: 0 };
    return reading;
  }

  test('reports progress for every piece', async () => {
    const reading = read();
    const { response, ends } = reading;
    response.push('one');
    response.push('two');
    response.push(null);
    response.complete = true;
    await closed(response);
    expect(ends).toEqual([
      [expect.objectContaining({ text: 'onetwo', complete: true }), undefined],
    ]);
    expect(reading.progress).toBe(2);
  });

  const ERROR = new Error('reset');

  test.each<[string, (response: IncomingMessage) => unknown, Error | undefined]>([
    ['an end without the whole body', (response) => response.push(null), undefined],
    ['a close', (response) => response.destroy(), undefined],
    ['an error, and passes it on', (response) => response.destroy(ERROR), ERROR],
  ])('treats a response as truncated after %s', async (_, act, error) => {
    const { response, ends } = read();
    act(response);
    await closed(response);
    expect(ends).toEqual([[expect.objectContaining({ complete: false }), error]]);
  });

  test('drops the last word of a text that was truncated', async () => {
    const { response, ends } = read();
    response.push('bad credential half-of-a-sec');
    await new Promise((resolve) => {
      response.once('data', resolve);
    });
    response.destroy();
    await closed(response);
    expect(ends).toEqual([[expect.objectContaining({ text: 'bad credential' }), undefined]]);
  });

  test('ends only once, with the first reason', async () => {
    const { response, reader, ends } = read();
    const error = new Error('stop');
    reader.end(false, error);
    reader.end(true);
    response.destroy(new Error('later'));
    await closed(response);
    expect(ends).toEqual([[expect.objectContaining({ complete: false }), error]]);
  });
});

describe('isSuccess', () => {
  test.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('returns for status %i: %s', (status, expected) => {
    expect(isSuccess(status)).toBe(expected);
  });
});
