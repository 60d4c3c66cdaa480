// What this writes has to be the same to GitHub (cmark-gfm) and to Gitea (goldmark with its table
// extension, then a sanitizer that lets <code> stand): paragraphs, lists, fences, tables and <code>.
// Both look for mentions, issues, commits, e-mail and web addresses in the text of the finished HTML,
// where character references are characters again, and leave out only what is in <code> and <pre>
// (github/cmark-gfm issue 181; Gitea, modules/markup/html.go, visitNode). So references keep foreign
// text from becoming markup, and <code> keeps it from becoming a link.

import { joinWhiteSpace } from '../text.ts';

/** Letters, with hyphens or apostrophes between them, or a short number or version. */
const PLAIN_WORD = /^(?:[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*|\d{1,6}(?:[.,]\d{1,6})*)?$/u;
/** What may be an abbreviated commit. */
const COMMIT = /\b[\da-f]{7,}\b/i;

/** A column of a table; heading and cells are markdown. */
export interface Column {
  readonly heading: string;
  readonly align?: 'right';
  readonly cells: readonly string[];
}

/**
 * A text as one line without markup. Punctuation goes out as numeric character references,
 * which markdown never takes for structure (CommonMark, section 2.5): no table, link, image or HTML
 * can come of it. It may still hold what is linked afterwards: a mention, an address.
 */
export function escapeText(text: string): string {
  // A hyphen means something only where it begins a line: a list, or a rule.
  return joinWhiteSpace(text).replace(
    /^-|[!#-&(-+./:-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** A foreign text as inline code, where not even a mention or an issue number becomes a link. */
export function escapeCode(text: string): string {
  return `<code>${escapeText(text)}</code>`;
}

/** A foreign text as a line of words; what is no plain word stands in it as inline code. */
export function escapeWords(text: string): string {
  return joinWhiteSpace(text).split(' ').map(escapeWord).join(' ');
}

function escapeWord(word: string): string {
  const [, before = '', core = '', after = ''] = /^(["'(]*)(.*?)([)"'.,:;!?]*)$/.exec(word) ?? [];
  const isPlain = PLAIN_WORD.test(core) && !COMMIT.test(core);
  const shown = isPlain ? escapeText(core) : escapeCode(core);
  return `${escapeText(before)}${shown}${escapeText(after)}`;
}

/** A foreign text as a code block, fenced by more backticks than occur in a row in it. */
export function fence(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}text\n${text}\n${marks}`;
}

/** A table of columns of the same length; a column without any text is left out. */
export function makeTable(columns: readonly Column[]): string {
  const shown = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const rows = (shown[0]?.cells ?? []).map((_, row) => shown.map(({ cells }) => cells[row] ?? ''));
  const lines = [
    shown.map(({ heading }) => heading),
    shown.map(({ align }) => (align === 'right' ? '---:' : ':---')),
    ...rows,
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
