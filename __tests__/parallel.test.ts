import { describe, expect, test } from '@jest/globals';
import { mapParallel } from '../src/parallel.ts';

/** Work on items that the test ends one by one. */
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

  /** The number of items in progress. */
  get inProgress(): number {
    return this.#open.size;
  }

  async end(item: number, error?: Error): Promise<void> {
    this.#open.get(item)?.(error);
    this.#open.delete(item);
    await new Promise(setImmediate);
  }
}

describe('mapParallel', () => {
  test('starts items in order up to the limit, and the next one when an item ends', async () => {
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
    'returns the results in order, with a limit of %i',
    async (limit) => {
      const items = [3, 1, 4, 1, 5, 9, 2, 6];
      let [inProgress, most] = [0, 0];
      const results = await mapParallel(items, limit, async (turns) => {
        inProgress += 1;
        most = Math.max(most, inProgress);
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
        inProgress -= 1;
        return turns === 9 ? undefined : turns;
      });
      expect(results).toEqual([3, 1, 4, 1, 5, undefined, 2, 6]);
      expect(most).toBe(Math.min(limit, items.length));
      expect(await mapParallel([], limit, async () => 1)).toEqual([]);
    },
  );

  test('rejects as soon as an item fails, and does not stop the others', async () => {
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
