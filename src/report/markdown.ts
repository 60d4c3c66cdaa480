// The summary must look the same on GitHub (cmark-gfm) and Gitea (goldmark with its table extension, then
// a sanitizer), so it uses only paragraphs, lists, fences, tables and inline code. Both search the finished
// HTML for mentions, issues, commits and addresses, except in code (github/cmark-gfm issue 181; Gitea,
// modules/markup/html.go, visitNode). So foreign text is written as code.

import { joinSafe, replaceSafe, safe, splitSafe, toLine } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';

const NOTHING = safe``;
const LINE = safe`\n`;
/** What stands between spaces and the marks around words. */
const WORD = /[^\s(),;"]+/g;
/** Words and the marks of sentences. */
const PLAIN = /^[\p{L}\p{M}\d.:!?'’…–%-]*$/u;
/** What may become a link even so: `:smile:`, a name of a host, `!12`, `GH-12`, a commit. */
const LINKED = /[.:!][^\s\d)'"]|[!-]\d|\b[\da-f]{7,}\b/i;
/** What is code on its own: between backticks or quotes, or an address. */
const MARKED = /(`[^`]+`|(?<!\S)'[^']*'|https?:\/\/[^\s`]*[^\s`.,;:)])/;

/** A text as inline code in one line, which a cell of a table may contain. */
export function writeCode(text: SafeText): SafeText {
  return markCode(replaceSafe(toLine(text), /\s+/g, () => safe` `));
}

function markCode(line: SafeText): SafeText {
  // Renderers differ in where a cell with a pipe ends, and code with backticks needs longer marks.
  if (/[`|]/.test(line)) return escapeCode(line);
  return line === '' ? line : safe`\`${line}\``;
}

function escapeCode(line: SafeText): SafeText {
  const escaped = replaceSafe(
    line,
    /[\p{P}\p{S}]/gu,
    (mark) => safe`&#${mark.codePointAt(0) ?? 0};`,
  );
  return safe`<code>${escaped}</code>`;
}

/** A sentence in one line: what is marked in it is code, and so is all that is no word. */
export function writeSentence(text: SafeText): SafeText {
  return joinSafe(splitSafe(toLine(text), MARKED).map(writePiece), NOTHING);
}

/** A piece of a sentence; every second one was marked. */
function writePiece(piece: SafeText, index: number): SafeText {
  if (index % 2 === 1) return writeCode(replaceSafe(piece, /`/g, () => NOTHING));
  return replaceSafe(piece, WORD, (word) =>
    PLAIN.test(word) && !LINKED.test(word) ? word : markCode(word),
  );
}

/** A text as a code block; its fence has more backticks than any run of backticks in the text. */
export function writeFence(text: SafeText): SafeText {
  const runs = text.match(/`+/g) ?? [];
  const length = Math.max(3, ...runs.map((run) => run.length + 1));
  const marks = joinSafe(
    Array.from({ length }, () => safe`\``),
    NOTHING,
  );
  return safe`${marks}text\n${text}\n${marks}`;
}

export function writeList(items: readonly SafeText[]): SafeText {
  const lines = items.map((item) => safe`- ${item}`);
  return joinSafe(lines, LINE);
}

/** A table of columns without those that have no text; empty if none has. A column is its heading, alignment and cells. */
export function writeTable(columns: readonly (readonly SafeText[])[]): SafeText {
  const shown = columns.filter(([, , ...cells]) => cells.some((cell) => cell !== ''));
  const lines = (shown[0] ?? []).map((_, line) =>
    shown.reduce((row, column) => safe`${row} ${column[line] ?? NOTHING} |`, safe`|`),
  );
  return joinSafe(lines, LINE);
}
