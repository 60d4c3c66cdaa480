import { isUtf8 } from 'node:buffer';
import type { Content, Sample } from './content.ts';

/** How files begin that are no text. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['1f8b', 'gzip-compressed data'],
  ['504b0304', 'a ZIP archive'],
  ['28b52ffd', 'zstd-compressed data'],
  ['fd377a585a', 'xz-compressed data'],
  ['425a68', 'bzip2-compressed data'],
  ['255044462d', 'a PDF document'],
];

/** How much of a file's beginning is looked at. */
const HEAD_BYTES = 1024;

/** What a file is that is neither JSON nor XML, in words. */
export function describeOther({ head, isWhole }: Sample): Content {
  const inspected = isWhole ? 'whole' : 'ends';
  return { format: 'unknown', inspected, kind: nameKind(head.subarray(0, HEAD_BYTES)) };
}

function nameKind(head: Buffer): string {
  const digits = head.toString('hex');
  const signature = SIGNATURES.find(([start]) => digits.startsWith(start));
  if (signature !== undefined) return signature[1];
  if (PAGE.test(head.toString('utf8'))) return HTML;
  return isText(head) ? 'text' : 'binary data';
}

/** A web page begins with its document type or its root element, comments aside. */
const PAGE = /^(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html)[\s>]/i;

/** What a web page is called. */
export const HTML = 'a web page (HTML)';

/** A head that is not the whole file may end inside a character. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  const cuts = head.length < HEAD_BYTES ? [0] : [0, 1, 2, 3];
  return cuts.some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}
