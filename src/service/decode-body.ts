import type { IncomingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { unzipSync } from 'node:zlib';

/** The longest body that is read, received and decompressed. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** These say that a body is not coded. Only `identity` is registered, but some frameworks write `none` or their charset. */
const NO_CODING = ['', 'identity', 'none', 'utf-8', 'utf8'];

/** The charsets of UTF-16 by their byte order marks. */
const UTF_16 = new Map([
  ['feff', 'utf-16be'],
  ['fffe', 'utf-16le'],
]);

/**
 * Decodes the text of a body by its Content-Encoding (RFC 9110, section 8.4) and its charset. Returns undefined if it
 * cannot be read: if its coding is neither gzip nor deflate (requests accept none), if it is longer than one that is read,
 * or with `fatal` if its bytes are no text in its charset. A NUL between other characters is in none: it is of UTF-16 or
 * UTF-32 that is not named.
 */
export function decodeBody(
  headers: IncomingHttpHeaders,
  bytes: Buffer,
  fatal = false,
): string | undefined {
  const { 'content-encoding': coding = '', 'content-type': type } = headers;
  const isPlain = bytes.length === 0 || NO_CODING.includes(coding.trim().toLowerCase());
  try {
    const content = isPlain ? bytes : unzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
    const text = makeDecoder(type, content, fatal).decode(content);
    return fatal && hasInnerNul(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function hasInnerNul(text: string): boolean {
  return text.split('\0').filter((part) => part.trim() !== '').length > 1;
}

/**
 * Makes the decoder of the charset that a Content-Type names, or of UTF-8 if it names none that is known. The byte order
 * mark says which UTF-16 it is: Java writes the other one than .NET. Without one it is not known.
 */
function makeDecoder(contentType = '', content: Buffer, fatal: boolean): TextDecoder {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1]?.toLowerCase();
  const order = UTF_16.get(content.toString('hex', 0, 2));
  try {
    return new TextDecoder(charset === 'utf-16' ? order : charset, { fatal });
  } catch {
    return new TextDecoder('utf-8', { fatal });
  }
}
