// The summary must look the same on GitHub (cmark-gfm) and Gitea (goldmark with its table extension, then
// a sanitizer), so it uses only paragraphs, lists, fences, tables and inline code. Both search the finished
// HTML for mentions, issues, commits and addresses, except in code (github/cmark-gfm issue 181; Gitea,
// modules/markup/html.go, visitNode). So foreign text is written as code.

import { joinWhiteSpace } from '../text.ts';
import { showText } from '../redaction/gate.ts';

/** Our own inline code, an input perhaps with its value; or a word between quotes, brackets and full stops. */
const WORD =
  /(\(?`[\w:=./-]+(?: [\w:=./@+-]+)*`[.,;:)]*)(?!\S)|(?<!\S)(["'(]*)(\S*?)([)"'.,:;!?]*)(?!\S)/g;
/** Letters, with hyphens or apostrophes between them, or a short number or version. */
const PLAIN_WORD = /^(?:[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*|\d{1,6}(?:[.,]\d{1,6})*)?$/u;
/** A word that may be an abbreviated commit, or with a full stop the start of an address. */
const LINKED = /\b[\da-f]{7,}\b|^www$/i;

/** A text as inline code in one line, which a cell of a table may contain. */
export function escapeCode(text: string): string {
  return markCode(showText(joinWhiteSpace(text)));
}

function markCode(line: string): string {
  // Renderers differ in where a cell with a pipe ends, and code with backticks needs longer marks.
  if (!/[`|]/.test(line)) return line === '' ? '' : `\`${line}\``;
  return `<code>${line.replace(/[\p{P}\p{S}]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`;
}

/** A text as one line, in which everything but plain words and our own inline code is inline code. */
export function escapeWords(text: string): string {
  const line = showText(joinWhiteSpace(text));
  if (/^\d+[.)]/.test(line)) return markCode(line); // It would begin a list.
  return line.replace(
    WORD,
    (whole, own: string | undefined, before: string, word: string, after: string) =>
      own !== undefined || (PLAIN_WORD.test(word) && !LINKED.test(word))
        ? whole
        : `${before}${markCode(word)}${after}`,
  );
}

/** A text as a code block; its fence has more backticks than any run of backticks in the text. */
export function fence(text: string): string {
  const shown = showText(text);
  const runs = shown.match(/`+/g) ?? [];
  const marks = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return `${marks}text\n${shown}\n${marks}`;
}

/** A table of columns without those that have no text; empty if none has. A column is its heading, alignment and cells. */
export function makeTable(columns: readonly (readonly string[])[]): string {
  const shown = columns.filter(([, , ...cells]) => cells.some((cell) => cell !== ''));
  const lines = (shown[0] ?? []).map((_, line) => shown.map((column) => column[line]));
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
