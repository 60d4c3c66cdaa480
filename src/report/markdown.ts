// The summary must look the same on GitHub (cmark-gfm) and Gitea (goldmark with its table extension, then
// a sanitizer), so it uses only paragraphs, lists, fences, tables and inline code. Both search the finished
// HTML for mentions, issues, commits and addresses, except in code (github/cmark-gfm issue 181; Gitea,
// modules/markup/html.go, visitNode). So foreign text is written as inline code, where nothing becomes
// markup or a link.

import { joinWhiteSpace } from '../text.ts';

/** Letters, with hyphens or apostrophes between them, or a short number or version. */
const PLAIN_WORD = /^(?:[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*|\d{1,6}(?:[.,]\d{1,6})*)?$/u;
/** A word that may be an abbreviated commit. */
const COMMIT = /\b[\da-f]{7,}\b/i;
/** Inline code in our own sentences: an input, perhaps with its value. It needs no escaping. */
const CODE = /(?<=(?:^|\s)\(?)(`[\w:=-]+(?: [\w:=-]+)*`)(?=[.,;:)]*(?:\s|$))/;
/** What may stand after a word. */
const CLOSING_MARKS = `)"'.,:;!?`;
/** The beginning of a line that would make it a list. */
const LIST_MARK = /^\d+[.)]/;

/** A column of a table; heading and cells are markdown. */
export interface Column {
  readonly heading: string;
  readonly align?: 'right';
  readonly cells: readonly string[];
}

/** A text as inline code (CommonMark, section 6.1), in one line. */
export function escapeCode(text: string): string {
  const line = joinWhiteSpace(text);
  if (line === '') return '';
  if (line.includes(String.raw`\|`)) return escapeAsHtml(line);
  const marks = '`'.repeat(countMarks(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${space}${line}${space}${marks}`;
}

/** For cells with a backslash before a pipe: renderers differ in where such a cell ends. */
function escapeAsHtml(line: string): string {
  const escaped = line.replace(/[\p{P}\p{S}]/gu, (mark) => `&#${mark.codePointAt(0)};`);
  return `<code>${escaped}</code>`;
}

/** A foreign text as one line, in which everything but plain words is inline code; `space` is between words. */
export function escapeWords(text: string, space = ' '): string {
  const line = joinWhiteSpace(text);
  if (LIST_MARK.test(line)) return escapeCode(line);
  const pieces = line
    .split(CODE)
    .map((piece, index) => (index % 2 === 1 ? piece : escapeAll(piece, space)));
  return pieces.join('');
}

function escapeAll(words: string, space: string): string {
  return words.split(' ').map(escapeWord).join(space);
}

function escapeWord(word: string): string {
  const [before = ''] = /^["'(]*/.exec(word) ?? [];
  let end = word.length;
  while (end > before.length && CLOSING_MARKS.includes(word.charAt(end - 1))) end -= 1;
  const core = word.slice(before.length, end);
  const isPlain = PLAIN_WORD.test(core) && !COMMIT.test(core);
  return `${before}${isPlain ? core : escapeCode(core)}${word.slice(end)}`;
}

/** A foreign text as a code block; its fence has more backticks than any run of backticks in the text. */
export function fence(text: string): string {
  const marks = '`'.repeat(Math.max(countMarks(text), 2) + 1);
  return `${marks}text\n${text}\n${marks}`;
}

/** A table; all columns have the same length, and a column without any text is left out. */
export function makeTable(columns: readonly Column[]): string {
  const shown = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const rows = (shown[0]?.cells ?? []).map((_, row) => shown.map(({ cells }) => cells[row] ?? ''));
  const lines = [
    shown.map(({ heading }) => heading),
    shown.map(({ align }) => (align === 'right' ? '---:' : ':---')),
    // GFM, section 4.10: a pipe ends a cell even inside code, unless a backslash is before it.
    ...rows.map((cells) => cells.map((cell) => cell.replaceAll('|', String.raw`\|`))),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The length of the longest run of backticks. */
function countMarks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
