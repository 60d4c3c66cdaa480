import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { holdFailedWrites } from '../../src/service/hold-writes.ts';

const BROKEN = new Error('write EPIPE');

/** A socket whose writes fail at once, or succeed. */
class Socket extends Duplex {
  readonly #error: Error | null;
  readonly chunks: unknown[] = [];

  constructor(error: Error | null) {
    super({ autoDestroy: false });
    this.#error = error;
    this.on('error', () => {});
    holdFailedWrites(this);
  }

  override _read(): void {}

  override _write(chunk: unknown, _: BufferEncoding, done: (error: Error | null) => void): void {
    this.chunks.push(chunk);
    done(this.#error);
  }
}

/** Calls `_write` or `_writev` as Node does, and returns what its callback was called with. */
function write(socket: Duplex, name: '_write' | '_writev' = '_write'): unknown[] {
  const calls: unknown[] = [];
  const done = (error?: Error | null): void => void calls.push(error);
  if (name === '_write') socket._write(Buffer.from('a'), 'utf8', done);
  else socket._writev?.([{ chunk: 'a', encoding: 'utf8' }], done);
  return calls;
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a write of a held socket', () => {
  test('that succeeds is not held', () => {
    const socket = new Socket(null);
    expect(write(socket)).toEqual([null]);
    expect(socket.chunks).toEqual([Buffer.from('a')]);
  });

  test.each(['end', 'close'])('that fails is called once with its error at %s', async (event) => {
    const socket = new Socket(BROKEN);
    const calls = write(socket);
    expect(calls).toEqual([]);
    if (event === 'close') socket.destroy();
    else socket.resume().push(null);
    await turn();
    expect(calls).toEqual([BROKEN]);
    socket.destroy();
    await turn();
    expect(calls).toEqual([BROKEN]);
    expect(socket.listenerCount('close')).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('that fails is called after 1 s, and another turn of the event loop', async () => {
    const socket = new Socket(BROKEN);
    const calls = write(socket);
    jest.advanceTimersByTime(999);
    await turn();
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(calls).toEqual([]);
    await turn();
    expect(calls).toEqual([BROKEN]);
  });

  test('that fails is called once if the socket closes in that turn', async () => {
    const socket = new Socket(BROKEN);
    const calls = write(socket);
    jest.advanceTimersByTime(1000);
    socket.destroy();
    await turn();
    await turn();
    expect(calls).toEqual([BROKEN]);
  });

  test.each([
    ['destroyed', (socket: Socket) => void socket.destroy()],
    ['ended', (socket: Socket) => void socket.resume().push(null)],
  ])('that fails on a socket that is already %s is not held', async (_, end) => {
    const socket = new Socket(BROKEN);
    end(socket);
    await turn();
    expect(write(socket)).toEqual([BROKEN]);
  });

  test('of several pieces is held in the same way, if the socket has it', async () => {
    const socket = new Duplex({
      autoDestroy: false,
      read: () => {},
      writev: (_, done) => done(BROKEN),
    });
    holdFailedWrites(socket);
    const calls = write(socket, '_writev');
    expect(calls).toEqual([]);
    socket.destroy();
    await turn();
    expect(calls).toEqual([BROKEN]);
    expect(write(new Socket(null), '_writev')).toEqual([]);
  });
});
