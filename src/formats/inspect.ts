import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { StepError, explainReadError } from '../errors.ts';
import type { FoundFile } from '../files/find.ts';
import { openScanFile } from '../files/open.ts';
import { readBytes } from '../files/regular-file.ts';
import type { Scope } from '../files/search.ts';
import type { FileState } from '../files/unchanged.ts';
import { listLines } from '../text.ts';
import { UTF_16, findEncoding, findKind, isUtf16 } from './bytes.ts';
import type { Content, Inspected, Sample } from './content.ts';
import { inspectJson } from './json.ts';
import { inspectXml } from './xml.ts';

/** A file and its content. */
export interface ScanFile extends FileState {
  readonly content: Content;
}

/**
 * Up to this size a file is read whole. Measured at this size: a Trivy report takes 0.5 s and 220 MiB, the worst file
 * (JSON with two million names) 3.5 s and 640 MiB, XML 1 s. The usual limit of the service for a whole request is
 * lower, 28.6 MiB (Kestrel's and IIS's default).
 */
const MAX_PARSED_MIB = 32;
const MAX_PARSED_BYTES = MAX_PARSED_MIB * 1024 * 1024;

/** An upload has two files at most; of more some are inspected, so that a message can say which of them may be meant. */
const MAX_FILES = 2;
const MAX_CANDIDATES = 10;

/** How much is read at the beginning and at the end of a larger file, in bytes. */
const HEAD_BYTES = 1024 * 1024;

/** The version that SPDX in a syntax other than JSON states near its beginning. */
const SPDX_VERSION = /^(?:SPDXVersion|spdxVersion): *["']?(SPDX-[\d.]+)/m;

/** JSON that begins in a later line, after what a tool wrote to its error output. */
const JSON_LATER = /\n(?:\{\s*"|\[\s*[{\]])/;

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
  const head = await readBytes(handle, 0, HEAD_BYTES, signal);
  const tail = await readBytes(handle, size - HEAD_BYTES, HEAD_BYTES, signal);
  const uncounted = `not counted: over ${MAX_PARSED_MIB} MiB`;
  return { content: { ...inspectBytes(head, { tail, size }), uncounted } };
}

/** Recognises a file by all of its bytes, or by the beginning and end of a large one. */
export function inspectBytes(
  bytes: Buffer,
  { tail, size }: Partial<Pick<Sample, 'tail' | 'size'>> = {},
): Content {
  const inspected = tail === undefined ? 'full' : 'partial';
  if (bytes.length === 0) return { format: 'empty', inspected, problem: 'is empty (0 bytes)' };
  if (isUtf16(bytes)) {
    return {
      format: 'unknown',
      inspected,
      kind: 'utf-16',
      problem: `is ${UTF_16}`,
      isMisencoded: true,
    };
  }
  const encoding = findEncoding(bytes);
  // The beginning of a large file may end inside a character, which `stream` leaves out.
  const text = new TextDecoder(encoding).decode(bytes, { stream: tail !== undefined });
  if (text.trim() === '' && tail === undefined) {
    return { format: 'empty', inspected, problem: 'contains only white space' };
  }
  const sample = { bytes, encoding, text, tail, size: size ?? bytes.length };
  return inspectJson(sample) ?? inspectXml(sample) ?? inspectText(sample, inspected);
}

/** SPDX as tags with values or in YAML is recognised, but not parsed. */
function inspectText(sample: Sample, inspected: Inspected): Content {
  const kind = findKind(sample);
  if (kind !== 'text') return { format: 'unknown', inspected, kind };
  const head = sample.text.slice(0, HEAD_BYTES);
  const specVersion = SPDX_VERSION.exec(head)?.[1];
  if (specVersion !== undefined) return { format: 'spdx', specVersion, inspected: 'partial' };
  const [stray = ''] = listLines(head);
  return { format: 'unknown', inspected, kind, ...(JSON_LATER.test(head) && { stray }) };
}
