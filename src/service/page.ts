import { splitLines, stripInvisible } from '../text.ts';
import { readSaid } from './said.ts';

/** What may stand before the root of a page or of XML: comments, instructions, and a document type with its name. */
const PROLOG =
  /(?:<!--[^]*?-->|<\?[^]*?\?>|<!doctype\s+([^\s>[]+)(?:\s[^>[]*)?(?:\[[^\]]*\][^>]*)?(?:>|$))\s*/giy;
const ROOT = /^<([^\s/>[!?][^\s/>[]*)/;

/** Comments, and elements that are not shown. */
const UNSHOWN = /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
/** An element of XML with its text. */
const ELEMENT = /<(?:[\w-]+:)?([\w-]+)(?:\s[^<>]*)?(?<!\/)>[^<]*/g;
/** Elements of a problem in XML that say nothing, and those that are not shown: its `type` decides, an id is no message. */
const UNSAID = ['instance'];
export const UNSHOWN_ELEMENTS = [...UNSAID, 'type', 'traceid'];
const TITLE = /<title\b[^<>]*>([^<]*)/i;
/** A tag, a comment or an instruction, even if it does not end. */
const HTML_TAG = /<(?=[a-z/!?])\/?([\w:-]*)[^<>]*>?/gi;
/** Elements within a line; all others begin a new line. */
const INLINE = 'a abbr b cite code em font i ins kbd small span strong tt u'.split(' ');
/** The characters from U+00A1 to U+00FF as references name them, in their order. */
const LATIN =
  'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
/** The names of references that pages use. */
const REFERENCES = new Map([
  ...LATIN.split(' ').map((name, index) => [name, String.fromCodePoint(0xa1 + index)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', ndash: '–', mdash: '—' }),
  ...Object.entries({ bull: '•', hellip: '…', trade: '™', euro: '€' }),
]);

/** Whether a text that is not JSON is a web page, such as a login page, even if its type does not say so. */
export function isWebPage(type: string, text: string): boolean {
  const names = listRoots(text).map((name) => name.toLowerCase().split(':').at(-1));
  if (names.includes('html')) return true;
  if (/^<[\p{L}!?/]/u.test(text) && !isXml(type, text)) return true;
  return isHtml(type) && (text.length > 200 || splitLines(text).length > 1);
}

export function isXml(type: string, text: string): boolean {
  const isDeclared = ['/xml', '+xml'].some((end) => type.endsWith(end)) && !isHtml(type);
  return text.startsWith('<?xml') || (isDeclared && text.startsWith('<'));
}

function isHtml(type: string): boolean {
  return ['text/html', 'application/xhtml+xml'].includes(type);
}

/** The names of a document's type and of its root element, as far as it has them. */
export function listRoots(text: string): readonly string[] {
  const prolog = Array.from(text.matchAll(PROLOG));
  const last = prolog.at(-1);
  const root = ROOT.exec(last === undefined ? text : text.slice(last.index + last[0].length));
  return [...prolog, root].flatMap((found) => found?.[1] ?? []);
}

/** The target of a page that is only a link, as Go writes one with a redirect; undefined for any other page. */
export function findLink(text: string): string | undefined {
  return /^<a href="([^"]*)">[^<]*<\/a>\.?$/i.exec(text)?.[1];
}

/** The title of a page; empty if it has none. */
export function findTitle(text: string): string {
  const [, title = ''] = TITLE.exec(text.replace(UNSHOWN, '')) ?? [];
  return decodeReferences(title);
}

/** Returns a page or XML without its tags, with a line for each element, and of any other text what it says. */
export function readMarkup(text: string, unsaid = UNSAID): string {
  // A sentence may begin with a tag, as `<bom> is missing` does.
  if (!text.startsWith('<') || !/<(?:[/!?]|html|p>)/i.test(text)) return readSaid(text);
  const shown = text
    .replace(UNSHOWN, '')
    .replace(ELEMENT, (element, name: string) =>
      unsaid.includes(name.toLowerCase()) ? '' : element,
    )
    // Lines of a stack stay lines.
    .replaceAll(/\n(?![ \t]*at )/g, ' ')
    .replace(HTML_TAG, (_, name: string) => (INLINE.includes(name.toLowerCase()) ? '' : '\n'));
  return readSaid(stripInvisible(decodeReferences(shown)));
}

/** Replaces the references in a text by their characters. HTML allows numbers without a semicolon. */
function decodeReferences(text: string): string {
  return text.replace(/&(?:#\d+;?|#x[\da-f]+;?|[a-z\d]+;)/gi, (reference) => {
    const name = reference.slice(1).replace(';', '');
    const small = name.toLowerCase();
    if (!small.startsWith('#')) return REFERENCES.get(name) ?? REFERENCES.get(small) ?? reference;
    const code = Number(small.replace('#', '').replace('x', '0x'));
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
  });
}
