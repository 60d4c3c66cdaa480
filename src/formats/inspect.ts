import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { StepError } from '../errors.ts';
import type { FoundFile } from '../files/find.ts';
import { openScanFile } from '../files/open.ts';
import { explainReadError, readBytes } from '../files/regular-file.ts';
import type { Scope } from '../files/search.ts';
import type { FileState } from '../files/open.ts';
import { findInvalidByte, findKind, looksLikeSbom } from './bytes.ts';
import { END_LENGTH } from './content.ts';
import type { Content, Inspected } from './content.ts';
import { inspectJson } from './inspect-json.ts';
import { findFormat } from './registry.ts';
import { inspectXml } from './xml.ts';

/** A file and its content. */
export interface ScanFile extends FileState {
  readonly content: Content;
}

/**
 * Up to this size a file is read whole. The usual limit of the service for a whole request is lower, 28.6 MiB
 * (Kestrel's and IIS's default).
 */
const MAX_PARSED_BYTES = 32 * 1024 * 1024;

/** An upload has two files at most; of more some are inspected, so that a message can say which of them may be meant. */
const MAX_FILES = 2;
const MAX_CANDIDATES = 10;

/** The version that SPDX in a syntax other than JSON states near its beginning. */
const SPDX_VERSION = /^(?:SPDXVersion|spdxVersion): *["']?(SPDX-[\d.]+)/m;
/** An XML declaration that names another encoding than UTF-8. */
const OTHER_ENCODING = /^\s*<\?xml[^>]+encoding=["'](?!utf-8)/i;

/** Files that were inspected, and others that were found. */
export interface ReadFiles {
  readonly files: readonly ScanFile[];
  readonly others: readonly FoundFile[];
}

/**
 * Opens, inspects and closes each file that was found; of more than an upload has, the first that can be opened. Throws a
 * StepError, or the signal's reason if it fires meanwhile.
 */
export async function readScanFiles(
  found: readonly FoundFile[],
  scope: Scope,
  signal: AbortSignal,
): Promise<ReadFiles> {
  const files: ScanFile[] = [];
  const others: FoundFile[] = [];
  for (const [index, each] of found.entries()) {
    const file =
      index < MAX_CANDIDATES ? await readScanFile(each, scope, signal).catch(skip) : undefined;
    if (file === undefined) others.push(each);
    else files.push(file);
  }
  return { files, others };

  function skip(error: unknown): undefined {
    const isListed = found.length > MAX_FILES && error instanceof StepError;
    if (!isListed || error.situation !== 'files') throw error;
  }
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

/** Recognises a file by all of its bytes, or by the beginning and end of a large one. */
export function inspectBytes(bytes: Buffer, tail?: Buffer, size = bytes.length): Content {
  const inspected = tail === undefined ? 'full' : 'partial';
  const empty = { format: 'empty', inspected, fault: 'empty' } as const;
  if (bytes.length === 0) return { ...empty, problem: 'is empty (0 bytes)' };
  // The beginning of a large file may end inside a character, which `stream` leaves out.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const decoded = decoder.decode(bytes, { stream: tail !== undefined });
  const text = decoded.replace(/^\uFEFF/, '');
  if (text.trim() === '' && tail === undefined) {
    return { ...empty, problem: 'contains only white space' };
  }
  const sample = { text, tail: tail?.toString(), size };
  const content = inspectJson(sample) ?? inspectXml(sample) ?? inspectText(bytes, text, inspected);
  const isChecked =
    content.syntax !== undefined && tail === undefined && !OTHER_ENCODING.test(text);
  const invalidByte = isChecked ? findInvalidByte(bytes, decoded) : undefined;
  const isSbom = findFormat(content.format) === undefined && looksLikeSbom(text);
  return {
    ...content,
    ...(invalidByte !== undefined && { invalidByte }),
    ...(isSbom && { isSbom }),
  };
}

/** SPDX as tags with values or in YAML is recognised, but not parsed. */
function inspectText(bytes: Buffer, text: string, inspected: Inspected): Content {
  const kind = findKind(bytes, text);
  const specVersion = SPDX_VERSION.exec(text.slice(0, END_LENGTH))?.[1];
  if (kind !== 'text' || specVersion === undefined) return { format: 'unknown', inspected, kind };
  return { format: 'spdx', specVersion, inspected: 'partial' };
}
