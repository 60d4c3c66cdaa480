import { isUtf8 } from 'node:buffer';
import { listLines } from '../text.ts';
import type { Content, Fault, Kind, Sample } from './content.ts';

/** How much of the text after JSON is searched for its first line. */
const MAX_STRAY = 64 * 1024;
/** How much of a file's beginning is inspected if it is neither JSON nor XML. */
const KIND_BYTES = 1024;

/** A web page begins with its document type or its root element, perhaps after comments. */
const PAGE = /^(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html)[\s>]/i;

/** An XML declaration that names another encoding than UTF-8. */
const OTHER_ENCODING = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["'](?!utf-8["'])/i;

/** The description of UTF-16 in messages, and how to write something else. */
export const UTF_16 =
  "UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8";

/** Whether bytes are UTF-16: they have its byte order mark, or zeros next to ASCII characters. */
export function isUtf16(bytes: Buffer): boolean {
  const digits = bytes.toString('hex', 0, 4);
  return /^(?:fffe|feff|(?!00)..00(?!00)..00|00(?!00)..00(?!00)..)/.test(digits);
}

/** UTF-8, or Latin-1 for XML in any other encoding: its markup is ASCII in all that scanners use. */
export function findEncoding(bytes: Buffer): Sample['encoding'] {
  const isOther = OTHER_ENCODING.test(bytes.toString('latin1', 0, KIND_BYTES));
  return isOther && !isUtf8(bytes) ? 'latin1' : 'utf-8';
}

/** What a file is that is neither JSON nor XML. */
export function findKind({ bytes, text }: Pick<Sample, 'bytes' | 'text'>): Kind {
  const digits = bytes.toString('hex', 0, 4);
  if (digits.startsWith('1f8b')) return 'gzip';
  if (digits === '504b0304') return 'zip';
  if (text.startsWith('version https://git-lfs.github.com/')) return 'lfs';
  if (PAGE.test(text.trimStart().slice(0, KIND_BYTES))) return 'html';
  const head = bytes.subarray(0, KIND_BYTES);
  const isText = areUtf8(head, head.length === KIND_BYTES);
  return isText && !head.includes(0) ? 'text' : 'binary';
}

/** The problem of a document that has this fault, or none. */
export function describeProblem(
  sample: Sample,
  language: 'JSON' | 'XML',
  fault: Fault | undefined,
): Pick<Content, 'problem' | 'isMisencoded' | 'stray'> {
  if (fault?.kind === 'truncated') {
    return { problem: `is truncated: its ${language} ends too early, at byte ${sample.size}` };
  }
  if (sample.encoding !== 'latin1' && !areUtf8(sample.bytes, sample.tail !== undefined)) {
    return { problem: 'is not valid UTF-8', isMisencoded: true };
  }
  if (fault === undefined) return {};
  const at = fault.position === undefined ? undefined : findOffset(sample, fault.position);
  if (fault.kind === 'trailing') {
    const [stray = ''] = listLines(sample.text.slice(fault.position).slice(0, MAX_STRAY));
    return { problem: `has other text after its JSON (at byte ${at})`, stray };
  }
  return { problem: `is not well-formed ${language}${at === undefined ? '' : ` (at byte ${at})`}` };
}

/** Where a position in a sample's text is in the file, in bytes. */
function findOffset({ bytes, text, encoding }: Sample, position: number): number {
  if (encoding === 'latin1') return position;
  const markBytes = bytes.toString('hex', 0, 3) === 'efbbbf' ? 3 : 0;
  return markBytes + Buffer.byteLength(text.slice(0, position));
}

/** Whether bytes are UTF-8. Those of a beginning may end inside a character. */
function areUtf8(bytes: Buffer, isHead: boolean): boolean {
  const missing = isHead ? [0, 1, 2, 3] : [0];
  return missing.some((count) => isUtf8(bytes.subarray(0, bytes.length - count)));
}
