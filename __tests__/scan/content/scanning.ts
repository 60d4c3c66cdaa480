import type { Visitor } from '../../../src/scan/document/collector.ts';
import { JsonScanner } from '../../../src/scan/content/json-scanner.ts';
import { XmlScanner } from '../../../src/scan/content/xml-scanner.ts';
import type { XmlReading } from '../../../src/scan/content/xml-scanner.ts';

/** How a JSON text was read; places are in bytes. */
export interface JsonReading {
  /** Where it stops being JSON. */
  readonly fault: { readonly offset: number; readonly isCut: boolean } | undefined;
  readonly secondAt: number | undefined;
}

/** A JSON text that is one whole value. */
export const WHOLE: JsonReading = { fault: undefined, secondAt: undefined };

/** Reads JSON in pieces of these sizes, over and over; each piece is overwritten by the next. */
export function scanJson(
  bytes: Buffer,
  visitor: Visitor,
  sizes: readonly number[] = [],
  offset = 0,
): JsonReading {
  const scanner = new JsonScanner(visitor, offset);
  for (const piece of split(bytes, sizes)) {
    const copy = Buffer.from(piece);
    const isGoingOn = scanner.push(copy);
    copy.fill('!');
    if (!isGoingOn) break;
  }
  const fault = scanner.end();
  return {
    fault: fault && { offset: fault.offset, isCut: fault.isCut },
    secondAt: scanner.secondAt,
  };
}

/** Reads XML in pieces of these sizes, over and over, in UTF-16 code units. */
export function scanXml(
  text: string,
  visitor: Visitor,
  { isHead = false, sizes = [] }: { isHead?: boolean; sizes?: readonly number[] } = {},
): XmlReading {
  const scanner = new XmlScanner(visitor);
  for (const piece of split(text, sizes)) {
    if (!scanner.push(piece)) break;
  }
  return scanner.end(isHead);
}

/** Pieces of these sizes, over and over; one piece where there are none. */
export function split<T extends { readonly length: number; slice(from: number, to: number): T }>(
  whole: T,
  sizes: readonly number[],
): readonly T[] {
  const pieces: T[] = [];
  for (let start = 0; start < whole.length;) {
    const end = start + Math.max(sizes[pieces.length % sizes.length] ?? whole.length, 1);
    pieces.push(whole.slice(start, end));
    start = end;
  }
  return pieces;
}
