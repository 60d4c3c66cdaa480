import type { Collector } from '../document/collector.ts';
import { describeDocument, makeCollector } from '../document/recognise.ts';
import { Utf8Check, trimEnd } from './bytes.ts';
import type { Content, Sample } from './content.ts';
import { describeCut, describeInvalid } from './faults.ts';
import { HTML } from './other.ts';
import { XmlScanner } from './xml-scanner.ts';
import type { XmlReading } from './xml-scanner.ts';

/** What begins like a start tag or anything that may stand before it; a web page does not. */
const OPENING = /^<(?:\??[A-Za-z_:\x80-\xff]|!--|!doctype\s(?!\s*html[\s>]))/i;
/** How much of the beginning is looked at for that. */
const OPENING_BYTES = 1024;
/** How much of the end is looked at for the root's end tag where a fault shows only there. */
const ENDING_CHARACTERS = 2048;

/**
 * What a text is that begins like an XML document; undefined for anything else, web pages included.
 * Of a text that is not read to its end, the head tells what it is and the tail whether it was cut.
 */
export async function inspectXml(sample: Sample): Promise<Content | undefined> {
  const opening = sample.head.toString('latin1', 0, OPENING_BYTES);
  if (!OPENING.test(opening)) return undefined;
  const document = makeCollector('xml');
  const encoding = sample.isMarked ? 'utf-8' : chooseEncoding(opening);
  const reading = await scanPieces(sample, encoding, document);
  const isRead = sample.isWhole && !reading.isAbandoned && !document.isOverfull;
  const inspected = isRead ? 'whole' : 'ends';
  if (/^html$/i.test(reading.root ?? '')) return { format: 'unknown', inspected, kind: HTML };
  // What only begins like XML, as a text behind a comment does.
  if (reading.root === undefined && reading.fault?.isCut === false) return undefined;
  const tail = sample.isWhole && !reading.isAbandoned ? undefined : await sample.tail();
  const fault = findFault(sample.size, tail, reading, encoding);
  return {
    ...describeDocument('xml', document, isRead && fault === undefined),
    inspected,
    ...(fault !== undefined && { fault }),
  };
}

/** How a document was read, with offsets in bytes. */
interface ByteReading extends Omit<XmlReading, 'fault'> {
  readonly fault: { readonly offset: number; readonly isCut: boolean } | undefined;
  readonly invalidAt: number | undefined;
  /** The last of what was read. */
  readonly ending: string;
}

async function scanPieces(
  { start, pieces, isWhole }: Sample,
  encoding: string,
  document: Collector,
): Promise<ByteReading> {
  const scanner = new XmlScanner(document);
  const check = new Utf8Check(start);
  const decoder = new TextDecoder(encoding);
  const countBytes = (part: string): number =>
    // Other encodings are taken for one byte a character.
    encoding === 'utf-8' ? Buffer.byteLength(part) : part.length;
  let [text, ending, characters, bytes] = ['', '', 0, start];
  for await (const piece of pieces()) {
    characters += text.length;
    bytes += countBytes(text);
    check.push(piece);
    text = decoder.decode(piece, { stream: true });
    ending = (ending + text).slice(-ENDING_CHARACTERS);
    if (!scanner.push(text)) break;
  }
  if (isWhole) {
    check.end();
    scanner.push(decoder.decode());
  }
  const { fault, ...reading } = scanner.end(!isWhole);
  const offset = bytes + countBytes(text.slice(0, (fault?.position ?? 0) - characters));
  return {
    ...reading,
    fault: fault && { offset, isCut: fault.isCut },
    invalidAt: encoding === 'utf-8' ? check.invalidAt : undefined,
    ending,
  };
}

/** `tail` is given where the document was not read up to it. */
function findFault(
  size: number,
  tail: Buffer | undefined,
  { root, fault, invalidAt, ending }: ByteReading,
  encoding: string,
): string | undefined {
  const cut = describeCut('XML', size);
  // A fault may show only at the end, as that of an ampersand, whose reference might have gone on.
  const isEnded = root !== undefined && endsWithTag(ending.trimEnd(), root) === true;
  if (fault?.isCut === true && !isEnded) return cut;
  // Whichever comes first; what was read beyond the fault depends on the pieces.
  if (invalidAt !== undefined && invalidAt <= (fault?.offset ?? invalidAt)) {
    return describeInvalid(invalidAt);
  }
  if (fault !== undefined) return `is not well-formed XML (read up to byte ${fault.offset})`;
  if (tail === undefined || root === undefined) return undefined;
  const text = new TextDecoder(encoding).decode(trimEnd(tail));
  return endsWithTag(text, root) === false ? cut : undefined;
}

/** The encoding that the XML declaration names; what is read as ASCII up to there is no UTF-16. */
function chooseEncoding(opening: string): string {
  const label = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(opening)?.[1];
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return 'windows-1252';
  }
}

/**
 * Whether the root's end tag is there, behind which only comments and instructions may stand;
 * undefined where these hide it, being longer than the ending.
 */
function endsWithTag(ending: string, root: string): boolean | undefined {
  let text = ending;
  for (let start = findEpilogStart(text); start !== undefined; start = findEpilogStart(text)) {
    text = text.slice(0, Math.max(start, 0)).trimEnd();
  }
  if (text === '') return undefined;
  return text.endsWith('>') && text.slice(0, -1).trimEnd().endsWith(`</${root}`);
}

/** Where the comment or instruction begins that ends a text: -1 if before it; undefined for none. */
function findEpilogStart(text: string): number | undefined {
  if (text.endsWith('-->')) return text.lastIndexOf('<!--');
  return text.endsWith('?>') ? text.lastIndexOf('<?') : undefined;
}
