import { scanXml } from '../xml-tags.ts';
import type { XmlElement } from '../xml-tags.ts';
import { describeProblem } from './bytes.ts';
import type { Content, Sample } from './content.ts';
import { recogniseDocument } from './recognise.ts';

/**
 * An XML element with children in the shape of JSON: by name, each name with a list of elements. An element
 * without children is its text. The root also has `@namespace` and, if it has that attribute, `@version`.
 */
interface XmlObject {
  [name: string]: (XmlObject | string)[] | string | undefined;
}

/** The beginning of a start tag or of anything that may come before it, but not of a web page. */
const OPENING =
  /^[ \t\r\n]*<(?:\?[a-z_:\x80-\uffff]|[a-z_:\x80-\uffff][\w:.\x80-\uffff-]*(?:\s*(?:\/?>|$)|\s+[\w:.\x80-\uffff-]+\s*(?:=\s*(?:["']|$)|$))|!--|!doctype\s(?!\s*html[\s>]))/i;
const ATTRIBUTE = /\s([^\s=]+)\s*=\s*(["'])(.*?)\2/gs;
/** How much of the root's start tag, and of the end of the file, is searched. */
const MAX_SEARCHED = 64 * 1024;

/**
 * Recognises a text that begins like an XML document; undefined for anything else, web pages included. A
 * document that is not read to its end is recognised by its beginning, and is truncated if the root's
 * end tag is not at its end.
 */
export function inspectXml(sample: Sample): Content | undefined {
  const { text, tail, encoding } = sample;
  if (!OPENING.test(text)) return undefined;
  const { document, root, fault } = readXml(text);
  const isWhole = tail === undefined && fault?.kind !== 'unread';
  const inspected = isWhole ? 'full' : 'partial';
  if (/^html$/i.test(root ?? '')) return { format: 'unknown', inspected, kind: 'html' };
  // The text only begins like XML, such as a plain text after a comment.
  if (root === undefined && fault?.kind === 'malformed') return undefined;
  const ending = new TextDecoder(encoding).decode((tail ?? sample.bytes).subarray(-MAX_SEARCHED));
  const isEnded = root === undefined || ending.trim() === '' || hasEndTag(ending.trimEnd(), root);
  const unended = isEnded ? undefined : ({ kind: 'truncated' } as const);
  const found = isWhole || fault?.kind === 'malformed' ? fault : unended;
  const problem = describeProblem(sample, 'XML', found);
  const isCounted = isWhole && (fault ?? problem.problem) === undefined;
  return { ...recogniseDocument('xml', document, inspected, isCounted), ...problem };
}

/** Reads an XML document, or the beginning of one: its root, by its name without prefix, is in `document`. */
function readXml(text: string) {
  // The elements of each level that have ended, below those that are open.
  const levels: (XmlObject | undefined)[] = [];
  let root: ReturnType<typeof readRoot> | undefined;
  const fault = scanXml(text, (element, ancestors) => {
    root ??= readRoot(ancestors[0] ?? element);
    const { name } = element;
    const level = ancestors.length;
    const children = levels[level + 1] ?? (level === 0 ? {} : element.text);
    levels[level + 1] = undefined;
    const local = name.slice(name.indexOf(':') + 1);
    if (name !== root.prefix + local) return;
    const siblings = (levels[level] ??= {});
    // Of a name such as `__proto__` this is no list; `find` ignores what is not the object's own.
    const same = siblings[local];
    const value = level === 0 ? Object.assign(children, root.facts) : children;
    if (Array.isArray(same)) same.push(value);
    else siblings[local] = [value];
  });
  return { document: levels[0] ?? {}, root: root?.name, fault };
}

/** A root element, with the prefix of names in its namespace: with a colon, or empty. */
function readRoot({ name, attributes }: XmlElement) {
  const prefix = name.slice(0, name.indexOf(':') + 1);
  const found = attributes.slice(0, MAX_SEARCHED).matchAll(ATTRIBUTE);
  const values = new Map(Array.from(found, ([, key, , value]) => [key, value]));
  const namespace = values.get(prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`);
  return { name, prefix, facts: { '@namespace': namespace, '@version': values.get('version') } };
}

/** Whether a text contains the root's end tag; only comments and instructions may follow it. */
function hasEndTag(text: string, root: string): boolean {
  const tag = `</${root}`;
  const at = text.lastIndexOf(tag);
  return at >= 0 && /^\s*>/.test(text.slice(at + tag.length)) && text.endsWith('>');
}
