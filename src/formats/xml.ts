import { END_LENGTH } from './content.ts';
import type { Content, Sample } from './content.ts';
import { FORMATS } from './registry.ts';

/** What may stand before the root, in lower case, and where it ends. A document type may contain declarations. */
const PROLOG: readonly (readonly [string, RegExp])[] = [
  ['<?xml', /\?>/],
  ['<!--', /-->/],
  ['<!doctype', /^[^[>]*(?:>|\[[^]*?\]\s*>)/],
];
const PAGE = /^<(?:!doctype\s+)?html[\s>]/i;
/** A start tag, or the beginning of one at the end of a text. */
const TAG = /^<[^<>]*(?:>|$)/;
const NAME = /^[a-z_\x80-\uffff][\w:.\x80-\uffff-]*$/i;

const COMPONENT = /[<:]component[\s/>]/;
const VULNERABILITIES = /[<:]vulnerabilities[\s/>]/;

/** Whether a text is a web page. */
export function isPage(text: string): boolean {
  return PAGE.test(skipProlog(text) ?? '');
}

/**
 * Recognises a text that begins like an XML document by its root; undefined for anything else.
 * It is truncated if the root's end tag is not at its end. Nothing is counted.
 */
export function inspectXml({ text, tail, size }: Sample): Content | undefined {
  const head = text.slice(0, END_LENGTH);
  const rest = skipProlog(head);
  if (PAGE.test(rest ?? '')) return undefined;
  const [found = ''] = TAG.exec(rest ?? '') ?? [];
  const [, name = ''] = found.split(/[<\s/>]/, 2);
  const tag = NAME.test(name) ? found : '';
  const isEnded = tag.endsWith('/>') || hasEndTag((tail ?? text).slice(-END_LENGTH), name);
  if (!isEnded && !isBegun(head.trimStart(), rest, tag)) return undefined;
  const root = recogniseRoot(tag);
  const isSbom = root.format === 'cyclonedx' && COMPONENT.test(text) && !VULNERABILITIES.test(text);
  const problem = `is truncated: its XML ends too early, at byte ${size}`;
  return {
    ...root,
    syntax: 'xml',
    inspected: 'partial',
    ...(isSbom && tail === undefined && { isSbom }),
    ...(!isEnded && { fault: 'truncated', problem }),
  };
}

/** The text after a declaration, comments and a document type, but for a page's; undefined if one of them does not end. */
function skipProlog(text: string): string | undefined {
  let rest = text.trimStart();
  while (!PAGE.test(rest)) {
    const start = rest.slice(0, 9).toLowerCase();
    const [, end] = PROLOG.find(([begin]) => start.startsWith(begin)) ?? [];
    if (end === undefined) return rest;
    const found = end.exec(rest);
    if (found === null) return undefined;
    rest = rest.slice(found.index + found[0].length).trimStart();
  }
  return rest;
}

/**
 * Whether a text without the end tag of a root is XML that is truncated: in what stands before the root (`rest` is what
 * follows that), or after the root's start tag. A plain text may begin with a comment, or like a tag (`<stdin>:3: a`).
 */
function isBegun(text: string, rest: string | undefined, tag: string): boolean {
  if (rest === undefined || (rest === '' && text !== '')) return true;
  const isAfterProlog = rest !== text;
  return tag !== '' && (isAfterProlog || /^\s*(?:<|$)/.test(rest.slice(tag.length)));
}

/** The format of a root by its start tag, and the version in it. */
function recogniseRoot(startTag: string): Pick<Content, 'format' | 'specVersion'> {
  const known = FORMATS.find(({ xml }) => xml !== undefined && startTag.includes(xml));
  if (known?.xml === undefined) return { format: 'xml' };
  const [, after = ''] = startTag.split(known.xml);
  const [specVersion] = /^[\d.]*\d/.exec(after) ?? [];
  return { format: known.name, ...(specVersion !== undefined && { specVersion }) };
}

/** Whether a text ends with the end tag of the root; only comments and instructions may follow it. */
function hasEndTag(text: string, root: string): boolean {
  const at = text.lastIndexOf(`</${root}`);
  if (root === '' || at < 0) return false;
  return /^\s*>/.test(text.slice(at + 2 + root.length)) && text.trimEnd().endsWith('>');
}
