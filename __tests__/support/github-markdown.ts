import { expect } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** A piece of a document as in a browser: an element, or text with its references decoded. */
type Piece = string | Element;

interface Element {
  readonly name: string;
  /** As it is written, with its attributes. */
  readonly tag: string;
  readonly children: readonly Piece[];
}

const VOID_ELEMENTS = ['br', 'hr', 'img', 'input'];
/** A tag, a `<` that starts no tag, or text. */
const TOKEN = /<(\/?)([a-z][a-z\d]*)(?=[\s/>])[^<>]*>|<|[^<]+/gi;
const REFERENCES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** What GitHub or Gitea make of text outside of code: links or other markup. */
const LINKED: readonly (readonly [string, RegExp])[] = [
  ['a mention', /@\w/],
  ['an issue', /[#!]\d/],
  ['an issue of another tracker, such as SHA-1', /\b[a-z]{1,10}-\d/iu],
  ['a commit', /\b[\da-f]{7,}\b/iu],
  ['an address', /:\/\/|\b(?:www\.[\p{L}\d]|mailto:\S)/iu],
  ['a page of a wiki', /\[\[/],
  ['an emoji', /:[-+\w]+:/],
  ['mathematics', /\$/],
];

/** Renders a document as GitHub does, but keeps all HTML in it, and parses the result. */
export function renderMarkdown(markdown: string): readonly Piece[] {
  return parseHtml(
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [makeHtmlExtension()],
    }),
  );
}

/** GitHub's extensions without the tag filter, which would show a `<script>` as text. */
function makeHtmlExtension(): ReturnType<typeof gfmHtml> {
  const { exit, ...others } = gfmHtml();
  const { htmlFlowData: _flow, htmlTextData: _text, ...handlers } = exit ?? {};
  return { ...others, exit: handlers };
}

/** Parses balanced HTML. A `<` that starts no tag becomes an element named `<`. */
function parseHtml(html: string): readonly Piece[] {
  const root: Piece[] = [];
  const open: { readonly name: string; readonly children: Piece[] }[] = [
    { name: '', children: root },
  ];
  for (const [token, slash, tag] of html.matchAll(TOKEN)) {
    const children = open.at(-1)?.children ?? root;
    const name = tag?.toLowerCase() ?? '<';
    if (!token.startsWith('<')) children.push(decode(token));
    else if (slash === '/') {
      if (open.pop()?.name !== name) throw new Error(`unbalanced: ${token} in ${html}`);
    } else {
      const element = { name, tag: token, children: [] };
      children.push(element);
      if (name !== '<' && !VOID_ELEMENTS.includes(name)) open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`not closed: ${open.at(-1)?.name} in ${html}`);
  return root;
}

function decode(text: string): string {
  const references = Object.entries(REFERENCES);
  return references.reduce((result, [reference, mark]) => result.replaceAll(reference, mark), text);
}

/** The text of a document or of a part of it. */
export function readText(...pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : readText(...piece.children)))
    .join('');
}

/** The blocks of a document, without the line ends between them. */
function listBlocks(pieces: readonly Piece[]): readonly Element[] {
  return pieces.flatMap((piece) => {
    if (typeof piece !== 'string') return [piece];
    return piece.trim() === '' ? [] : [{ name: '#text', tag: '', children: [piece] }];
  });
}

/** All elements with these names (with any name, if none is given), in document order. */
export function findElements(
  pieces: readonly Piece[],
  ...names: readonly string[]
): readonly Element[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return [];
    const isWanted = names.length === 0 || names.includes(piece.name);
    return [...(isWanted ? [piece] : []), ...findElements(piece.children, ...names)];
  });
}

/** The texts of all cells of a table by row, with the headings first. */
export function readTable(table: Element | undefined): readonly (readonly string[])[] {
  return findElements(table?.children ?? [], 'tr').map(({ children }) =>
    findElements(children, 'th', 'td').map((cell) => readText(cell).replaceAll('\u00a0', ' ')),
  );
}

/** The texts outside of code that GitHub or Gitea would change: where they are, and what they would be. */
function listLinked(pieces: readonly Piece[], parent = 'text'): readonly string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece !== 'string') {
      return piece.name === 'code' ? [] : listLinked(piece.children, piece.name);
    }
    const found = LINKED.filter(([, pattern]) => pattern.test(piece));
    return found.map(([what]) => `${parent} '${piece}' has ${what}`);
  });
}

/** The tags that a summary may contain. */
const TAGS = [
  ...'h3 h4 p strong ul li pre code table thead tbody tr th td details summary'.split(' '),
  'br /',
  ...['th', 'td'].flatMap((name) => [`${name} align="left"`, `${name} align="right"`]),
].map((tag) => `<${tag}>`);

/** Renders a summary, and checks that it has no unexpected elements. Returns its blocks. */
export function expectClean(summary: string): readonly Element[] {
  const pieces = renderMarkdown(summary);
  expect(findElements(pieces).filter(({ tag }) => !TAGS.includes(tag))).toEqual([]);
  expect(listLinked(pieces)).toEqual([]);
  return listBlocks(pieces);
}
