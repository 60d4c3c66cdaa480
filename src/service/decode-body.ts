import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { inflateRawSync, unzipSync } from 'node:zlib';

/** How much of a refusal's body is read, that of a proxy too. */
export const MAX_REFUSAL_BYTES = 64 * 1024;
/** The longest body that is read, received and decompressed. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Only `identity` is registered; some frameworks write `none` or their charset there. */
const NO_CODING = /^(?:identity|none|utf-?8)?$/;
const OPTIONS = { maxOutputLength: MAX_BODY_BYTES };

/**
 * Decodes the text of a body by its Content-Encoding (RFC 9110, section 8.4) and its charset. Undefined if
 * it cannot be read: more than one coding, an unknown or wrong one, an unknown charset, over 1 MiB, or with `fatal`
 * characters that are none of its charset. Requests accept no coding, so that gzip and deflate are more than enough.
 */
export function decodeBody(
  headers: IncomingHttpHeaders,
  bytes: Buffer,
  fatal = false,
): string | undefined {
  try {
    const content = decompress(bytes, headers['content-encoding']?.trim().toLowerCase());
    return new TextDecoder(findCharset(content, headers['content-type']), { fatal }).decode(
      content,
    );
  } catch {
    return undefined;
  }
}

/** Undoes a content coding; throws if it is unknown or wrong. */
function decompress(bytes: Buffer, coding = ''): Buffer {
  if (bytes.length === 0 || NO_CODING.test(coding)) return bytes;
  if (!/^(?:deflate|(?:x-)?gzip)$/.test(coding)) throw new TypeError(`Unknown: ${coding}`);
  // `deflate` is the zlib format, whose first byte ends in 8 (RFC 1950), but some services send raw deflate data.
  const isRaw = coding === 'deflate' && bytes.readUInt8(0) % 16 !== 8;
  return (isRaw ? inflateRawSync : unzipSync)(bytes, OPTIONS);
}

/**
 * Finds the charset of a text. A byte order mark decides before the header does. Text that is valid UTF-8 is UTF-8,
 * whatever the header says, as JSON always is; with NUL bytes it may be the UTF-16 that the header declares.
 */
function findCharset(bytes: Buffer, contentType = ''): string | undefined {
  const start = bytes.toString('latin1', 0, 2);
  if (start === '\xff\xfe') return 'utf-16le';
  if (start === '\xfe\xff') return 'utf-16be';
  if (isUtf8(bytes) && !bytes.includes(0)) return 'utf-8';
  return /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1];
}
