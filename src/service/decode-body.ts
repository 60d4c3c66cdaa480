import type { IncomingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { unzipSync } from 'node:zlib';

/** The longest body that is read, received and decompressed. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** These say that a body is not coded. Only `identity` is registered, but some frameworks write `none` or their charset. */
const NO_CODING = ['', 'identity', 'none', 'utf-8', 'utf8'];

/**
 * Decodes the text of a body by its Content-Encoding (RFC 9110, section 8.4) and its charset. Returns undefined if it
 * cannot be read: if its coding is neither gzip nor deflate (requests accept none), if it is longer than one that is read,
 * or with `fatal` if its bytes are no text in its charset.
 */
export function decodeBody(
  headers: IncomingHttpHeaders,
  bytes: Buffer,
  fatal = false,
): string | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isPlain = bytes.length === 0 || NO_CODING.includes(coding);
  try {
    const content = isPlain ? bytes : unzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
    return makeDecoder(headers['content-type'], fatal).decode(content);
  } catch {
    return undefined;
  }
}

/** Makes the decoder of the charset that a Content-Type names, or of UTF-8 if it names none that is known. */
function makeDecoder(contentType = '', fatal: boolean): TextDecoder {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return new TextDecoder('utf-8', { fatal });
  }
}
