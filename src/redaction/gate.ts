import { mapJson } from '../json.ts';
import { clean } from './clean.ts';
import { cutText } from '../text.ts';

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

/** The first lines that have at most `maxCharacters` together, line breaks included; the last one may be cut. */
export function cutLines(
  lines: readonly string[],
  maxCharacters: number,
  cut: typeof cutText = cutText,
): readonly string[] {
  let room = maxCharacters;
  return lines.flatMap((line) => {
    if (room < MIN_LINE_CHARACTERS && line.length > room) return [];
    const shown = cut(line, room);
    room -= shown.length + 1;
    return [shown];
  });
}

/**
 * A text that can be written anywhere: without secrets, invisible characters and runner commands, and not too long.
 * All texts leave here, or by `showValue`.
 */
export function showText(text: string): string {
  return cutText(breakCommands(clean(text)), MAX_SHOWN_CHARACTERS);
}

/** Each of several texts as it is shown. */
export function showTexts(texts: readonly string[]): readonly string[] {
  return texts.map((text) => showText(text));
}

/** Members of results that are words of the action itself, keys or digests: with a secret in them they mean nothing. */
const OWN = /^(?:scanKey|result|reason|operation|part|sha256|format|inspected)$/;

/** A value of results, the same for its texts but not cut. A path must be that of the file, even with commands. */
export function showValue(value: unknown): unknown {
  return mapJson(value, (leaf, name) => {
    // Names of members are our own.
    if (typeof leaf === 'number' || name === '' || OWN.test(name)) return leaf;
    return name === 'path' ? clean(leaf) : breakCommands(clean(leaf));
  });
}
