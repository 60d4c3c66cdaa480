/** A block of a document as GitHub reads it, as far as a job summary has any. */
export type Block =
  | { readonly kind: 'heading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'other'; readonly text: string };

const LINE_END = /\r\n|\r|\n/;
/** CommonMark 0.31, section 4.5: no backtick in the info string, no limit to the fence's length. */
const FENCE = /^ {0,3}(`{3,})[^`]*$/;
const DELIMITER_ROW = /^\|(?: *:?-+:? *\|)+$/;
/** What begins another block than a paragraph, where a line begins (CommonMark, section 4 and 5). */
const BLOCK_START =
  /^(?: {4}|\t| {0,3}(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|(?:[-_*]\s*){3,}$|~{3}|`{3}|=+\s*$|<|\[[^\]]+\]:))/;

/** Reads a document block by block; what is none of the kinds a summary may have is `other`. */
export function readBlocks(document: string): readonly Block[] {
  const lines = document.split(LINE_END);
  const blocks: Block[] = [];
  while (lines.length > 0) {
    if (lines[0]?.trim() === '') lines.shift();
    else blocks.push(readBlock(lines));
  }
  return blocks;
}

/** What a browser shows of character references. */
export function decodeReferences(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** Whether a line, alone, is a paragraph of plain words. */
export function isPlainLine(line: string): boolean {
  return !BLOCK_START.test(line) && !hasInlineMarkup(line);
}

/**
 * Whether GitHub would take any character of a line for markup: HTML, link, image, emphasis, code,
 * escape, named reference, autolink, mention, emoji, mathematics or a cell's end.
 */
export function hasInlineMarkup(line: string): boolean {
  const literal = line.replace(/&#\d{1,7};/g, '');
  return /[<>[\]!*_`~\\|@#$&]|:\/\/|www\.|:[\w+-]+:/i.test(literal);
}

function readBlock(lines: string[]): Block {
  const first = lines[0] ?? '';
  const fence = FENCE.exec(first)?.[1];
  if (fence !== undefined) return readCode(lines, fence.length);
  if (first.startsWith('|') && DELIMITER_ROW.test(lines[1] ?? '')) return readTable(lines);
  if (first.startsWith('- ')) return readList(lines);
  lines.shift();
  const heading = /^### (.*)$/.exec(first)?.[1];
  if (heading !== undefined) return { kind: 'heading', text: heading };
  if (BLOCK_START.test(first)) return { kind: 'other', text: first };
  const rest = takeWhile(lines, (line) => line.trim() !== '' && !BLOCK_START.test(line));
  return { kind: 'paragraph', text: [first, ...rest].join('\n') };
}

function readCode(lines: string[], fenceLength: number): Block {
  lines.shift();
  const closing = new RegExp(`^ {0,3}\`{${fenceLength},}[ \\t]*$`);
  const text = takeWhile(lines, (line) => !closing.test(line));
  lines.shift();
  return { kind: 'code', text: text.join('\n') };
}

function readTable(lines: string[]): Block {
  const rows = takeWhile(lines, (line) => line.trim() !== '').map(splitCells);
  return { kind: 'table', rows: rows.filter((_, index) => index !== 1) };
}

/** GitHub-flavoured markdown, section 4.10: cells end at every pipe that no backslash escapes. */
function splitCells(row: string): readonly string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function readList(lines: string[]): Block {
  const items = takeWhile(lines, (line) => line.startsWith('- '));
  return { kind: 'list', items: items.map((line) => line.slice('- '.length)) };
}

function takeWhile(lines: string[], wanted: (line: string) => boolean): readonly string[] {
  const end = lines.findIndex((line) => !wanted(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}
