import { describe, expect, test } from '@jest/globals';
import { EventQueue } from '../../bench/fleet/event-queue.ts';
import { createRandom } from '../../bench/fleet/random.ts';

function draw(seed: number): number[] {
  return Array.from({ length: 20 }, createRandom(seed));
}

function drain<T>(queue: EventQueue<T>): T[] {
  const values: T[] = [];
  for (let event = queue.pop(); event !== undefined; event = queue.pop()) values.push(event.value);
  return values;
}

describe('EventQueue', () => {
  test('has nothing to give when empty, also after having been emptied', () => {
    const queue = new EventQueue<string>();
    expect(queue.pop()).toBeUndefined();
    queue.push(1, 'a');
    expect(queue.pop()).toMatchObject({ atMs: 1, value: 'a' });
    expect(queue.pop()).toBeUndefined();
  });

  test.each([
    [[1, 2, 3]],
    [[3, 2, 1]],
    [[2, 1]],
    [[2, 3, 1]],
    [[5, 5, 1, 5, 0, -1, 5]],
    [[0.3, 0.1, 0.2, 0.30000001]],
  ])('gives %j earliest first', (times) => {
    const queue = new EventQueue<number>();
    times.forEach((time) => queue.push(time, time));
    expect(drain(queue)).toEqual(times.toSorted((a, b) => a - b));
  });

  test('gives events of the same time in the order they were added', () => {
    const queue = new EventQueue<string>();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) queue.push(7, name);
    queue.push(1, 'first');
    queue.push(7, 'h');
    expect(drain(queue).join('')).toBe('firstabcdefgh');
  });

  test('stays in order while events are added between those taken', () => {
    const random = createRandom(3);
    const queue = new EventQueue<undefined>();
    let waiting: number[] = [];
    const taken: unknown[] = [];
    const expected: unknown[] = [];
    for (let step = 0; step < 5000; step += 1) {
      const isAdding = random() < 0.55 || waiting.length === 0;
      if (isAdding) {
        // Few different times, so that many are equal.
        const atMs = Math.floor(random() * 50);
        queue.push(atMs, undefined);
        waiting.push(atMs);
      } else {
        waiting = waiting.toSorted((a, b) => a - b);
        expected.push(waiting.shift());
        taken.push(queue.pop()?.atMs);
      }
    }
    expect(taken.length).toBeGreaterThan(2000);
    expect(taken).toEqual(expected);
    expect(drain(queue)).toHaveLength(waiting.length);
  });
});

describe('createRandom', () => {
  test('gives the numbers of mulberry32', () => {
    const random = createRandom(1);
    expect([random(), random(), random()]).toEqual([
      0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
    ]);
  });

  test('repeats itself for the same seed and for no other', () => {
    expect(draw(7)).toEqual(draw(7));
    expect(draw(8)).not.toEqual(draw(7));
  });

  test('is uniform in [0, 1)', () => {
    const numbers = Array.from({ length: 100_000 }, createRandom(5));
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const number of numbers) {
      const index = Math.floor(number * 10);
      tenths[index] = (tenths[index] ?? Number.NaN) + 1;
    }
    expect(tenths).toHaveLength(10);
    // The standard deviation of each is 95.
    for (const share of tenths) expect(Math.abs(share - 10_000)).toBeLessThan(475);
  });
});
