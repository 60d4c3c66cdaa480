// The summary must look the same on GitHub (cmark-gfm) and Gitea (goldmark with its table extension, then
// a sanitizer), so it uses only paragraphs, lists, fences, tables and inline code. Both search the finished
// HTML for mentions, issues, commits and addresses, except in code (github/cmark-gfm issue 181; Gitea,
// modules/markup/html.go, visitNode). So foreign text is written as code.

import { EMPTY, joinSafe, replaceSafe, safe, splitSafe, toLine } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';

/** What is code on its own: between backticks or quotes. */
const MARKED = /(`[^`]+`|(?<!\S)'[^']*')/;
/** What stands between spaces and the marks of sentences. */
const SENTENCE_WORD = /[^\s(),;"]*[^\s(),;".:!?…]/g;
/** A word of letters, one with digits, a number or a time; but not what may be a commit. */
const PLAIN = /^(?![\da-f]{7})(?:[\p{L}\p{M}'’–%-]+|[\p{L}\p{M}\d]+|v?[\d.:]+)$/iu;

/** A text as inline code in one line, which a cell of a table may contain. */
export function writeCode(text: SafeText): SafeText {
  return markCode(toLine(text));
}

function markCode(line: SafeText): SafeText {
  if (line === '') return line;
  // Renderers differ in where a cell with a pipe ends, and code with backticks needs longer marks.
  if (!/[`|]/.test(line)) return safe`\`${line}\``;
  const escaped = replaceSafe(
    line,
    /[\p{P}\p{S}]/gu,
    (mark) => safe`&#${mark.codePointAt(0) ?? 0};`,
  );
  return safe`<code>${escaped}</code>`;
}

/** A sentence in one line: what is marked in it is code, and so is all that is no word. */
export function writeSentence(text: SafeText): SafeText {
  return joinSafe(splitSafe(toLine(text), MARKED).map(writePiece), EMPTY);
}

/** A piece of a sentence; every second one was marked. */
function writePiece(piece: SafeText, index: number): SafeText {
  return index % 2 === 1
    ? writeCode(replaceSafe(piece, /`/g, () => EMPTY))
    : replaceSafe(piece, SENTENCE_WORD, (word) => (PLAIN.test(word) ? word : markCode(word)));
}

/** A text as a code block; its fence is longer than any run of backticks in the text. */
export function writeFence(text: SafeText): SafeText {
  let marks = safe`\`\`\``;
  while (text.includes(marks)) marks = safe`${marks}${marks}`;
  return safe`${marks}text\n${text}\n${marks}`;
}

export function writeList(items: readonly SafeText[]): SafeText {
  return joinSafe(
    items.map((item) => safe`- ${item}`),
    safe`\n`,
  );
}

/** A table of columns without those that have no text; empty if none has. A column is its heading, alignment and cells. */
export function writeTable(columns: readonly (readonly SafeText[])[]): SafeText {
  const shown = columns.filter(([, , ...cells]) => cells.some((cell) => cell !== ''));
  const lines = (shown[0] ?? []).map((_, line) =>
    shown.reduce((row, column) => safe`${row} ${column[line] ?? EMPTY} |`, safe`|`),
  );
  return joinSafe(lines, safe`\n`);
}
