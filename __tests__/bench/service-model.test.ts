import { describe, expect, test } from '@jest/globals';
import { createRandom } from '../../bench/fleet/random.ts';
import { getCapacity, ServiceModel } from '../../bench/fleet/service.ts';
import type { ServiceLimits } from '../../bench/fleet/service.ts';

const LIMITS: ServiceLimits = { slots: 2, queue: 3, serviceMs: 500 };

/** When each arrival's upload ends, and undefined for those shed. */
function admitAll(arrivalsMs: readonly number[], limits = LIMITS): (number | undefined)[] {
  const service = new ServiceModel(limits);
  return arrivalsMs.map((atMs) => service.admit(atMs));
}

/** The same service, told slot by slot: each has a time from which it is free. */
function admitBySlots(
  arrivalsMs: readonly number[],
  { slots, queue, serviceMs }: ServiceLimits,
): (number | undefined)[] {
  const freeMs = Array.from({ length: slots }, () => 0);
  const startsMs: number[] = [];
  return arrivalsMs.map((atMs) => {
    const isBusy = freeMs.every((time) => time > atMs);
    const waiting = startsMs.filter((time) => time > atMs).length;
    if (isBusy && waiting >= queue) return undefined;
    const earliestMs = Math.min(...freeMs);
    const startMs = Math.max(atMs, earliestMs);
    freeMs[freeMs.indexOf(earliestMs)] = startMs + serviceMs;
    startsMs.push(startMs);
    return startMs + serviceMs;
  });
}

describe('ServiceModel', () => {
  test('serves as many at a time as there are slots', () => {
    expect(admitAll([0, 0])).toEqual([500, 500]);
    expect(admitAll([0, 100])).toEqual([500, 600]);
  });

  test('lets the next ones wait for the first free slot, in turn', () => {
    expect(admitAll([0, 100, 200, 200, 200])).toEqual([500, 600, 1000, 1100, 1500]);
  });

  test('sheds at once what finds slots and queue full', () => {
    expect(admitAll([0, 0, 0, 0, 0, 0, 1])).toEqual([
      500,
      500,
      1000,
      1000,
      1500,
      undefined,
      undefined,
    ]);
  });

  test('has room again from the moment an upload ends, and for as many as ended', () => {
    const full = [0, 0, 0, 0, 0];
    expect(admitAll([...full, 499.999]).at(-1)).toBeUndefined();
    expect(admitAll([...full, 500, 500, 500]).slice(5)).toEqual([1500, 2000, undefined]);
  });

  test('is idle again after a pause', () => {
    expect(admitAll([0, 0, 0, 0, 0, 5000, 5000]).slice(5)).toEqual([5500, 5500]);
  });

  test('is not the busier for what it sheds', () => {
    const flood = Array.from({ length: 1000 }, () => 0);
    expect(admitAll([...flood, 500]).at(-1)).toBe(1500);
  });

  test('under a flood accepts what its capacity says', () => {
    const limits = { slots: 100, queue: 200, serviceMs: 500 };
    expect(getCapacity(limits)).toBe(200);
    const flood = Array.from({ length: 100_000 }, (_, index) => index / 10);
    const ends = admitAll(flood, limits).filter((end) => end !== undefined);
    const within = ends.filter((end) => end < 10_000);
    // In ten seconds, the first half second for warming up: 100 every 0.5 s.
    expect(within.length).toBeGreaterThanOrEqual(1900);
    expect(within.length).toBeLessThanOrEqual(2000);
    expect(ends.length - within.length).toBe(300);
  });

  test.each([
    { slots: 1, queue: 0, serviceMs: 500 },
    { slots: 2, queue: 3, serviceMs: 500 },
    { slots: 7, queue: 1, serviceMs: 300 },
    { slots: 10, queue: 20, serviceMs: 500 },
  ])('agrees with a service told slot by slot: %j', (limits) => {
    const random = createRandom(11);
    // About twice the capacity at first, half of it later, so that the queue fills and empties.
    let atMs = 0;
    const arrivals = Array.from({ length: 3000 }, (_, index) => {
      atMs += (random() * 2000 * (index < 1500 ? 0.5 : 2)) / getCapacity(limits);
      return atMs;
    });
    const ends = admitAll(arrivals, limits);
    expect(ends).toEqual(admitBySlots(arrivals, limits));
    expect(ends.filter((end) => end === undefined).length).toBeGreaterThan(300);
    expect(ends.filter((end) => end !== undefined).length).toBeGreaterThan(1500);
  });
});
