import { clean } from '../redaction/clean.ts';
import { cutText, listLines, stripInvisible } from '../text.ts';

/** The longest text that is shown; the runner truncates annotations at 4,096 characters. */
export const MAX_SHOWN_CHARACTERS = 4000;
/** The longest headline; most of it may be foreign text. */
export const MAX_HEADLINE_CHARACTERS = 1000;

/** A line is left out rather than cut to fewer characters than this. */
const MIN_LINE_CHARACTERS = 20;

/**
 * Breaks what the runner would read as a command: `::name::` at the start of a line, also after white
 * space, and `##[name]` anywhere in a line.
 */
export function breakCommands(text: string): string {
  return text.replace(/^([\t\p{Zs}]*):(?=:)/gmu, '$1: ').replaceAll('##[', '## [');
}

/** Cuts a text that may contain a secret of the author in the wrong input: see `dropCutWord`. */
export function cutWhole(text: string, maxCharacters: number): string {
  return dropCutWord(cutText(text, maxCharacters));
}

/**
 * Drops the word in which a text was cut. It may be a secret, and the runner masks only whole secrets.
 */
export function dropCutWord(text: string): string {
  if (!text.endsWith(' …')) return text;
  let end = text.length - 2;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** The first lines that have at most `maxCharacters` together, line breaks included; the last one may be cut. */
export function cutLines(lines: readonly string[], maxCharacters: number): readonly string[] {
  let room = maxCharacters;
  return lines.flatMap((line) => {
    if (room < MIN_LINE_CHARACTERS && line.length > room) return [];
    const shown = cutText(line, room);
    room -= shown.length + 1;
    return [shown];
  });
}

/** A text that can be written anywhere: without invisible characters and runner commands, and not too long. */
export function showText(text: string): string {
  return cutText(breakCommands(stripInvisible(text)), MAX_SHOWN_CHARACTERS);
}

/** Joins the lines of a clean text to one line; a secret with spaces may have been divided by a line break. */
export function joinLines(text: string): string {
  return clean(listLines(text).join(' '));
}
