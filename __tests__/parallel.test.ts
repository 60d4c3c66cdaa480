import { describe, expect, test } from '@jest/globals';
import { mapParallel } from '../src/parallel.ts';

/** Work of which the test decides when it ends. */
class Desk {
  readonly started: number[] = [];
  readonly #open = new Map<number, (error?: Error) => void>();

  readonly work = async (item: number): Promise<string> => {
    this.started.push(item);
    await new Promise<void>((resolve, reject) => {
      this.#open.set(item, (error) => (error === undefined ? resolve() : reject(error)));
    });
    return `done ${item}`;
  };

  /** How many are in progress. */
  get inProgress(): number {
    return this.#open.size;
  }

  async end(item: number, error?: Error): Promise<void> {
    this.#open.get(item)?.(error);
    this.#open.delete(item);
    await new Promise(setImmediate);
  }
}

async function waitTurns(turns: number): Promise<number> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  return turns * 10;
}

describe('mapParallel', () => {
  test('starts as many as the limit, in order, and the next as soon as one has ended', async () => {
    const desk = new Desk();
    const all = mapParallel([0, 1, 2, 3, 4], 2, desk.work);
    expect(desk.started).toEqual([0, 1]);
    await desk.end(1);
    expect(desk.started).toEqual([0, 1, 2]);
    await desk.end(2);
    await desk.end(0);
    expect(desk.started).toEqual([0, 1, 2, 3, 4]);
    expect(desk.inProgress).toBe(2);
    await desk.end(4);
    await desk.end(3);
    expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3', 'done 4']);
  });

  test.each([1, 2, 3, 7, 100])(
    'returns the results in the order of the items (up to %i in parallel)',
    async (limit) => {
      const items = [3, 1, 4, 1, 5, 9, 2, 6];
      expect(await mapParallel(items, limit, waitTurns)).toEqual(items.map((item) => item * 10));
    },
  );

  test('never exceeds the limit', async () => {
    let inProgress = 0;
    let most = 0;
    await mapParallel(Array.from({ length: 20 }), 3, async () => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      await new Promise(setImmediate);
      inProgress -= 1;
    });
    expect(most).toBe(3);
  });

  test('resolves at once without items', async () => {
    expect(await mapParallel([], 4, async () => 1)).toEqual([]);
  });

  test('keeps a result of undefined', async () => {
    expect(await mapParallel(['a', 'b'], 2, async () => undefined)).toEqual([undefined, undefined]);
  });

  test('rejects as soon as one does, and does not end the others', async () => {
    const desk = new Desk();
    const error = new Error('broken');
    const ended = mapParallel([0, 1, 2], 2, desk.work).catch((reason: unknown) => reason);
    await desk.end(1, error);
    expect(await ended).toBe(error);
    expect(desk.inProgress).toBe(1);
    await desk.end(0);
    await desk.end(2);
  });
});
