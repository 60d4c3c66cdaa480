// The summary must look the same on GitHub (cmark-gfm) and Gitea (goldmark with its table extension, then
// a sanitizer), so it uses only paragraphs, lists, fences, tables and inline code. Both search the finished
// HTML for mentions, issues, commits and addresses, except in code (github/cmark-gfm issue 181; Gitea,
// modules/markup/html.go, visitNode). So foreign text is written as code.

import { joinWhiteSpace } from '../text.ts';

/** Our own inline code, an input perhaps with its value; or a word between quotes, brackets and full stops. */
const WORD =
  /(\(?`[\w:=-]+(?: [\w:=-]+)*`[.,;:)]*)(?!\S)|(?<!\S)(["'(]*)(\S*?)([)"'.,:;!?]*)(?!\S)/g;
/** Letters, with hyphens or apostrophes between them, or a short number or version. */
const PLAIN_WORD = /^(?:[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*|\d{1,6}(?:[.,]\d{1,6})*)?$/u;
/** A word that may be an abbreviated commit. */
const COMMIT = /\b[\da-f]{7,}\b/i;

/** A column of a table; heading and cells are markdown without pipes. */
export interface Column {
  readonly heading: string;
  readonly align?: 'right' | undefined;
  readonly cells: readonly string[];
}

/** A text as inline code in one line, which a cell of a table may contain. */
export function escapeCode(text: string): string {
  const line = joinWhiteSpace(text);
  // Renderers differ in where a cell with a pipe ends, and code with backticks needs longer marks.
  if (!/[`|]/.test(line)) return line === '' ? '' : `\`${line}\``;
  return `<code>${line.replace(/[\p{P}\p{S}]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`;
}

/** A text as one line, in which everything but plain words and our own inline code is inline code. */
export function escapeWords(text: string): string {
  const line = joinWhiteSpace(text);
  if (/^\d+[.)]/.test(line)) return escapeCode(line); // It would begin a list.
  return line.replace(
    WORD,
    (whole, own: string | undefined, before: string, word: string, after: string) =>
      own !== undefined || (PLAIN_WORD.test(word) && !COMMIT.test(word))
        ? whole
        : `${before}${escapeCode(word)}${after}`,
  );
}

/** A foreign text as a code block; its fence has more backticks than any run of backticks in the text. */
export function fence(text: string): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  const marks = '`'.repeat(runs.reduce((most, length) => Math.max(most, length), 2) + 1);
  return `${marks}text\n${text}\n${marks}`;
}

/** A table without the columns that have no text; empty if none has. */
export function makeTable(columns: readonly Column[]): string {
  const shown = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const rows = (shown[0]?.cells ?? []).map((_, row) => shown.map(({ cells }) => cells[row] ?? ''));
  if (shown.length === 0) return '';
  const lines = [
    shown.map(({ heading }) => heading),
    shown.map(({ align }) => (align === 'right' ? '---:' : ':---')),
    ...rows,
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
