import { mapJson, tryJson } from '../json.ts';
import { cutText, listLines } from '../text.ts';
import { clean } from './clean.ts';

declare const CLEAN: unique symbol;
declare const SAFE: unique symbol;
/** A text without secrets and invisible characters, which JSON and outputs may contain. */
export type CleanText = string & { readonly [CLEAN]: true };
/**
 * A text that has no runner commands either: it can be written anywhere. Only this module makes one, and all that
 * writes (`report/log`) takes nothing else, so that a text which did not pass the gate does not compile.
 */
export type SafeText = CleanText & { readonly [SAFE]: true };

/** What JSON of our own may contain; its names are our own. */
export type SafeJson =
  | CleanText
  | number
  | boolean
  | undefined
  | readonly SafeJson[]
  | { readonly [name: string]: SafeJson };

/** The longest text that is shown; the runner truncates annotations at 4,096 characters. */
export const MAX_SHOWN_CHARACTERS = 4000;
/** The longest headline; most of it may be foreign text. */
export const MAX_HEADLINE_CHARACTERS = 1000;
/** A line is left out rather than cut to fewer characters than this. */
const MIN_LINE_CHARACTERS = 20;
/** A UUID, a digest, a trace id. */
const ID = /^[\da-f-]{32,64}$/i;

/** A text as it is shown: safe, and not too long. */
export function showText(text: string): SafeText {
  // A cut starts no command.
  return trust(cutText(breakCommands(clean(text)), MAX_SHOWN_CHARACTERS));
}

/** A path as it is, so that it leads to its file: the author chose it. Only JSON and outputs take it. */
export function showPath(path: string): CleanText {
  return trust(path);
}

/** A key, a digest or a trace id: with a mask in it, it would mean nothing. */
export function showId(text: string): SafeText {
  return ID.test(text) ? make(text) : showText(text);
}

/** A word of the action itself: its type has few values. */
export function showWord<T extends string>(word: string extends T ? never : T): SafeText {
  return make(word);
}

/** A sentence of our own: template words around numbers and safe texts. */
export function safe(
  words: TemplateStringsArray,
  ...values: readonly (SafeText | number)[]
): SafeText {
  return make(words.map((word, index) => `${word}${values[index] ?? ''}`).join(''));
}

export const EMPTY = safe``;

/** The texts that are not empty, as one. */
export function joinSafe(texts: readonly SafeText[], separator: SafeText): SafeText {
  return make(texts.filter((text) => text !== '').join(separator));
}

/** A safe text with safe replacements. */
export function replaceSafe(
  text: SafeText,
  pattern: RegExp,
  replace: (match: SafeText) => SafeText,
): SafeText {
  return make(text.replace(pattern, (match) => replace(trust(match))));
}

/** A safe text that was cut. */
export function cutSafe(
  text: SafeText,
  maxCharacters: number,
  cut: typeof cutText = cutText,
): SafeText {
  return make(cut(text, maxCharacters));
}

/** The pieces of a safe text between matches of a pattern; also what groups of the pattern match. */
export function splitSafe(text: SafeText, pattern: RegExp): readonly SafeText[] {
  return text.split(pattern).map(make);
}

/** A safe text as one line. */
export function toLine(text: SafeText): SafeText {
  return make(listLines(text).join(' '));
}

/** A foreign value as JSON: each text and name without secrets; a number that contains a secret becomes a text. */
export function showJson(value: unknown): SafeText {
  const cleaned = mapJson(value, (leaf) => {
    const text = clean(String(leaf));
    return text === String(leaf) ? leaf : text;
  });
  return write(cleaned);
}

/** The value of JSON that this module made. */
export function readJson(json: SafeText): SafeJson;
export function readJson(json: string): unknown {
  return tryJson(json);
}

/** A value of our own as JSON. Every member is present, with null for what is undefined. */
export function writeJson(value: SafeJson): SafeText {
  return write(value);
}

/** JSON that contains no runner command, so that a later step may print it. */
function write(value: unknown): SafeText {
  const json = JSON.stringify(value, (_, member: unknown) => member ?? null);
  return make(json.replaceAll('##[', String.raw`##\u005b`));
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
 * Breaks what the runner would read as a command: `::name::` at the start of a line, also after white
 * space, and `##[name]` anywhere in a line.
 */
function breakCommands(text: string): string {
  return text.replace(/^([\t\p{Zs}]*):(?=:)/gmu, '$1: ').replaceAll('##[', '## [');
}

/** Says that a text without secrets is safe: no command is left, nor made where safe texts were joined. */
function make(text: string): SafeText {
  return trust(breakCommands(text));
}

/** Says that a text is safe, or clean. Only functions of this module, which made it so, may call it. */
function trust(text: string): SafeText;
function trust(text: string): string {
  return text;
}
