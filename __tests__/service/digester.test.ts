import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FileError } from '../../src/errors.ts';
import { MAX_INLINE_BYTES, createDigester } from '../../src/service/digester.ts';
import type { Digester } from '../../src/service/digester.ts';
import { describeLinux } from '../scan/fixtures.ts';
import { KIB, cleanUp, makeBytes } from './fixtures.ts';
import { evaluate } from './guarded.ts';

async function open(size: number): Promise<Digester> {
  const digester = await createDigester(size);
  cleanUp(() => digester.close());
  return digester;
}

/** The threads of this process; Linux only. */
function countThreads(): number {
  return readdirSync('/proc/self/task').length;
}

describe.each([
  ['inline', MAX_INLINE_BYTES],
  ['by a thread', MAX_INLINE_BYTES + 1],
])('a digest that is taken %s', (_, size) => {
  test('is that of all bytes, in order', async () => {
    const content = makeBytes(300 * KIB);
    const digester = await open(size);
    const taken: Promise<void>[] = [];
    for (let start = 0; start < content.length; start += 7000) {
      taken.push(digester.update(content.subarray(start, start + 7000)));
    }
    await Promise.all(taken);
    expect(await digester.finish()).toBe(createHash('sha256').update(content).digest('hex'));
  });

  test('is that of nothing where there is nothing', async () => {
    const digester = await open(size);
    expect(await digester.finish()).toBe(createHash('sha256').digest('hex'));
  });

  test('is done with bytes once it says so', async () => {
    const digester = await open(size);
    const expected = createHash('sha256');
    const buffer = Buffer.from(new SharedArrayBuffer(64 * KIB));
    for (let turn = 0; turn < 20; turn += 1) {
      makeBytes(buffer.length).copy(buffer);
      buffer[0] = turn;
      expected.update(buffer);
      await digester.update(buffer);
      buffer.fill(0);
    }
    expect(await digester.finish()).toBe(expected.digest('hex'));
  });
});

describeLinux('a thread that takes a digest', () => {
  test('is there for large files alone, and until it is let go', async () => {
    const before = countThreads();
    await open(MAX_INLINE_BYTES);
    expect(countThreads()).toBe(before);
    const digester = await open(MAX_INLINE_BYTES + 1);
    await digester.update(Buffer.alloc(1));
    expect(countThreads()).toBe(before + 1);
    await digester.close();
    await expect(digester.finish()).rejects.toThrow(FileError);
    expect(countThreads()).toBe(before);
  });
});

describeLinux('the digest of what is encrypted meanwhile', () => {
  test.each([
    [1, 0],
    [2, 0],
    [3, 1],
    [64, 1],
  ])('is taken, with %i cores, by %i threads', async (cores, threads) => {
    const before = countThreads();
    const digester = await createDigester(MAX_INLINE_BYTES + 1, true, cores);
    cleanUp(() => digester.close());
    await digester.update(Buffer.from('abc'));
    expect(countThreads() - before).toBe(threads);
    expect(await digester.finish()).toBe(createHash('sha256').update('abc').digest('hex'));
  });
});

describe('a thread that takes a digest', () => {
  test('is done without where it cannot be started', () => {
    const digest =
      "m.createDigester(2 ** 30).then((it) => it.update(Buffer.from('abc')).then(() => it.finish()))";
    const forbidden = { NODE_OPTIONS: '--permission --allow-fs-read=* --no-warnings' };
    expect(evaluate('service/digester.ts', digest, forbidden)).toBe(
      createHash('sha256').update('abc').digest('hex'),
    );
  });

  test('that ends says so to all who wait, and to all who come', async () => {
    const digester = await open(MAX_INLINE_BYTES + 1);
    const waiting = [digester.update(Buffer.alloc(KIB)), digester.finish()].map(async (promise) =>
      expect(promise).rejects.toThrow('has ended'),
    );
    await digester.close();
    await Promise.all(waiting);
    await expect(digester.update(Buffer.alloc(1))).rejects.toThrow('has ended');
  });
});
