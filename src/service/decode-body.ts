import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib';

/** The longest body that is read, received and decompressed. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** More content codings than any service applies; each of them costs time. */
const MAX_CODINGS = 4;
/** Only `identity` is registered; some frameworks write `none` or their charset there. */
const NO_CODING = /^(?:identity|none|utf-?8)?$/;
const OPTIONS = { maxOutputLength: MAX_BODY_BYTES };

/**
 * Decodes the text of a body by its Content-Encoding (RFC 9110, section 8.4) and its charset. Undefined if
 * it cannot be read: an unknown or wrong encoding, an unknown charset, over 1 MiB, or with `fatal` characters that
 * are none of its charset.
 */
export function decodeBody(
  headers: IncomingHttpHeaders,
  bytes: Buffer,
  fatal = false,
): string | undefined {
  // In the order in which they were applied.
  const codings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => bytes.length > 0 && !NO_CODING.test(coding));
  if (codings.length > MAX_CODINGS) return undefined;
  try {
    const content = codings.reduceRight(decompress, bytes);
    const charset = findCharset(content, headers['content-type']);
    return new TextDecoder(charset, { fatal }).decode(content);
  } catch {
    return undefined;
  }
}

/** Undoes a content coding; throws if it is unknown or wrong. */
function decompress(bytes: Buffer, coding: string): Buffer {
  if (coding === 'br') return brotliDecompressSync(bytes, OPTIONS);
  if (!/^(?:deflate|(?:x-)?gzip)$/.test(coding)) throw new TypeError(`Unknown: ${coding}`);
  try {
    return unzipSync(bytes, OPTIONS);
  } catch (error) {
    // `deflate` is the zlib format, but some services send raw deflate data.
    if (coding === 'deflate') return inflateRawSync(bytes, OPTIONS);
    throw error;
  }
}

/**
 * Finds the charset of a text. A byte order mark decides before the header does. Text that is valid UTF-8
 * is UTF-8, whatever the header says, as JSON always is; text with NUL bytes is probably UTF-16.
 */
function findCharset(bytes: Buffer, contentType = ''): string | undefined {
  const start = bytes.toString('latin1', 0, 2);
  if (start === '\xff\xfe') return 'utf-16le';
  if (start === '\xfe\xff') return 'utf-16be';
  if (isUtf8(bytes) && !bytes.includes(0)) return 'utf-8';
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1];
  // TextDecoder reads this name as little-endian; in the other order, ASCII begins with a zero.
  return charset?.toLowerCase() === 'utf-16' && bytes[0] === 0 ? 'utf-16be' : charset;
}
