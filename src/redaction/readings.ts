import { HTML_REFERENCE, decodeReferences } from '../html.ts';
import { stripInvisible } from '../text.ts';

/** A text as it is read, and where each of its characters begins in the text as it is. */
interface Reading {
  readonly plain: string;
  readonly locate: (index: number) => number;
}

/** Shorter pieces of Base64 are not searched for, because they may occur by chance. */
const MIN_PIECE_CHARACTERS = 8;
const URL_ESCAPE = /(%[\da-f]{2})/i;
/** Escapes of JSON and programming languages, of URLs, and of HTML. */
const ESCAPES = [/(\\(?:u[\da-f]{4}|x[\da-f]{2}|[^]))/i, URL_ESCAPE, HTML_REFERENCE];
const CONTROLS: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t' };
/** White space that is read as one space. */
const SPACES = /([\s\u0085]{2,}|[^\S ]|\u0085)/;

/** How a text can be read: as it is, and with the escapes of one kind undone; each with runs of white space as one space. */
export function listReadings(text: string): Iterable<Reading> {
  const asIs = readAsIs(text);
  // Without escapes of a kind it is the same reading.
  return new Set([asIs, ...ESCAPES.map((each) => joinSpaces(rewrite(asIs, each, decode)))]);
}

/**
 * A secret as it is, in lower case (as the host of a URL), without escapes of a URL (as bytes and as UTF-8), and
 * with its UTF-8 read as ISO 8859-1, all also with the spaces of a form; and in Base64. Each as a text is read.
 */
export function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const padded = bytes.toString('base64');
  // Inside a longer text, which begins up to two bytes after a group of three, without what depends on that text.
  const pieces = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return shifted.toString('base64').slice(start, end);
  });
  const long = pieces.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS);
  const base64 = [padded, padded.replace(/=+$/, ''), ...long];
  const unescaped = rewrite(readAsIs(secret), URL_ESCAPE, decode).plain;
  const utf8 = Buffer.from(unescaped, 'latin1').toString();
  const forms = new Set([
    ...[secret, secret.toLowerCase(), unescaped, utf8, bytes.toString('latin1')].flatMap((form) => [
      form,
      form.replaceAll(' ', '+'),
    ]),
    // The alphabet for URLs (RFC 4648, section 5).
    ...base64.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
  ]);
  return [...new Set(Array.from(forms, (form) => readAsIs(stripInvisible(form)).plain))];
}

function readAsIs(text: string): Reading {
  return joinSpaces({ plain: text, locate: (index) => index });
}

function joinSpaces(reading: Reading): Reading {
  return rewrite(reading, SPACES, () => ' ');
}

/** Changes what a pattern with one group finds, never to more characters. Returns the same reading if it finds nothing. */
function rewrite(reading: Reading, pattern: RegExp, change: (found: string) => string): Reading {
  const pieces = reading.plain.split(pattern);
  if (pieces.length === 1) return reading;
  const starts = new Int32Array(reading.plain.length + 1);
  let [length, end] = [0, 0];
  const changed = pieces.map((piece, index) => {
    const plain = index % 2 === 0 ? piece : change(piece);
    for (let unit = 0; unit < plain.length; unit += 1) starts[length + unit] = end + unit;
    length += plain.length;
    end += piece.length;
    return plain;
  });
  starts[length] = end;
  return { plain: changed.join(''), locate: (index) => reading.locate(starts[index] ?? end) };
}

/** What escapes stand for: a text may have thousands of them. Long ones are not kept. */
const decoded = new Map<string, string>();
const MAX_DECODED = 4096;

/** What an escape stands for; nothing if it is invisible, as it could divide a secret. */
function decode(escape: string): string {
  const known = decoded.get(escape);
  if (known !== undefined) return known;
  const text = escape.startsWith('&') ? decodeReferences(escape) : decodeUnit(escape);
  // Half of a character is visible with its other half, which is the next escape.
  const visible = /\p{Cs}/u.test(text) ? text : stripInvisible(text);
  if (escape.length < 12 && decoded.size < MAX_DECODED) decoded.set(escape, visible);
  return visible;
}

/** The UTF-16 code unit of an escape. That of a byte has its number, as forms of a secret have its UTF-8. */
function decodeUnit(escape: string): string {
  const [, digits] = /^(?:%|\\[ux])([\da-f]+)$/i.exec(escape) ?? [];
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  // Before other characters, a backslash is only dropped.
  return CONTROLS[escape] ?? escape.slice(1);
}
