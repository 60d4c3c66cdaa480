import { once } from 'node:events';
import { appendFile, open, rm, truncate, utimes } from 'node:fs/promises';
import { Busboy } from '@fastify/busboy';
import { describe, expect, jest, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import { frameBody, writeBody } from '../../src/service/body.ts';
import type { RequestBody } from '../../src/service/body.ts';
import { findFile, joinSegments, makeBody, makeError, makeOpenFile } from '../support/exchanges.ts';
import { KIB, MIB, SCAN_KEY, makeBytes, sha256 } from '../support/workspace.ts';

const BUFFER_BYTES = 512 * 1024;

/** What was written, and the error that ended it. */
interface Written {
  readonly bytes: Buffer;
  readonly digests: readonly string[] | undefined;
  readonly error: unknown;
}

/** Writes a body, and calls `change` with the path of its first file after the first MiB. */
async function write(
  body: RequestBody,
  change: (path: string) => Promise<void> = async () => {},
): Promise<Written> {
  const chunks: Buffer[] = [];
  let left = MIB;
  const writing = writeBody(body, async (piece) => {
    chunks.push(Buffer.from(piece));
    left -= piece.length;
    if (left <= 0 && left + piece.length > 0) await change(findFile(body).path);
  });
  const ended = await writing.then(
    (digests) => ({ digests, error: undefined }),
    (error: unknown) => ({ digests: undefined, error }),
  );
  return { ...ended, bytes: Buffer.concat(chunks) };
}

/** Expects that writing failed because of a file, before the closing boundary was written. */
function expectRefusal(body: RequestBody, { error, bytes }: Written, message: RegExp): void {
  expect(error).toBeInstanceOf(StepError);
  expect(error).toHaveProperty('message', expect.stringMatching(message));
  const last = body.segments.at(-1);
  const closing = Buffer.isBuffer(last) ? last : Buffer.alloc(0);
  expect(bytes.includes(closing)).toBe(false);
  expect(bytes.length).toBeLessThanOrEqual(body.length - closing.length);
}

/** The parts of a form as a parser reads it, with the digests of files. */
async function readForm({ contentType }: RequestBody, bytes: Buffer): Promise<readonly unknown[]> {
  const parser = new Busboy({ headers: { 'content-type': contentType }, preservePath: true });
  const parts: unknown[] = [];
  parser.on('field', (name, value) => parts.push([name, value]));
  parser.on('file', (name, stream, filename, _encoding, type) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => parts.push([name, filename, type, sha256(Buffer.concat(chunks))]));
  });
  const finished = once(parser, 'finish');
  parser.end(bytes);
  await finished;
  return parts;
}

const FRAMING =
  '\r\n----------------------------1234567890\r\nContent-Disposition: form-data; name="ScanKey"';
// Windows allows no quotes in a name.
const QUOTED = process.platform === 'win32' ? 'a b.json' : 'a"; filename="b".json';

test.each([
  ['a.json', '', "%22 %0D%0A;='\u00e9\u6f22\u{1f50d}.json", FRAMING],
  [QUOTED, '\0\u00ff\r\n--', '.scan', 'x'.repeat(64 * KIB)],
])('a body is what a parser reads, and the same again: %s', async (one, content, other, more) => {
  const files = new Map([
    ['DependenciesCDX', await makeOpenFile(content, one)],
    ['VulnerabilitiesTool', await makeOpenFile(more, other)],
  ] as const);
  const body = frameBody(files, SCAN_KEY);
  expect(frameBody(files, SCAN_KEY).contentType).not.toBe(body.contentType);
  const { bytes, digests } = await write(body);
  const again = await write(body);
  expect([again.bytes.equals(bytes), again.digests]).toEqual([true, digests]);
  const start = /^-+\w+\r\nContent-Disposition: form-data; name="ScanKey"\r\n\r\n/;
  expect(bytes.toString('latin1')).toMatch(start);
  expect(bytes.length).toBe(body.length);
  expect(digests).toEqual([sha256(content), sha256(more)]);
  const type = 'application/octet-stream';
  expect(await readForm(body, bytes)).toEqual([
    ['ScanKey', SCAN_KEY],
    ['DependenciesCDX', one.replaceAll('"', '%22'), type, sha256(content)],
    ['VulnerabilitiesTool', other, type, sha256(more)],
  ]);
});

/** Changes a file's content, but neither its size nor its modification time. */
async function overwriteSecretly(path: string, position: number): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write('changed', position);
  await handle.close();
  await utimes(path, 0, 0);
}

type Change = (path: string) => Promise<void>;

// Which changes are refused: __tests__/files/open.test.ts.
describe('writeBody', () => {
  test.each<[string, Change]>([
    ['removed', (path) => rm(path)],
    ['changed in sent bytes, with that time restored', (path) => overwriteSecretly(path, 7)],
  ])('writes a file that is %s after it was inspected whole', async (_, change) => {
    const content = makeBytes(2 * MIB + 7);
    const body = await makeBody(content);
    const { bytes, digests } = await write(body, change);
    expect(digests).toEqual([sha256(content)]);
    expect(bytes.equals(joinSegments(body, content))).toBe(true);
  });

  test.each<[string, Change, RegExp]>([
    ['became shorter', (path) => truncate(path, 2 * MIB), /'scan\.json' became shorter after/],
    ['grew', (path) => appendFile(path, 'more'), /'scan\.json' changed its size after/],
    ['was secretly changed', (path) => overwriteSecretly(path, 2 * MIB), /was written to after/],
  ])('refuses a file that %s while it was sent', async (_, change, message) => {
    const body = await makeBody(makeBytes(3 * MIB));
    expectRefusal(body, await write(body, change), message);
  });

  test.each([0, 1])('refuses file %i of two that changes while the last is sent', async (index) => {
    const [one, two] = [await makeOpenFile('{"a":1}'), await makeOpenFile(makeBytes(3 * MIB))];
    const body = frameBody(
      new Map([
        ['DependenciesCDX', one],
        ['VulnerabilitiesTool', two],
      ]),
      SCAN_KEY,
    );
    const grown = async (): Promise<void> => appendFile((index === 0 ? one : two).path, '+');
    expectRefusal(body, await write(body, grown), /changed its size/);
  });

  test.each(['read', 'stat'] as const)('names a file of which %s fails', async (method) => {
    const body = await makeBody(makeBytes(KIB));
    const { handle, displayPath } = findFile(body);
    jest.spyOn(handle, method).mockRejectedValue(makeError('EIO'));
    expectRefusal(body, await write(body), new RegExp(`'${displayPath}' cannot be read \\(EIO\\)`));
  });

  test('stops after a failed write, and rejects with its error', async () => {
    const broken = new Error('broken');
    const breakOff = jest.fn(async () => Promise.reject(broken));
    const body = await makeBody(makeBytes(MIB));
    await expect(writeBody(body, breakOff)).rejects.toBe(broken);
    expect(breakOff).toHaveBeenCalledTimes(1);
  });

  test('writes pieces of at most 64 KiB one after the other, from one buffer', async () => {
    const content = makeBytes(3 * BUFFER_BYTES + 1);
    const body = await makeBody(content);
    const read = jest.spyOn(findFile(body).handle, 'read');
    const pieces: Buffer[] = [];
    let [underWay, most] = [0, 0];
    await writeBody(body, async (piece) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      // The connection reads a piece late: its buffer must not be refilled before.
      pieces.push(Buffer.from(piece));
      underWay -= 1;
    });
    expect(most).toBe(1);
    const lengths = pieces.map(({ length }) => length);
    expect([Math.min(...lengths) > 0, Math.max(...lengths)]).toEqual([true, 64 * 1024]);
    expect(Buffer.concat(pieces).equals(joinSegments(body, content))).toBe(true);
    const calls: readonly (readonly unknown[])[] = read.mock.calls;
    const [buffer, ...others] = new Set(calls.map(([first]) => first));
    expect(Buffer.isBuffer(buffer) && [buffer.length, ...others]).toEqual([BUFFER_BYTES]);
  });
});
