import { stripInvisible } from '../text.ts';

/** What may stand before the root of a page or of XML. */
const BEFORE_ROOT = /(?:<!--[^]*?-->|<\?[^]*?\?>)\s*/y;
const ROOT = /<(?:!doctype\s+)?([\w:.-]+)/iy;

/** Comments, and elements that are not shown. */
const UNSHOWN = /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
/** A tag, a comment or an instruction; also one that does not end. */
const HTML_TAG = /<(?=[a-z/!?])\/?([\w:-]*)[^<>]*>?/gi;
/** Elements within a line; all others begin a new line. */
const INLINE = 'a abbr b cite code em font i ins kbd small span strong tt u'.split(' ');
/** The names of references that XML and nearly all error pages use. */
const REFERENCES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);

/** Whether a text that is not JSON is a web page, such as a login page, even if its type does not say so. */
export function isWebPage(type: string, text: string): boolean {
  if (/^(?:[\w-]+:)?html$/i.test(findRoot(text))) return true;
  if (/^<[a-z!?/]/i.test(text) && !isXml(type, text)) return true;
  return isHtml(type) && (text.length > 200 || text.includes('\n'));
}

export function isXml(type: string, text: string): boolean {
  const isDeclared = /[/+]xml$/.test(type) && !isHtml(type);
  return text.startsWith('<') && (isDeclared || /^<\?xml/i.test(text));
}

function isHtml(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** The name of the root element, or of the document type before it; empty if there is none. */
export function findRoot(text: string): string {
  let start = 0;
  while (BEFORE_ROOT.test(text)) start = BEFORE_ROOT.lastIndex;
  ROOT.lastIndex = start;
  return ROOT.exec(text)?.[1] ?? '';
}

/** A text as it is; a page without its tags, an element a line. */
export function stripTags(text: string): string {
  // No sentence about a tag: `<bom> is missing`.
  if (!text.startsWith('<') || !/<(?:[/!?]|html|p>)/i.test(text)) return text;
  const shown = text
    .replace(UNSHOWN, '')
    // The lines of a stack stay lines.
    .replaceAll(/\n(?![ \t]*at )/g, ' ')
    .replace(HTML_TAG, (_, name: string) => (INLINE.includes(name.toLowerCase()) ? '' : '\n'));
  return stripInvisible(decodeReferences(shown));
}

/** A text with the characters that references in it stand for. HTML allows numbers without a semicolon. */
function decodeReferences(text: string): string {
  return text.replace(/&(?:#\d+;?|#x[\da-f]+;?|[a-z]+;)/gi, (reference) => {
    const name = reference.slice(1).replace(';', '').toLowerCase();
    if (!name.startsWith('#')) return REFERENCES.get(name) ?? reference;
    const code = Number(name.replace('#', '').replace('x', '0x'));
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
  });
}
