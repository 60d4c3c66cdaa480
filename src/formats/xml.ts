import { findInvalid, findOffset, isMarked } from './bytes.ts';
import type { Content, Sample } from './content.ts';
import { describeInvalid, describeTruncated } from './describe.ts';
import { recogniseDocument } from './recognise.ts';
import { readXml } from './xml-tree.ts';
import type { XmlReading } from './xml-tree.ts';

/** The beginning of a start tag or of anything that may come before it, but not of a web page. */
const OPENING = /^[ \t\r\n]*<(?:\??[A-Za-z_:\x80-\uffff]|!--|!doctype\s(?!\s*html[\s>]))/i;
/** The root's end tag is searched for in the last bytes of the file. */
const ENDING_BYTES = 64 * 1024;

/**
 * Recognises a text that begins like an XML document; undefined for anything else, web pages included. A
 * document that is not read to its end is recognised by its beginning, and is truncated if the root's
 * end tag is not at its end.
 */
export function inspectXml(sample: Sample): Content | undefined {
  if (!OPENING.test(sample.text)) return undefined;
  const { bytes, text, tail } = sample;
  const encoding = chooseEncoding(sample);
  const decode = (encoded: Buffer): string => new TextDecoder(encoding).decode(encoded);
  const decoded = encoding === 'utf-8' ? text : decode(bytes);
  const start = decoded.indexOf('<');
  const reading = readXml(decoded.slice(start), tail !== undefined);
  const { document, root, isAbandoned, isOverfull } = reading;
  const isRead = tail === undefined && !isAbandoned && !isOverfull;
  const inspected = isRead ? 'full' : 'partial';
  if (/^html$/i.test(root ?? '')) return { format: 'unknown', inspected, kind: 'html' };
  // The text only begins like XML, such as a plain text after a comment.
  if (root === undefined && reading.fault?.isAtEnd === false) return undefined;
  const ending = decode((tail ?? bytes).subarray(-ENDING_BYTES)).trimEnd();
  const problem = isTruncated(reading, ending, tail !== undefined)
    ? describeTruncated('XML', sample.size)
    : describeFault(sample, encoding, reading.fault && start + reading.fault.position);
  return {
    ...recogniseDocument('xml', document, inspected, isRead && problem === undefined),
    ...(problem !== undefined && { problem }),
  };
}

function isTruncated(
  { root, fault, isAbandoned }: XmlReading,
  ending: string,
  isHead: boolean,
): boolean {
  // The parser reports an ampersand that starts no reference only at the end of the text.
  if (fault !== undefined) return fault.isAtEnd && !hasEndTag(ending, root);
  const isUnread = isHead || isAbandoned;
  return isUnread && root !== undefined && ending !== '' && !hasEndTag(ending, root);
}

/** Whether a text contains the root's end tag; only comments and instructions may follow it. */
function hasEndTag(text: string, root: string | undefined): boolean {
  const tag = `</${root}`;
  const at = text.lastIndexOf(tag);
  return at >= 0 && /^\s*>/.test(text.slice(at + tag.length)) && text.endsWith('>');
}

/** The problem of a document that is not truncated and stops being XML at `position`. */
function describeFault(
  sample: Sample,
  encoding: string,
  position: number | undefined,
): string | undefined {
  const isUnicode = encoding === 'utf-8';
  const invalidAt = isUnicode ? findInvalid(sample) : undefined;
  if (invalidAt !== undefined) return describeInvalid(invalidAt);
  if (position === undefined) return undefined;
  // Other encodings are counted as one byte per character.
  const offset = isUnicode ? findOffset(sample, position) : position;
  return `is not well-formed XML (read up to byte ${offset})`;
}

/** The encoding that the XML declaration names. It cannot be UTF-16, because the declaration was read as ASCII. */
function chooseEncoding(sample: Sample): string {
  const label = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(sample.text)?.[1];
  if (label === undefined || isMarked(sample)) return 'utf-8';
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return 'windows-1252';
  }
}
