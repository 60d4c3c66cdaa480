import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ChunkRing } from '../../src/service/chunk-ring.ts';
import { KIB, MIB } from './fixtures.ts';

/** The sizes of the buffers that were made, in their order. */
const made: number[] = [];

const OriginalBuffer = SharedArrayBuffer;

class CountedBuffer extends SharedArrayBuffer {
  constructor(bytes: number) {
    super(bytes);
    made.push(bytes);
  }
}

beforeEach(() => {
  made.length = 0;
  Object.assign(globalThis, { SharedArrayBuffer: CountedBuffer });
});
afterEach(() => {
  Object.assign(globalThis, { SharedArrayBuffer: OriginalBuffer });
});

async function relay(ring: ChunkRing, times: number): Promise<readonly ArrayBufferLike[]> {
  const used: ArrayBufferLike[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    await ring.relay(10, async (buffer) => {
      used.push(buffer.buffer);
      return buffer;
    });
  }
  await ring.drain();
  return used;
}

describe('the buffers of a ChunkRing', () => {
  test('are not made before they are needed', async () => {
    const ring = new ChunkRing(async () => {}, MIB);
    ring.pass(Buffer.from('head'));
    await ring.drain();
    expect(made).toEqual([]);
  });

  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [10, 3],
  ])('are one for each of %i chunks, but %i at most', async (chunks, buffers) => {
    const used = await relay(new ChunkRing(async () => {}, 100), chunks);
    expect(made).toEqual(Array.from({ length: buffers }, () => 100));
    expect(new Set(used).size).toBe(buffers);
  });

  test('are used in turn', async () => {
    const used = await relay(new ChunkRing(async () => {}, 100), 7);
    for (const [index, buffer] of used.entries()) expect(buffer).toBe(used[index % 3]);
  });

  test.each([
    [1, 1],
    [512 * KIB, 512 * KIB],
    [512 * KIB + 1, 512 * KIB],
    [1024 * MIB, 512 * KIB],
  ])('for a file of %i bytes have %i each', async (largest, bytes) => {
    await relay(new ChunkRing(async () => {}, largest), 1);
    expect(made).toEqual([bytes]);
  });
});
