import { readFileSync, readdirSync } from 'node:fs';
import type { Content } from '../../src/formats/content.ts';
import { inspectBytes } from '../../src/formats/inspect-bytes.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import { evaluate } from './workspace.ts';

const DIRECTORY = new URL('smallest/', import.meta.url);
const NAMES = readdirSync(DIRECTORY).toSorted();

/** The smallest document of each format, in each of its syntaxes: the files that are named after it. */
export const SMALLEST: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  NAMES.map((name) => name.replace(/\..*/, '')).map((format) => [
    format,
    NAMES.filter((name) => name.startsWith(`${format}.`)).map((name) =>
      readFileSync(new URL(name, DIRECTORY), 'utf8').trim(),
    ),
  ]),
);

/** The text of a document: a string as it is, anything else as JSON. */
export function writeDocument(document: unknown): string {
  return typeof document === 'string' ? document : JSON.stringify(document);
}

/** Inspects a file with this document. */
export function inspect(document: unknown): Content {
  return inspectBytes(Buffer.isBuffer(document) ? document : Buffer.from(writeDocument(document)));
}

/** The size in bytes of a file of which only both ends are read. */
export const LARGE_SIZE = 64 * 1024 * 1024;

/** Inspects a file of LARGE_SIZE bytes of which only these are read. */
export function inspectEnds(head: string | Uint8Array, tail: string | Uint8Array): Content {
  return inspectBytes(Buffer.from(head), Buffer.from(tail), LARGE_SIZE);
}

/** A text with one byte per character. */
export function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Counts by severity; those that are not given are 0. */
export function countSeverities(counts: Partial<SeverityCounts>): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

/** How many of these texts, written as code with a number `n`, are inspected in a process that is killed after 15 s. */
export function inspectAlone(texts: readonly string[], n: number): number {
  const made = texts.map((text) => `() => ${text}`).join();
  const format = '(make) => m.inspectBytes(Buffer.from(make())).format';
  const inspected = `((n) => [${made}].map(${format}))(${n})`;
  return evaluate('formats/inspect-bytes.ts', inspected).split(',').length;
}
