import {
  appendFile,
  chmod,
  open,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
} from 'node:fs/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { FileError } from '../../src/errors.ts';
import { openScanFile } from '../../src/files/open.ts';
import { frameBody } from '../../src/service/body.ts';
import type { Body } from '../../src/service/body.ts';
import { BUFFER_BYTES, PIECE_BYTES, writeBody } from '../../src/service/write-body.ts';
import type { WritePiece } from '../../src/service/write-body.ts';
import { findFile, joinSegments, makeBody, makePart } from '../support/bodies.ts';
import { makeFolder } from '../support/directories.ts';
import { describeLinux } from '../support/files.ts';
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
  expect(error).toBeInstanceOf(FileError);
  expect(error).toHaveProperty('message', expect.stringMatching(message));
  const closing = getClosing(body);
  expect(receiver.bytes.includes(closing)).toBe(false);
  expect(receiver.bytes.length).toBeLessThanOrEqual(body.length - closing.length);
}

describe('writeBody', () => {
  test.each([0, 1, BUFFER_BYTES + 1, 2 * BUFFER_BYTES, 5 * MIB + 7])(
    'writes a complete file of %i bytes, and returns its digest',
    async (size) => {
      const content = makeBytes(size);
      const body = await makeBody(content);
      const receiver = new Receiver();
      expect(await writeBody(body, receiver.write)).toEqual([sha256(content)]);
      expect(receiver.bytes.equals(joinSegments(body, content))).toBe(true);
    },
  );

  test('writes two files in order, one of them empty, and the same bytes again', async () => {
    const contents = [makeBytes(0), makeBytes(3 * MIB)];
    const parts = [
      await makePart('DependenciesCDX', contents[0] ?? ''),
      await makePart('VulnerabilitiesTool', contents[1] ?? ''),
    ];
    const body = frameBody(parts, SCAN_KEY);
    for (let turn = 0; turn < 2; turn += 1) {
      const receiver = new Receiver();
      expect(await writeBody(body, receiver.write)).toEqual(contents.map(sha256));
      expect(receiver.bytes.equals(joinSegments(body, ...contents))).toBe(true);
    }
  });

  test.each([
    ['renamed', async (path: string) => rename(path, `${path}.bak`)],
    ['removed', async (path: string) => rm(path)],
    ['made read-only', async (path: string) => chmod(path, 0o444)],
    ['touched, with its modification time restored', restoreTime],
  ])('writes a file that is %s while it is being sent', async (_, change) => {
    const content = makeBytes(3 * MIB + 7);
    const body = await makeBody(content);
    const receiver = new Receiver(MIB, () => change(findFile(body).path));
    expect(await writeBody(body, receiver.write)).toEqual([sha256(content)]);
    expect(receiver.bytes.equals(joinSegments(body, content))).toBe(true);
  });

  test.each([
    ['once if it is unchanged', 1, async (): Promise<void> => {}],
    ['twice if its ctime changed', 2, restoreTime],
  ] as const)('reads a file %s', async (_, times, change) => {
    const body = await makeBody(makeBytes(3 * MIB));
    const { handle, path } = findFile(body);
    const read = jest.spyOn(handle, 'read');
    await writeBody(body, new Receiver(MIB, () => change(path)).write);
    const calls: readonly (readonly unknown[])[] = read.mock.calls;
    expect(calls.filter((call) => call.at(-1) === 0)).toHaveLength(times);
  });

  test.each([
    ['sent bytes', [7]],
    ['sent and unsent bytes', [7, 2 * MIB]],
  ])('refuses a file with changed %s and a restored modification time', async (_, positions) => {
    const body = await makeBody(makeBytes(3 * MIB));
    const receiver = new Receiver(MIB, async () => {
      const { path } = findFile(body);
      for (const position of positions) await overwrite(path, position);
      await restoreTime(path);
    });
    await expectRefusal(body, /was written to while/, receiver);
  });

  test('writes a file that changes only in bytes that are not read yet', async () => {
    const body = await makeBody(makeBytes(3 * MIB));
    const { path } = findFile(body);
    const receiver = new Receiver(MIB, async () => {
      await overwrite(path, 2 * MIB);
      await restoreTime(path);
    });
    expect(await writeBody(body, receiver.write)).toEqual([sha256(await readFile(path))]);
  });

  test.each<[string, (path: string) => Promise<void>, RegExp]>([
    ['became shorter', (path) => truncate(path, 2 * MIB), /'scan\.json' became shorter while/],
    ['grew', (path) => appendFile(path, 'more'), /'scan\.json' changed its size while/],
    ['was written to', (path) => overwrite(path), /'scan\.json' was written to while/],
    ['was touched', (path) => utimes(path, 1, 1), /'scan\.json' was written to while/],
  ])('refuses a file that %s while it was being sent', async (_, change, message) => {
    const body = await makeBody(makeBytes(8 * MIB));
    await expectRefusal(body, message, new Receiver(MIB, () => change(findFile(body).path)));
  });

  test.each<[string, number, (path: string) => Promise<void>, RegExp]>([
    ['became shorter', 7, (path) => truncate(path, 3), /became shorter/],
    ['was touched', 7, (path) => utimes(path, 1, 1), /was written to/],
    ['was empty and grew', 0, grow, /changed its size/],
    ['grew', 100 * KIB, grow, /changed its size/],
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

  test('names a file that the system cannot read', async () => {
    const body = await makeBody(makeBytes(KIB));
    const error = Object.assign(new Error('i/o error'), { code: 'EIO' });
    jest.spyOn(findFile(body).handle, 'read').mockRejectedValue(error);
    const failure = new FileError(`'${findFile(body).displayPath}' cannot be read (EIO).`);
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
      await expectRefusal(body, /became longer while/);
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

  test('are read from the file while earlier ones are being written', async () => {
    const body = await makeBody(makeBytes(SIZE));
    const read = jest.spyOn(findFile(body).handle, 'read');
    let overlaps = 0;
    await writeBody(body, async (piece) => {
      if (overlaps > 0 || piece.length !== PIECE_BYTES) return;
      // Would never end if the second buffer were filled only after the first is written.
      while (read.mock.calls.length < 2) await nextTurn();
      overlaps += 1;
    });
    expect(overlaps).toBe(1);
  });

  test.each([
    [SIZE, [BUFFER_BYTES, BUFFER_BYTES, 1]],
    [10, [10, 1]],
  ])('use two buffers, no larger than a file of %i bytes needs', async (size, expected) => {
    const body = await makeBody(makeBytes(size));
    const read = jest.spyOn(findFile(body).handle, 'read');
    await writeBody(body, async () => {});
    const calls: readonly (readonly unknown[])[] = read.mock.calls;
    const buffers = new Set(calls.map(([buffer]) => buffer));
    // The last read, of one byte, checks whether the file has become longer.
    const lengths = [...buffers].map((buffer) => Buffer.isBuffer(buffer) && buffer.length);
    expect(lengths).toEqual(expected);
  });

  test('cause no unhandled rejection if a write fails while the file is read', async () => {
    const onUnhandled = jest.fn();
    process.on('unhandledRejection', onUnhandled);
    const body = await makeBody(makeBytes(SIZE));
    const broken = new Error('broken');
    await expect(writeBody(body, async () => Promise.reject(broken))).rejects.toBe(broken);
    await nextTurn();
    process.off('unhandledRejection', onUnhandled);
    expect(onUnhandled).not.toHaveBeenCalled();
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
