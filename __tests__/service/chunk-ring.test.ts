import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ChunkRing } from '../../src/service/chunk-ring.ts';
import type { WriteChunk } from '../../src/service/chunk-ring.ts';
import { KIB, MIB, makeBytes } from './fixtures.ts';

/** Reads a buffer's worth from `content`, from where the last call ended. */
function makeReader(content: Buffer): (buffer: Buffer) => Promise<Buffer> {
  let position = 0;
  return async (buffer) => {
    const bytes = content.copy(buffer, 0, position);
    position += bytes;
    return buffer.subarray(0, bytes);
  };
}

async function relayAll(ring: ChunkRing, content: Buffer): Promise<readonly number[]> {
  const read = makeReader(content);
  const sizes: number[] = [];
  for (let left = content.length; left > 0;) {
    const bytes = await ring.relay(left, read);
    sizes.push(bytes);
    left -= bytes;
  }
  await ring.drain();
  return sizes;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Relays through writes that take `writeMs` each, under a clock of its own. */
async function relaySlowly(content: Buffer, writeMs: number): Promise<readonly number[]> {
  const relaying = relayAll(new ChunkRing(() => delay(writeMs), content.length), content);
  await jest.runAllTimersAsync();
  return relaying;
}

describe('ChunkRing', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('makes chunks larger while they leave fast, up to 512 KiB', async () => {
    const sizes = await relaySlowly(Buffer.alloc(32 * MIB), 1);
    expect(sizes[0]).toBe(64 * KIB);
    expect(sizes).toContain(256 * KIB);
    expect(sizes.at(-2)).toBe(512 * KIB);
    expect(Math.max(...sizes)).toBe(512 * KIB);
  });

  test('keeps their size while the systems on both sides may only be buffering', async () => {
    const sizes = await relaySlowly(Buffer.alloc(20 * MIB), 1);
    expect(new Set(sizes)).toEqual(new Set([64 * KIB]));
  });

  test.each([200, 1000, 2000])(
    'keeps their size on a link that takes %i ms for each',
    async (writeMs) => {
      const sizes = await relaySlowly(Buffer.alloc(24 * MIB), writeMs);
      expect(new Set(sizes)).toEqual(new Set([64 * KIB]));
    },
  );

  test('makes them smaller while they leave slowly, down to 16 KiB', async () => {
    const sizes = await relaySlowly(Buffer.alloc(MIB), 2500);
    expect(sizes[0]).toBe(64 * KIB);
    expect(sizes.at(-2)).toBe(16 * KIB);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16 * KIB);
  });

  test('has at most three chunks under way, and reuses no buffer before its write has ended', async () => {
    const content = makeBytes(MIB);
    const received: Buffer[] = [];
    let underWay = 0;
    let most = 0;
    const write: WriteChunk = async (chunk) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await delay(300);
      underWay -= 1;
      received.push(Buffer.from(chunk));
    };
    const relaying = relayAll(new ChunkRing(write, content.length), content);
    await jest.runAllTimersAsync();
    await relaying;
    expect(most).toBe(3);
    expect(Buffer.concat(received).equals(content)).toBe(true);
  });

  test.each([
    [100, 64 * KIB],
    [256 * MIB, 1536 * KIB],
  ])('takes for a file of %i bytes no more than %i bytes of memory', (size, limit) => {
    const before = process.memoryUsage().arrayBuffers;
    const ring = new ChunkRing(async () => {}, size);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThanOrEqual(limit);
    expect(ring).toBeInstanceOf(ChunkRing);
  });

  test('asks for no more than is wanted', async () => {
    const ring = new ChunkRing(async () => {}, MIB);
    const wanted: number[] = [];
    await ring.relay(10, async (buffer) => {
      wanted.push(buffer.length);
      return buffer.subarray(0, 4);
    });
    expect(wanted).toEqual([10]);
  });

  test('returns what was read and writes nothing at a file’s end', async () => {
    const write = jest.fn<WriteChunk>(async () => {});
    const ring = new ChunkRing(write, 100);
    expect(await ring.relay(100, async (buffer) => buffer.subarray(0, 40))).toBe(40);
    expect(await ring.relay(60, async (buffer) => buffer.subarray(0, 0))).toBe(0);
    expect(write.mock.calls.map(([chunk]) => chunk.length)).toEqual([40]);
  });

  test('needs no buffers for files without a byte', async () => {
    const written: string[] = [];
    const ring = new ChunkRing(async (chunk) => void written.push(chunk.toString()), 0);
    ring.pass(Buffer.from('head'));
    ring.pass(Buffer.from('tail'));
    await ring.drain();
    expect(written).toEqual(['head', 'tail']);
  });

  test('drains only when everything has left', async () => {
    const events: string[] = [];
    const ring = new ChunkRing(async () => {
      await delay(500);
      events.push('left');
    }, 10);
    ring.pass(Buffer.from('head'));
    await ring.relay(10, makeReader(Buffer.from('content')));
    const draining = ring.drain().then(() => events.push('drained'));
    await jest.runAllTimersAsync();
    await draining;
    expect(events).toEqual(['left', 'left', 'drained']);
  });

  test('tells of a failed write when the buffer is wanted again', async () => {
    const ring = new ChunkRing(async () => Promise.reject(new Error('broken')), 30);
    const relay = (): Promise<number> => ring.relay(10, async (buffer) => buffer);
    expect([await relay(), await relay(), await relay()]).toEqual([10, 10, 10]);
    await expect(relay()).rejects.toThrow(/^broken$/);
  });

  test.each(['pass', 'relay'] as const)(
    'tells of a failed write (%s) when drained',
    async (way) => {
      const ring = new ChunkRing(async () => Promise.reject(new Error('broken')), 30);
      if (way === 'pass') ring.pass(Buffer.from('head'));
      else await ring.relay(10, async (buffer) => buffer);
      await expect(ring.drain()).rejects.toThrow(/^broken$/);
    },
  );

  test('leaves no failed write unhandled until then', async () => {
    jest.useRealTimers();
    const onUnhandled = jest.fn();
    process.on('unhandledRejection', onUnhandled);
    const ring = new ChunkRing(async () => Promise.reject(new Error('broken')), 30);
    ring.pass(Buffer.from('head'));
    await ring.relay(10, async (buffer) => buffer);
    await new Promise(setImmediate);
    process.off('unhandledRejection', onUnhandled);
    expect(onUnhandled).not.toHaveBeenCalled();
    await expect(ring.drain()).rejects.toThrow(/^broken$/);
  });
});
