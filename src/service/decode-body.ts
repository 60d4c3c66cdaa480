import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** The longest body that is read, received and decompressed. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** More content codings than any service applies; each of them costs time. */
const MAX_CODINGS = 4;
/** Only `identity` is registered; some frameworks write `none` or their charset there. */
const NO_CODING = /^(?:identity|none|utf-?8)?$/;
const OPTIONS = { maxOutputLength: MAX_BODY_BYTES };

const DECODERS: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['gzip', (bytes) => gunzipSync(bytes, OPTIONS)],
  ['x-gzip', (bytes) => gunzipSync(bytes, OPTIONS)],
  ['deflate', inflate],
  ['br', (bytes) => brotliDecompressSync(bytes, OPTIONS)],
]);

/** Byte order marks as latin1. */
const MARKS = [
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['\xef\xbb\xbf', 'utf-8'],
] as const;

/**
 * Decodes the text of a body by its Content-Encoding (RFC 9110, section 8.4) and its charset. Undefined if
 * it cannot be read: an unknown or wrong encoding, an unknown charset, or over 1 MiB.
 */
export function decodeBody(headers: IncomingHttpHeaders, bytes: Buffer): string | undefined {
  try {
    const encoding = headers['content-encoding'] ?? '';
    const content = bytes.length === 0 ? bytes : decompress(bytes, encoding);
    return (
      content && new TextDecoder(findCharset(content, headers['content-type'])).decode(content)
    );
  } catch {
    return undefined;
  }
}

/** Undoes the codings, which are listed in the order in which they were applied; undefined if one is unknown. */
function decompress(bytes: Buffer, encoding: string): Buffer | undefined {
  const codings = encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => !NO_CODING.test(coding));
  if (codings.length > MAX_CODINGS) return undefined;
  return codings.reduceRight<Buffer | undefined>(
    (content, coding) => content && DECODERS.get(coding)?.(content),
    bytes,
  );
}

/** `deflate` is the zlib format, but some services send raw deflate data. */
function inflate(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, OPTIONS);
  } catch {
    return inflateRawSync(bytes, OPTIONS);
  }
}

/**
 * Finds the charset of a text. A byte order mark decides before the header does. Text that is valid UTF-8
 * is UTF-8, whatever the header says, as JSON always is; text with NUL bytes is probably UTF-16.
 */
function findCharset(bytes: Buffer, contentType = ''): string | undefined {
  const start = bytes.toString('latin1', 0, 3);
  const mark = MARKS.find(([marker]) => start.startsWith(marker));
  if (mark !== undefined) return mark[1];
  if (isUtf8(bytes) && !bytes.includes(0)) return 'utf-8';
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1];
  // TextDecoder reads this name as little-endian; in the other order, ASCII begins with a zero.
  return charset?.toLowerCase() === 'utf-16' && bytes[0] === 0 ? 'utf-16be' : charset;
}
