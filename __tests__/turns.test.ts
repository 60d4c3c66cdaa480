import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';

let turns = 0;
jest.unstable_mockModule('node:timers/promises', () => ({
  setImmediate: async (): Promise<void> => {
    turns += 1;
  },
}));

const { ResponseReader } = await import('../src/service/response.ts');
const { isTurnDue, takeTurn } = await import('../src/turns.ts');

afterEach(() => {
  jest.restoreAllMocks();
});

const COUNT = 200;
const NUMBERS = Array.from({ length: COUNT }, (_, index) => index);

/** The time that modules see; it never goes back. */
let now = performance.now();

const QUIET = { onProgress: (): void => {}, onTooLong: (): void => {} };

/** Reads a response that arrived in many pieces. */
async function readPieces(): Promise<void> {
  const response = new IncomingMessage(new Socket());
  for (const index of NUMBERS) response.push(String(index));
  response.push(null);
  response.complete = true;
  response.statusCode = 400;
  const reader = new ResponseReader(response, new URL('http://scan.example'));
  await new Promise<void>((resolve, reject) => {
    reader.read({ ...QUIET, onComplete: resolve, onBreak: reject });
  });
  expect(reader.conclude(true)).toMatchObject({ status: 400, says: [NUMBERS.join('')] });
}

/** How often timers can run during `work`, on a machine where everything takes 100 ms. */
async function countTurns(work: () => unknown): Promise<number> {
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 100));
  turns = 0;
  await work();
  return turns;
}

describe('isTurnDue', () => {
  test('is true until a turn is taken', async () => {
    now += 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    expect(isTurnDue()).toBe(true);
    await takeTurn();
    expect(isTurnDue()).toBe(false);
    now += 51;
    expect(isTurnDue()).toBe(true);
  });
});

describe('takeTurn', () => {
  test('ends the same turn for all work that waits', async () => {
    expect(await countTurns(() => Promise.all([takeTurn(), takeTurn()]))).toBe(1);
    expect(await countTurns(takeTurn)).toBe(1);
  });
});

test('timers can run while a response is read', async () => {
  expect(await countTurns(readPieces)).toBeGreaterThanOrEqual(COUNT);
});
