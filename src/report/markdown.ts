// The summary must look the same on GitHub (cmark-gfm) and Gitea (goldmark with its table extension, then
// a sanitizer), so it uses only paragraphs, lists, tables and inline code. Both search the finished
// HTML for mentions, issues, commits and addresses, except in code (github/cmark-gfm issue 181; Gitea,
// modules/markup/html.go, visitNode). So foreign text is written as code.

import { show } from '../redaction/show.ts';
import { joinLines, listLines } from '../text.ts';

/** Marks files with warnings, and warnings. */
export const WARNED = '⚠️';

/** What begins a list, a quotation, a heading or a line at the start of a text: a number with a mark, or marks alone. */
const BLOCK_START = /^(?:\d+[.)]|[-+*=_#>]+)(?=\s|$)/;
/** What is code on its own: between backticks or quotes. */
const MARKED = /(`[^`]+`|(?<!\S)'[^']*')/;
/** What stands between spaces and the marks of sentences. It begins no marks twice: their number may be large. */
const SENTENCE_WORD = /(?<![.:!?…])(?:[.:!?…]*[^\s(),;".:!?…]+)+/g;
/** A word of letters, one with digits, a number or a time; but not what may be a commit or the emoji `:100:`. */
const PLAIN = /^(?!.*(?:\b[\da-f]{7}|:\d{3}))(?:[\p{L}\p{M}'’–%-]+|[\p{L}\p{M}\d]+|v?[\d.:]+)$/iu;

/** A text as inline code in one line, which a cell of a table may contain. */
export function writeCode(text: string): string {
  return markCode(show(joinLines(text)));
}

function markCode(line: string): string {
  if (line === '') return line;
  // Renderers differ in where a cell with a pipe ends, and code with backticks needs longer marks.
  if (!/[`|]/.test(line)) return `\`${line}\``;
  const escaped = line.replace(/[\p{P}\p{S}]/gu, (mark) => `&#${mark.codePointAt(0) ?? 0};`);
  return `<code>${escaped}</code>`;
}

/** A sentence in one line: what is marked in it is code, and so is all that is no word, or would begin a block. */
export function writeSentence(text: string): string {
  const line = show(joinLines(text));
  const [start = ''] = BLOCK_START.exec(line) ?? [];
  return `${markCode(start)}${line.slice(start.length).split(MARKED).map(writePiece).join('')}`;
}

/** A piece of a sentence; every second one was marked. */
function writePiece(piece: string, index: number): string {
  return index % 2 === 1
    ? markCode(piece.replace(/^`|`$/g, ''))
    : piece.replace(SENTENCE_WORD, (word) => (PLAIN.test(word) ? word : markCode(word)));
}

/** A long text as code, with its lines unless a secret may go over them. */
export function writeLines(text: string): string {
  const line = joinLines(text);
  const lines = show(line) === line ? listLines(text) : [line];
  return lines.map(writeCode).join('\\\n');
}

/** A list of items in Markdown. */
export function writeList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A column of a table: its heading, and its cells as Markdown. */
interface Column {
  readonly heading: string;
  readonly isNumber?: boolean;
  readonly cells: readonly string[];
}

/** The lines of a table: headings, alignment, rows. No lines if it has no rows. */
export function writeTable(columns: readonly Column[]): readonly string[] {
  const rows = columns.map(({ heading, isNumber, cells }) => {
    return [heading, isNumber ? '---:' : ':---', ...cells];
  });
  const [first = []] = rows;
  if (first.length === 2) return [];
  return first.map((_, line) => `| ${rows.map((cells) => cells[line] ?? '').join(' | ')} |`);
}

/** What is folded under a title; empty if nothing is. */
export function writeFold(title: string, markdown: string): string {
  return markdown === '' ? '' : `<details><summary>${title}</summary>\n\n${markdown}\n\n</details>`;
}
