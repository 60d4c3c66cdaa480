import { END_LENGTH } from './content.ts';
import type { Content, Sample } from './content.ts';
import { FORMATS } from './registry.ts';
import { readText } from './values.ts';

const HTML_PAGE = /^<(?:!doctype\s+)?html[\s>]/i;
/** A start tag, or the beginning of one at the end of a text, and its name. */
const START_TAG = /^<([\p{L}_][\p{L}\d_:.-]*)(?:[\s/][^<>]*)?(?:>|$)/u;

const COMPONENT = /[<:]component[\s/>]/;
const VULNERABILITIES = /[<:]vulnerabilities[\s/>]/;

/** Whether a text is a web page. */
export function isPage(text: string): boolean {
  return HTML_PAGE.test(skipProlog(text));
}

/**
 * Recognises a text that begins like an XML document by its root; undefined for anything else.
 * It is truncated if it lacks the root's end tag. Nothing is counted.
 */
export function inspectXml({ text, tail, size }: Sample): Content | undefined {
  const head = text.slice(0, END_LENGTH).trimStart();
  const rest = skipProlog(head);
  if (!head.startsWith('<') || HTML_PAGE.test(rest)) return undefined;
  const [tag = '', name = ''] = START_TAG.exec(rest) ?? [];
  const after = tag.endsWith('/>') ? '' : readAfter((tail ?? text).slice(-END_LENGTH), name);
  // Comments and instructions may follow.
  const isWhole = after !== undefined && ['', '<'].includes(after.charAt(0));
  if (!isWhole && !isXml(head, rest, tag)) return undefined;
  const root = recogniseRoot(tag);
  const isSbom = root.format === 'cyclonedx' && COMPONENT.test(text) && !VULNERABILITIES.test(text);
  const content: Content = {
    ...root,
    syntax: 'xml',
    inspected: 'partial',
    role: isSbom && tail === undefined ? 'SBOM' : undefined,
  };
  if (isWhole) return content;
  if (after !== undefined) {
    return { ...content, kind: 'trailing', problem: 'has other text after its XML' };
  }
  const problem = `is truncated: its XML ends too early, at byte ${size}`;
  return { ...content, kind: 'truncated', problem };
}

/**
 * The text after what may precede a root (XML 1.0, 2.8): a declaration, instructions, comments and a document type, but for
 * a page's. It is empty if it ends in one of them.
 */
function skipProlog(text: string): string {
  let rest = text.trimStart();
  while (!HTML_PAGE.test(rest)) {
    const end = findEnd(rest);
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    if (at < 0) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
  return rest;
}

/** What ends a declaration or an instruction, a comment or a document type; undefined for any other text. */
function findEnd(text: string): string | undefined {
  const start = text.slice(0, 9).toLowerCase();
  if (start.startsWith('<?')) return '?>';
  if (start.startsWith('<!--')) return '-->';
  if (start !== '<!doctype') return undefined;
  // A document type may contain declarations.
  const [declaration = ''] = text.split('>', 1);
  return declaration.includes('[') ? ']>' : '>';
}

/**
 * Whether a text that does not end with the root is XML: it ends in its prolog (`rest` is what follows that), or has a start
 * tag after a prolog or before another tag. A plain text may begin with a comment, or like a tag (`<stdin>:3: a`).
 */
function isXml(text: string, rest: string, tag: string): boolean {
  if (rest === '') return true;
  const after = rest.slice(tag.length).trimStart();
  return tag !== '' && (rest !== text || after === '' || after.startsWith('<'));
}

/** The format of a root by its start tag, and the version in it. */
function recogniseRoot(startTag: string): Pick<Content, 'format' | 'specVersion'> {
  const known = FORMATS.find(({ xml }) => xml !== undefined && startTag.includes(xml));
  if (known?.xml === undefined) return { format: 'xml' };
  const [, after = ''] = startTag.split(known.xml);
  const [specVersion] = /^[\d.]*\d/.exec(readText(after) ?? '') ?? [];
  return { format: known.name, specVersion };
}

/** What follows the end tag of the root, without white space; undefined if a text has no such tag. */
function readAfter(text: string, root: string): string | undefined {
  const at = text.lastIndexOf(`</${root}`);
  if (root === '' || at < 0) return undefined;
  const rest = text.slice(at + 2 + root.length).trimStart();
  return rest.startsWith('>') ? rest.slice(1).trimStart() : undefined;
}
