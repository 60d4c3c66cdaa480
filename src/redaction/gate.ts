import { mapJson } from '../json.ts';
import { clean } from './clean.ts';
import { cutText } from '../text.ts';

declare const SAFE: unique symbol;
/** A text without secrets, invisible characters and runner commands, which can be written anywhere. Only this module makes one. */
export type SafeText = string & { readonly [SAFE]: true };

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

/** A text as it is shown: safe, and not too long. */
export function showText(text: string): SafeText {
  return trust(cutText(breakCommands(clean(text)), MAX_SHOWN_CHARACTERS));
}

/** Each of several texts as it is shown. */
export function showTexts(texts: readonly string[]): readonly SafeText[] {
  return texts.map((text) => showText(text));
}

/** Members of results that are words of the action itself, keys or digests: with a secret in them they mean nothing. */
const OWN = /^(?:scanKey|result|reason|operation|part|sha256|format|inspected)$/;

/**
 * An object of results as JSON, with safe texts that are not cut. A path stays that of the file, even with a command in
 * it: JSON escapes `##[`, so that a later step may print it.
 */
export function showJson(value: object): SafeText {
  const shown = mapJson(value, (leaf, name) => {
    // Names of members are our own.
    if (typeof leaf === 'number' || name === '' || OWN.test(name)) return leaf;
    return name === 'path' ? clean(leaf) : breakCommands(clean(leaf));
  });
  // Every key is always present.
  const json = JSON.stringify(shown, (_, member: unknown) => member ?? null);
  return trust(json.replaceAll('##[', String.raw`##\u005b`));
}

/** Says that a text is safe. Only functions of this module, which made it so, may call it. */
function trust(text: string): SafeText;
function trust(text: string): string {
  return text;
}
