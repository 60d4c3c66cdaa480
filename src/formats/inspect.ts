import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FoundFile } from '../files/find.ts';
import { openScanFile } from '../files/open.ts';
import { explainReadError, readBytes } from '../files/regular-file.ts';
import type { Scope } from '../files/search.ts';
import type { FileState } from '../files/open.ts';
import { END_LENGTH } from './content.ts';
import type { Content } from './content.ts';
import { inspectJson } from './inspect-json.ts';
import { inspectText, looksLikeSbom } from './inspect-text.ts';
import { inspectXml } from './inspect-xml.ts';
import { findFormat } from './registry.ts';

/** A file and its content. */
export interface ScanFile extends FileState {
  readonly content: Content;
}

/** Files that were inspected, and others that were found. */
export interface ReadFiles {
  readonly files: readonly ScanFile[];
  readonly others: readonly FoundFile[];
}

/**
 * Up to this size a file is read whole. The usual limit of the service for a whole request is lower, 28.6 MiB
 * (Kestrel's and IIS's default).
 */
const MAX_PARSED_BYTES = 32 * 1024 * 1024;

/** More than an upload has: a message about too many files says what they are. */
const MAX_INSPECTED = 10;

/**
 * Opens, inspects and closes the first ten files that were found. Throws a StepError, or the signal's reason if it fires
 * meanwhile.
 */
export async function readScanFiles(
  found: readonly FoundFile[],
  scope: Scope,
  signal: AbortSignal,
): Promise<ReadFiles> {
  const files: ScanFile[] = [];
  for (const each of found.slice(0, MAX_INSPECTED)) {
    files.push(await readScanFile(each, scope, signal));
  }
  return { files, others: found.slice(MAX_INSPECTED) };
}

async function readScanFile(
  found: FoundFile,
  scope: Scope,
  signal: AbortSignal,
): Promise<ScanFile> {
  const { handle, ...facts } = await openScanFile(found, scope);
  try {
    return { ...facts, ...(await inspectContent(handle, facts.size, signal)) };
  } catch (error) {
    throw explainReadError(error, facts.displayPath);
  } finally {
    await handle.close();
  }
}

/**
 * Recognises the file behind `handle`, of `size` bytes. Returns its digest too if all of it was read.
 * Rejects with the signal's reason if it fires meanwhile.
 */
export async function inspectContent(
  handle: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<Pick<ScanFile, 'content' | 'digest'>> {
  if (size <= MAX_PARSED_BYTES) {
    const bytes = await readBytes(handle, 0, size, signal);
    const digest = createHash('sha256').update(bytes).digest('hex');
    return { content: inspectBytes(bytes), digest };
  }
  const head = await readBytes(handle, 0, END_LENGTH, signal);
  const tail = await readBytes(handle, size - END_LENGTH, END_LENGTH, signal);
  return { content: inspectBytes(head, tail, size) };
}

/** An XML declaration that names another encoding than UTF-8. */
const OTHER_ENCODING = /^\s*<\?xml[^>]+encoding=["'](?!utf-8)/i;

/** Recognises a file by all of its bytes, or by the beginning and end of a large one. */
export function inspectBytes(bytes: Buffer, tail?: Buffer, size = bytes.length): Content {
  const isWhole = tail === undefined;
  // The beginning of a large file may end inside a character, which `stream` leaves out.
  const text = new TextDecoder().decode(bytes, { stream: !isWhole });
  const inspected = isWhole ? 'full' : 'partial';
  if (isWhole && text.trim() === '') {
    const problem = size === 0 ? 'is empty (0 bytes)' : 'contains only white space';
    return { format: 'empty', inspected, fault: 'empty', problem };
  }
  const sample = { text, tail: tail?.toString(), size };
  const content = inspectJson(sample) ?? inspectXml(sample) ?? inspectText(bytes, text, inspected);
  const { syntax, format } = content;
  const isChecked = isWhole && syntax !== undefined && !OTHER_ENCODING.test(text);
  const invalidByte = isChecked ? findInvalidByte(bytes) : undefined;
  const isSbom = findFormat(format) === undefined && looksLikeSbom(text);
  return {
    ...content,
    ...(invalidByte !== undefined && { invalidByte }),
    ...(isSbom && { isSbom }),
  };
}

/** Where the first byte is that is not UTF-8; undefined if all are. */
function findInvalidByte(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  const valid = Buffer.from(bytes.toString());
  return bytes.findIndex((byte, index) => byte !== valid[index]);
}
