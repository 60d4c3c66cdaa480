import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenFile } from '../../src/files/open.ts';
import { openScanFile } from '../../src/files/open.ts';
import { frameBody } from '../../src/service/body.ts';
import type { RequestBody } from '../../src/service/body.ts';
import { makeFolder } from './directories.ts';
import { SCAN_KEY, sha256 } from './samples.ts';
import { cleanUp } from './scope.ts';

/** A file of an upload on disk that was inspected whole, open; closed and removed after the test. */
export async function makeOpenFile(
  content: string | Uint8Array,
  name = 'scan.json',
): Promise<OpenFile> {
  const workspace = await makeFolder();
  const path = join(workspace, name);
  await writeFile(path, content);
  // An old modification time, so that a change is detected even if the clock is coarse.
  await utimes(path, new Date(0), new Date(0));
  const found = { path, input: 'scan-file', directory: workspace } as const;
  const file = await openScanFile(found, { workspace, includeHidden: false });
  cleanUp(() => file.handle.close());
  return { ...file, digest: sha256(content) };
}

/** The body of an upload of one file with this content. */
export async function makeBody(content: string | Uint8Array = '{}'): Promise<RequestBody> {
  return frameBody(new Map([['ScanJsonFile', await makeOpenFile(content)]]), SCAN_KEY);
}

/** The complete body as it must be sent, with the bytes of the files in it. */
export function joinSegments(
  { segments }: RequestBody,
  ...contents: readonly Uint8Array[]
): Buffer {
  const rest = [...contents];
  return Buffer.concat(
    segments.map((part) => (Buffer.isBuffer(part) ? part : (rest.shift() ?? Buffer.alloc(0)))),
  );
}

/** An error as Node raises it, with a code. */
export function makeError(code: string | undefined, message = `failed ${code}`): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}

/** The file of a body that has one. */
export function findFile({ segments }: RequestBody): OpenFile {
  const file = segments.find((segment) => !Buffer.isBuffer(segment));
  if (file === undefined || Buffer.isBuffer(file)) throw new Error('The body has no file.');
  return file;
}
