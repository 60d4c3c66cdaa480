import { stripInvisible } from '../text.ts';

/** What may stand before the root of a page or of XML: comments, instructions, and a document type with its name. */
const PROLOG =
  /(?:<!--[^]*?-->|<\?[^]*?\?>|<!doctype\s+([^\s>[]+)(?:\s[^>[]*)?(?:\[[^\]]*\][^>]*)?(?:>|$))\s*/giy;
const ROOT = /^<([^\s/>[!?][^\s/>[]*)/;

/** Comments, and elements that are not shown. */
const UNSHOWN = /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
const TITLE = /<title\b[^<>]*>([^<]*)/i;
/** A tag, a comment or an instruction, even if it does not end. */
const HTML_TAG = /<(?=[a-z/!?])\/?([\w:-]*)[^<>]*>?/gi;
/** Elements within a line; all others begin a new line. */
const INLINE = 'a abbr b cite code em font i ins kbd small span strong tt u'.split(' ');
/** The names of references that XML and nearly all error pages use. */
const REFERENCES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);

/** Whether a text that is not JSON is a web page, such as a login page, even if its type does not say so. */
export function isWebPage(type: string, text: string): boolean {
  if (listRoots(text).some((name) => /^(?:.*:)?html$/i.test(name))) return true;
  if (/^<[\p{L}!?/]/u.test(text) && !isXml(type, text)) return true;
  return isHtml(type) && (text.length > 200 || /[\r\n]/.test(text));
}

export function isXml(type: string, text: string): boolean {
  const isDeclared = /[/+]xml$/.test(type) && !isHtml(type);
  return text.startsWith('<?xml') || (isDeclared && text.startsWith('<'));
}

function isHtml(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** The names of a document's type and of its root element, as far as it has them. */
export function listRoots(text: string): readonly string[] {
  const prolog = Array.from(text.matchAll(PROLOG));
  const last = prolog.at(-1);
  const root = ROOT.exec(last === undefined ? text : text.slice(last.index + last[0].length));
  return [...prolog, root].flatMap((found) => found?.[1] ?? []);
}

/** The title of a page; empty if it has none. */
export function findTitle(text: string): string {
  const [, title = ''] = TITLE.exec(text.replace(UNSHOWN, '')) ?? [];
  return decodeReferences(title);
}

/** Returns a page without its tags, with a line for each element, and any other text as it is. */
export function stripTags(text: string): string {
  // A sentence may begin with a tag, as `<bom> is missing` does.
  if (!text.startsWith('<') || !/<(?:[/!?]|html|p>)/i.test(text)) return text;
  const shown = text
    .replace(UNSHOWN, '')
    // Lines of a stack stay lines, so that they are left out.
    .replaceAll(/\n(?![ \t]*at )/g, ' ')
    .replace(HTML_TAG, (_, name: string) => (INLINE.includes(name.toLowerCase()) ? '' : '\n'));
  return stripInvisible(decodeReferences(shown));
}

/** Replaces the references in a text by their characters. HTML allows numbers without a semicolon. */
function decodeReferences(text: string): string {
  return text.replace(/&(?:#\d+;?|#x[\da-f]+;?|[a-z]+;)/gi, (reference) => {
    const name = reference.slice(1).replace(';', '').toLowerCase();
    if (!name.startsWith('#')) return REFERENCES.get(name) ?? reference;
    const code = Number(name.replace('#', '').replace('x', '0x'));
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
  });
}
