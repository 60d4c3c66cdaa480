import { isUtf8 } from 'node:buffer';
import type { Kind, Sample } from './content.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The first bytes, in hexadecimal, of files that are not text. */
const SIGNATURES: readonly (readonly [string, Kind])[] = [
  ['1f8b', 'gzip'],
  ['504b0304', 'zip'],
  ['28b52ffd', 'zstd'],
  ['fd377a585a', 'xz'],
  ['425a68', 'bzip2'],
  ['255044462d', 'pdf'],
];

/** How much of a file's beginning is inspected if it is neither JSON nor XML. */
const KIND_BYTES = 1024;

/** A web page begins with its document type or its root element, perhaps after comments. */
const PAGE = /^(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html)[\s>]/i;

/** Whether a file begins with the byte order mark of UTF-8. */
export function isMarked({ bytes }: Sample): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
}

/** Where a position in a sample's text (UTF-16 code units) is in the file, in bytes. */
export function findOffset(sample: Sample, position: number): number {
  const markBytes = isMarked(sample) ? BYTE_ORDER_MARK.length : 0;
  return markBytes + Buffer.byteLength(sample.text.slice(0, position));
}

/** Where the first byte is that is not UTF-8; undefined if there is none. */
export function findInvalid(sample: Sample): number | undefined {
  if (isUtf8(sample.bytes)) return undefined;
  const start = findOffset(sample, 0);
  const decoded = Buffer.from(sample.text);
  let at = 0;
  while (at < decoded.length && decoded[at] === sample.bytes[start + at]) at += 1;
  if (at === decoded.length) return undefined;
  // The first difference may be in the second or third byte of U+FFFD.
  while (((decoded[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return start + at;
}

/** The description of UTF-16 in messages, and how to write something else. */
export const UTF_16 =
  "UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8";

/** Whether bytes are UTF-16: they have its byte order mark, or zeros next to ASCII characters. */
export function isUtf16(bytes: Buffer): boolean {
  const digits = bytes.toString('hex', 0, 4);
  return /^(?:fffe|feff|(?!00)..00(?!00)..00|00(?!00)..00(?!00)..)/.test(digits);
}

export function findKind({ bytes, text }: Pick<Sample, 'bytes' | 'text'>): Kind {
  const digits = bytes.toString('hex', 0, KIND_BYTES);
  const signature = SIGNATURES.find(([start]) => digits.startsWith(start));
  if (signature !== undefined) return signature[1];
  if (PAGE.test(text.trimStart().slice(0, KIND_BYTES))) return 'html';
  return isText(bytes.subarray(0, KIND_BYTES)) ? 'text' : 'binary';
}

/** Whether bytes are UTF-8 text. The beginning of a file may end inside a character. */
function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  const missing = bytes.length < KIND_BYTES ? [0] : [0, 1, 2, 3];
  return missing.some((count) => isUtf8(bytes.subarray(0, bytes.length - count)));
}
