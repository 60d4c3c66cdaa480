import type { Content, Sample } from './content.ts';

/** A start tag; quoted values may hold a `>`. */
const ROOT = /^<(?:([\w.-]+):)?([A-Za-z_][\w.-]*)((?:[\s/](?:[^"'>]|"[^"]*"|'[^']*')*)?)>/;
/** What begins like a start tag or anything that may stand before it. */
const OPENING = /^<(?:[A-Za-z_]|\?xml\s|!--|!doctype\s(?!\s*html[\s>]))/i;
const CYCLONEDX_NAMESPACE = 'http://cyclonedx.org/schema/bom/';

/** How much of either end is looked at: the root element's tags stand there. */
const END_CHARACTERS = 65_536;
/** How much of the root element's attributes is searched for its namespace. */
const MAX_ATTRIBUTE_CHARACTERS = 4096;

/**
 * What a text is that begins like an XML document; undefined for anything else, web pages included.
 * Only the root element is read, and whether its end tag is there; nothing is expanded or fetched.
 */
export function inspectXml(sample: Sample): Content | undefined {
  const head = sample.head.slice(0, END_CHARACTERS);
  if (!OPENING.test(head.trimStart())) return undefined;
  const start = skipProlog(head);
  if (/^<html[\s/>]/i.test(start) || /^[^<]/.test(start)) return undefined;
  const root = ROOT.exec(start);
  if (root !== null) return describeRoot(root, sample.tail);
  return { format: 'xml', syntax: 'xml', fault: 'is cut off: it has no whole root element' };
}

function describeRoot(
  [, prefix, name = '', attributes = '']: RegExpExecArray,
  tail: string,
): Content {
  const namespace = findNamespace(attributes, prefix);
  const isCycloneDx = name === 'bom' && namespace.startsWith(CYCLONEDX_NAMESPACE);
  const qualifiedName = prefix === undefined ? name : `${prefix}:${name}`;
  const isWhole = attributes.endsWith('/') || endsWithTag(tail, qualifiedName);
  return {
    format: isCycloneDx ? 'cyclonedx' : 'xml',
    syntax: 'xml',
    ...(isCycloneDx && { specVersion: namespace.slice(CYCLONEDX_NAMESPACE.length) }),
    ...(!isWhole && { fault: `is cut off: the closing </${qualifiedName}> is missing` }),
  };
}

/** Drops what may stand before the root element (XML 1.0, section 2.8). */
function skipProlog(text: string): string {
  let rest = text.trimStart();
  for (let end = findPrologEnd(rest); end !== undefined; end = findPrologEnd(rest)) {
    rest = rest.slice(end).trimStart();
  }
  return rest;
}

/** Where a declaration, instruction or comment at the start of `text` ends; undefined if none is there. */
function findPrologEnd(text: string): number | undefined {
  if (text.startsWith('<?')) return findPast(text, '?>');
  if (text.startsWith('<!--')) return findPast(text, '-->');
  if (!/^<!doctype\s/i.test(text)) return undefined;
  const subset = text.indexOf('[');
  const isInternal = subset >= 0 && subset < text.indexOf('>');
  return findPast(text, '>', isInternal ? Math.max(text.indexOf(']', subset), 0) : 0);
}

function findPast(text: string, end: string, from = 0): number {
  const position = text.indexOf(end, from);
  return position < 0 ? text.length : position + end.length;
}

function findNamespace(attributes: string, prefix: string | undefined): string {
  const name = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
  const searched = attributes.slice(0, MAX_ATTRIBUTE_CHARACTERS);
  for (const [, key, value] of searched.matchAll(/([\w.:-]+)\s*=\s*["']([^"'<]*)["']/g)) {
    if (key === name) return value ?? '';
  }
  return '';
}

/** Whether the root's end tag is there, behind which only comments and instructions may stand. */
function endsWithTag(tail: string, qualifiedName: string): boolean {
  let text = tail.slice(-END_CHARACTERS).trimEnd();
  for (let start = findEpilogStart(text); start >= 0; start = findEpilogStart(text)) {
    text = text.slice(0, start).trimEnd();
  }
  return text.endsWith('>') && text.slice(0, -1).trimEnd().endsWith(`</${qualifiedName}`);
}

function findEpilogStart(text: string): number {
  if (text.endsWith('-->')) return text.lastIndexOf('<!--');
  return text.endsWith('?>') ? text.lastIndexOf('<?') : -1;
}
