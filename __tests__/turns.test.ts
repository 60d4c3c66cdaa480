import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { hideDebugLines } from './support/files.ts';
import { makeFolder } from './support/directories.ts';
import { setEnvironment } from './support/environment.ts';
import type { WalkFilter } from '../src/files/walk-pattern.ts';

let turns = 0;
jest.unstable_mockModule('node:timers/promises', () => ({
  setImmediate: async (): Promise<void> => {
    turns += 1;
  },
}));

const { InputError } = await import('../src/errors.ts');
const { findFiles } = await import('../src/files/find.ts');
const { findNearNames } = await import('../src/files/near-names.ts');
const { compileExcludes, searchPattern } = await import('../src/files/search.ts');
const { advance, compilePattern, step } = await import('../src/files/walk-pattern.ts');
const { Log } = await import('../src/report/log.ts');
const { publish } = await import('../src/report/publish.ts');
const { ResponseReader } = await import('../src/service/response.ts');
const { isTurnDue, mapInTurns, takeTurn } = await import('../src/turns.ts');
const { makeStep } = await import('./support/report.ts');
const { makeStages } = await import('./support/stages.ts');

hideDebugLines();

const COUNT = 200;
const NUMBERS = Array.from({ length: COUNT }, (_, index) => index);
const TREE = Object.fromEntries(NUMBERS.map((index) => [`${index}.json`, '']));

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

describe('long work', () => {
  const excludes = NUMBERS.map((index) => compilePattern(`/**/x${index}*`, true));
  const root = { include: compilePattern('/**', true), excludes };
  let filter: WalkFilter = root;
  let scope = { workspace: '', includeHidden: false };

  beforeEach(async () => {
    filter = await advance(root, '/w');
    scope = { workspace: await makeFolder(TREE), includeHidden: false };
  });

  test.each<[string, number, () => unknown]>([
    ['mapping items', COUNT, () => mapInTurns(NUMBERS, (index) => index)],
    ['matching a path with excludes', COUNT, () => advance(root, '/w')],
    ['matching a name with excludes', COUNT, () => step(filter, 'a')],
    ['compiling excludes', COUNT, () => compileExcludes(NUMBERS.map(String), scope)],
    ['walking through names', COUNT, () => searchPattern('*', [], scope)],
    ['collecting matches', 2 * COUNT, () => findFiles([{ input: 'files', text: '*' }], scope)],
    // The search ends after a second, which is ten steps here.
    [
      'searching for similar names',
      2,
      () => findNearNames(`${scope.workspace}/x`, scope, new Set()),
    ],
    ['reading a response', COUNT, readPieces],
    ['publishing', 2, () => publish(makeStep({ result: 'accepted' }), new Log(), true)],
  ])('lets timers run while %s', async (_, count, work) => {
    setEnvironment({});
    expect(await countTurns(work)).toBeGreaterThanOrEqual(count);
  });

  test('lets timers run while invalid scans are reported', async () => {
    const stages = await makeStages([]);
    const known = { name: undefined, selection: [], error: new InputError('No.') };
    const scans = NUMBERS.map((index) => ({ ...known, label: `${index}` }));
    Object.assign(stages.inputs, { scans });
    expect(await countTurns(() => stages.prepare())).toBeGreaterThanOrEqual(COUNT);
  });
});
