import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { expect, test } from '@jest/globals';
import { frameBody } from '../../src/service/body.ts';
import type { Body } from '../../src/service/body.ts';
import { writeBody } from '../../src/service/write-body.ts';
import { makePart } from '../support/bodies.ts';
import { KIB, SCAN_KEY, sha256 } from '../support/samples.ts';

/** Writes a body, and takes each chunk late, as a connection does: a buffer must not be refilled before. */
async function write(body: Body): Promise<{ bytes: Buffer; digests: readonly string[] }> {
  const chunks: Buffer[] = [];
  const digests = await writeBody(body, async (chunk) => {
    await setTimeout(1);
    chunks.push(Buffer.from(chunk));
  });
  return { bytes: Buffer.concat(chunks), digests };
}

/** The parts of a form as a parser reads it, with the digests of files. */
async function readForm({ contentType }: Body, bytes: Buffer): Promise<readonly unknown[]> {
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
  ['-', 'x'.repeat(64 * KIB + 1), 'a'.repeat(255), 'xy'.repeat(600 * KIB)],
])('a body is what a parser reads, and the same again: %#', async (one, content, other, more) => {
  const parts = [
    await makePart('DependenciesCDX', content, one),
    await makePart('VulnerabilitiesTool', more, other),
  ];
  const body = frameBody(parts, SCAN_KEY);
  expect(frameBody(parts, SCAN_KEY).contentType).not.toBe(body.contentType);
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
    ['DependenciesCDX', one.replaceAll('"', '%22'), type, digests[0]],
    ['VulnerabilitiesTool', other, type, digests[1]],
  ]);
});
