import { describe, expect, test } from '@jest/globals';
import { mapInLanes } from '../src/lanes.ts';

/** Work that ends when it is told to. */
class Desk {
  readonly begun: number[] = [];
  readonly #open = new Map<number, (error?: Error) => void>();

  readonly work = async (item: number): Promise<string> => {
    this.begun.push(item);
    await new Promise<void>((resolve, reject) => {
      this.#open.set(item, (error) => (error === undefined ? resolve() : reject(error)));
    });
    return `done ${item}`;
  };

  /** How many are under way. */
  get underWay(): number {
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

describe('mapInLanes', () => {
  test('begins so many, in order, and the next as soon as one has ended', async () => {
    const desk = new Desk();
    const all = mapInLanes([0, 1, 2, 3, 4], 2, desk.work);
    expect(desk.begun).toEqual([0, 1]);
    await desk.end(1);
    expect(desk.begun).toEqual([0, 1, 2]);
    await desk.end(2);
    await desk.end(0);
    expect(desk.begun).toEqual([0, 1, 2, 3, 4]);
    expect(desk.underWay).toBe(2);
    await desk.end(4);
    await desk.end(3);
    expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3', 'done 4']);
  });

  test.each([1, 2, 3, 7, 100])('has each result at its place (%i at a time)', async (lanes) => {
    const items = [3, 1, 4, 1, 5, 9, 2, 6];
    expect(await mapInLanes(items, lanes, waitTurns)).toEqual(items.map((item) => item * 10));
  });

  test('never has more under way than there are lanes', async () => {
    let underWay = 0;
    let most = 0;
    await mapInLanes(Array.from({ length: 20 }), 3, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    });
    expect(most).toBe(3);
  });

  test('has nothing to do without items', async () => {
    expect(await mapInLanes([], 4, async () => 1)).toEqual([]);
  });

  test('keeps a result of undefined', async () => {
    expect(await mapInLanes(['a', 'b'], 2, async () => undefined)).toEqual([undefined, undefined]);
  });

  test('rejects as soon as one does, and leaves the others to themselves', async () => {
    const desk = new Desk();
    const error = new Error('broken');
    const ended = mapInLanes([0, 1, 2], 2, desk.work).catch((reason: unknown) => reason);
    await desk.end(1, error);
    expect(await ended).toBe(error);
    expect(desk.underWay).toBe(1);
    await desk.end(0);
    await desk.end(2);
  });
});
