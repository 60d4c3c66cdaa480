import { describeProblem } from './bytes.ts';
import type { Content, Fault, Sample } from './content.ts';
import { XmlReading } from './read-xml.ts';
import { recogniseDocument } from './recognise.ts';

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
  const { text, tail, encoding } = sample;
  if (!OPENING.test(text)) return undefined;
  const start = text.indexOf('<');
  const reading = new XmlReading(text.slice(start), tail !== undefined);
  const { document, root, fault, isWhole } = reading;
  const inspected = isWhole || (fault !== undefined && tail === undefined) ? 'full' : 'partial';
  if (/^html$/i.test(root ?? '')) return { format: 'unknown', inspected, kind: 'html' };
  // The text only begins like XML, such as a plain text after a comment.
  if (root === undefined && fault?.isAtEnd === false) return undefined;
  const ending = new TextDecoder(encoding).decode((tail ?? sample.bytes).subarray(-ENDING_BYTES));
  const problem = describeProblem(sample, 'XML', judge(reading, ending.trimEnd(), start));
  const isCounted = isWhole && problem.problem === undefined;
  return { ...recogniseDocument('xml', document, inspected, isCounted), ...problem };
}

/** The fault of a document that starts and ends at these places of its text. */
function judge(
  { root, fault, isWhole }: XmlReading,
  ending: string,
  start: number,
): Fault | undefined {
  // The parser reports an ampersand that starts no reference only at the end of the text.
  const mayBeTruncated = fault?.isAtEnd ?? (!isWhole && root !== undefined && ending !== '');
  if (mayBeTruncated && !hasEndTag(ending, root)) return { kind: 'truncated' };
  return fault && { kind: 'malformed', position: start + fault.position };
}

/** Whether a text contains the root's end tag; only comments and instructions may follow it. */
function hasEndTag(text: string, root: string | undefined): boolean {
  const tag = `</${root}`;
  const at = text.lastIndexOf(tag);
  return at >= 0 && /^\s*>/.test(text.slice(at + tag.length)) && text.endsWith('>');
}
