import {
  appendFile,
  chmod,
  link,
  open,
  rename,
  rm,
  stat,
  truncate,
  utimes,
} from 'node:fs/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import { openScanFile } from '../../src/files/open.ts';
import { frameBody } from '../../src/service/body.ts';
import type { Body } from '../../src/service/body.ts';
import { BUFFER_BYTES, PIECE_BYTES, writeBody } from '../../src/service/write-body.ts';
import type { WritePiece } from '../../src/service/write-body.ts';
import { findFile, joinSegments, makeBody, makePart } from '../support/bodies.ts';
import { makeFolder } from '../support/directories.ts';
import { describeLinux, describePosix } from '../support/files.ts';
import { KIB, MIB, SCAN_KEY, makeBytes, sha256 } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';

/** Collects the written bytes, and runs `change` after the first `after` bytes. */
class Receiver {
  readonly #chunks: Buffer[] = [];
  readonly #after: number;
  readonly #change: (() => Promise<void>) | undefined;
  #isChanged = false;

  constructor(after = 0, change?: () => Promise<void>) {
    this.#after = after;
    this.#change = change;
  }

  readonly write: WritePiece = async (piece) => {
    this.#chunks.push(Buffer.from(piece));
    if (this.#isChanged || this.bytes.length < this.#after) return;
    this.#isChanged = true;
    await this.#change?.();
  };

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** Changes a file's content, but not its size. */
async function overwrite(path: string, position = 0): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write('changed', position);
  await handle.close();
}

async function grow(path: string): Promise<void> {
  await appendFile(path, makeBytes(KIB));
}

/** Restores a file's modification time. Repeats this until the coarse clock changes ctime. */
async function restoreTime(path: string): Promise<void> {
  const before = await stat(path, { bigint: true });
  do await utimes(path, 0, 0);
  while ((await stat(path, { bigint: true })).ctimeNs === before.ctimeNs);
}

/** Changes a file's content, but neither its size nor its modification time. */
async function overwriteSecretly(path: string, ...positions: readonly number[]): Promise<void> {
  for (const position of positions) await overwrite(path, position);
  await restoreTime(path);
}

/** A body with a file whose digest is not known. */
async function makePartialBody(content: Uint8Array): Promise<Body> {
  const { digest: _digest, ...file } = findFile(await makeBody(content));
  return frameBody([{ part: 'ScanJsonFile', file }], SCAN_KEY);
}

/** The closing boundary, with which a complete body ends. */
function getClosing({ segments }: Body): Buffer {
  const last = segments.at(-1);
  return Buffer.isBuffer(last) ? last : Buffer.alloc(0);
}

async function catchError(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Expects that writing fails because of a file, before the closing boundary is written. */
async function expectRefusal(
  body: Body,
  message: RegExp,
  receiver = new Receiver(),
): Promise<void> {
  const error = await catchError(writeBody(body, receiver.write));
  expect(error).toBeInstanceOf(StepError);
  expect(error).toHaveProperty('message', expect.stringMatching(message));
  const closing = getClosing(body);
  expect(receiver.bytes.includes(closing)).toBe(false);
  expect(receiver.bytes.length).toBeLessThanOrEqual(body.length - closing.length);
}

describe('writeBody', () => {
  // Whole files of any size are tested in __tests__/properties/body.test.ts.

  const changes: readonly [string, (path: string) => Promise<void>][] = [
    ['renamed', (path) => rename(path, `${path}.bak`)],
    ['removed', (path) => rm(path)],
    ['made read-only', (path) => chmod(path, 0o444)],
    ['linked', (path) => link(path, `${path}.2`)],
    ['touched, with its modification time restored', restoreTime],
    [
      'changed in sent bytes, with its modification time restored',
      (path) => overwriteSecretly(path, 7),
    ],
  ];

  test.each(changes)('writes a file that is %s after it was inspected whole', async (_, act) => {
    const content = makeBytes(3 * MIB + 7);
    const body = await makeBody(content);
    const { handle, path } = findFile(body);
    const read = jest.spyOn(handle, 'read');
    const receiver = new Receiver(MIB, () => act(path));
    expect(await writeBody(body, receiver.write)).toEqual([sha256(content)]);
    expect(receiver.bytes.equals(joinSegments(body, content))).toBe(true);
    const calls: readonly (readonly unknown[])[] = read.mock.calls;
    expect(calls.filter((call) => call.at(-1) === 0)).toHaveLength(1);
  });

  // On Windows other programs change ctime, and it is not compared.
  describePosix('of a file that was inspected in part', () => {
    test.each(changes)('refuses a file that is %s after that', async (_, act) => {
      const body = await makePartialBody(makeBytes(3 * MIB + 7));
      const receiver = new Receiver(MIB, () => act(findFile(body).path));
      await expectRefusal(body, /Only a part of it was inspected/, receiver);
    });
  });

  test.each([
    ['sent and unsent bytes', [7, 2 * MIB]],
    ['unsent bytes', [2 * MIB]],
  ])('refuses a file with changed %s and a restored modification time', async (_, positions) => {
    const body = await makeBody(makeBytes(3 * MIB));
    const receiver = new Receiver(MIB, () => overwriteSecretly(findFile(body).path, ...positions));
    await expectRefusal(body, /was written to after/, receiver);
  });

  test('refuses a file that changed between two attempts, with a restored modification time', async () => {
    const body = await makeBody(makeBytes(KIB));
    await writeBody(body, new Receiver().write);
    await overwriteSecretly(findFile(body).path, 7);
    await expectRefusal(body, /was written to after/);
  });

  test.each<[string, (path: string) => Promise<void>, RegExp]>([
    ['became shorter', (path) => truncate(path, 2 * MIB), /'scan\.json' became shorter after/],
    ['grew', (path) => appendFile(path, 'more'), /'scan\.json' changed its size after/],
    ['was written to', (path) => overwrite(path), /'scan\.json' was written to after/],
    ['was touched', (path) => utimes(path, 1, 1), /'scan\.json' was written to after/],
  ])('refuses a file that %s after it was inspected', async (_, change, message) => {
    const body = await makeBody(makeBytes(8 * MIB));
    await expectRefusal(body, message, new Receiver(MIB, () => change(findFile(body).path)));
  });

  test.each<[string, number, (path: string) => Promise<void>, RegExp]>([
    ['became shorter', 7, (path) => truncate(path, 3), /became shorter/],
    ['was empty and grew', 0, grow, /changed its size/],
    ['is larger than a buffer and grew', BUFFER_BYTES + 10, grow, /changed its size/],
  ])('refuses a file that %s before it was sent', async (_, size, change, message) => {
    const body = await makeBody(makeBytes(size));
    await change(findFile(body).path);
    await expectRefusal(body, message);
  });

  test('refuses a first file that changes while the second is being sent', async () => {
    const parts = [
      await makePart('DependenciesCDX', '{"a":1}'),
      await makePart('VulnerabilitiesTool', makeBytes(8 * MIB)),
    ];
    const body = frameBody(parts, SCAN_KEY);
    const receiver = new Receiver(MIB, () => appendFile(findFile(body).path, '+'));
    await expectRefusal(body, /changed its size/, receiver);
  });

  test.each(['read', 'stat'] as const)('names a file of which %s fails', async (method) => {
    const body = await makeBody(makeBytes(KIB));
    const error = Object.assign(new Error('i/o error'), { code: 'EIO' });
    jest.spyOn(findFile(body).handle, method).mockRejectedValue(error);
    const problem = `'${findFile(body).displayPath}' cannot be read (EIO).`;
    const failure = new StepError('files', problem);
    await expect(writeBody(body, new Receiver().write)).rejects.toThrow(failure);
  });

  test.each(['', '{}'])(
    'refuses a file that grows by the time its size is checked: %j',
    async (content) => {
      const body = await makeBody(content);
      const { handle, path } = findFile(body);
      const statOpen = handle.stat.bind(handle);
      const check = jest.spyOn(handle, 'stat').mockImplementation(async (options) => {
        const stats = await statOpen(options);
        await appendFile(path, '+');
        return stats;
      });
      await expectRefusal(body, /became longer after/);
      expect(check).toHaveBeenCalledTimes(1);
    },
  );

  test('stops after a failed write, and rejects with its error', async () => {
    const body = await makeBody(makeBytes(8 * MIB));
    const broken = new Error('broken');
    let writes = 0;
    const write: WritePiece = async () => {
      writes += 1;
      throw broken;
    };
    expect(await catchError(writeBody(body, write))).toBe(broken);
    expect(writes).toBe(1);
  });
});

describe('the pieces of writeBody', () => {
  const SIZE = 3 * BUFFER_BYTES + 1;

  test('are at most 64 KiB, and written one after the other', async () => {
    const content = makeBytes(SIZE);
    const body = await makeBody(content);
    const pieces: Buffer[] = [];
    let underWay = 0;
    let most = 0;
    await writeBody(body, async (piece) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await nextTurn();
      // The connection reads a piece late: its buffer must not be refilled before.
      pieces.push(Buffer.from(piece));
      underWay -= 1;
    });
    expect(most).toBe(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(PIECE_BYTES);
    expect(Buffer.concat(pieces).equals(joinSegments(body, content))).toBe(true);
  });

  test.each([
    [SIZE, [BUFFER_BYTES, 1]],
    [10, [10, 1]],
  ])('use one buffer, no larger than a file of %i bytes needs', async (size, expected) => {
    const body = await makeBody(makeBytes(size));
    const read = jest.spyOn(findFile(body).handle, 'read');
    await writeBody(body, async () => {});
    const calls: readonly (readonly unknown[])[] = read.mock.calls;
    const buffers = new Set(calls.map(([buffer]) => buffer));
    // The last read, of one byte, checks whether the file has become longer.
    const lengths = [...buffers].map((buffer) => Buffer.isBuffer(buffer) && buffer.length);
    expect(lengths).toEqual(expected);
  });
});

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describeLinux('writeBody of a file without a size', () => {
  test('refuses a file that has content but the size 0', async () => {
    const found = { path: '/proc/version', input: 'scan-file', directory: '/proc' } as const;
    const workspace = await makeFolder();
    const file = await openScanFile(found, { workspace, includeHidden: false });
    cleanUp(() => file.handle.close());
    expect(file.size).toBe(0);
    const body = frameBody([{ part: 'ScanJsonFile', file }], SCAN_KEY);
    await expectRefusal(body, /'\/proc\/version' became longer/);
  });
});
