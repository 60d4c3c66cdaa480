import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { holdFailedWrites } from '../../src/service/hold-writes.ts';
import { makeConnection } from '../support/exchanges.ts';

// What an upload gains from it, by single writes, is tested in late-writes.test.ts.

const BROKEN = new Error('write EPIPE');

/** A held socket whose writes of several pieces fail at once or succeed. */
function makeSocket(error: Error | null = BROKEN): Duplex {
  const socket = makeConnection(() => {}, {
    autoDestroy: false,
    writev: (_chunks, done) => done(error),
  });
  holdFailedWrites(socket.on('error', () => {}));
  return socket;
}

/** Writes as Node does, and returns what the callback was called with. */
function write(socket: Duplex): unknown[] {
  const calls: unknown[] = [];
  socket._writev?.([{ chunk: 'a', encoding: 'utf8' }], (error) => void calls.push(error));
  return calls;
}

function turn(): Promise<void> {
  return new Promise(setImmediate);
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

describe('a write of a held socket', () => {
  test('is not held if it succeeds', () => {
    expect(write(makeSocket(null))).toEqual([null]);
  });

  test.each([
    ['end', (socket: Duplex) => socket.resume().push(null)],
    ['close', (socket: Duplex) => socket.destroy()],
  ])('fails once with its error at %s', async (_, end) => {
    const socket = makeSocket();
    const calls = write(socket);
    expect(calls).toEqual([]);
    end(socket);
    await turn();
    expect(calls).toEqual([BROKEN]);
    // What has ended or is closed is not held any more.
    expect(write(socket)).toEqual([BROKEN]);
    socket.destroy();
    await turn();
    expect(calls).toEqual([BROKEN]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('fails once after 1 s, and another turn of the event loop, in which it may close', async () => {
    const socket = makeSocket();
    const calls = write(socket);
    jest.advanceTimersByTime(999);
    await turn();
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(calls).toEqual([]);
    socket.destroy();
    await turn();
    await turn();
    expect(calls).toEqual([BROKEN]);
  });
});
