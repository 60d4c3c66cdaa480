/** The longest text that is shown; the runner truncates annotations at 4,096 characters. */
export const MAX_SHOWN_CHARACTERS = 4000;
/** The longest headline; most of it may be foreign text. */
export const MAX_HEADLINE_CHARACTERS = 1000;

/** A line is left out rather than cut to fewer characters than this. */
const MIN_LINE_CHARACTERS = 20;

const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
/** ANSI escape sequences: CSI and OSC as a whole, any other escape with the character after it. */
const ANSI = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*|${ESC}.?`, 'gs');
/** Everything that starts a new line for the runner or for a reader. */
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;
/**
 * C0 and C1 controls, bidi, zero-width and other format characters, lone surrogates, and characters that
 * are ignored by default: the runner compares texts by culture, and reads `:`, such a character, `:` as `::`.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes escape sequences and invisible characters, which could deceive a terminal or a reader; lines end in \n. */
export function stripInvisible(text: string): string {
  return text.replace(ANSI, '').replace(LINE_BREAK, '\n').replace(INVISIBLE, '');
}

/**
 * Breaks what the runner would read as a command: `::name::` at the start of a line, also after white
 * space, and `##[name]` anywhere in a line.
 */
export function breakCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/** Cuts a text that is too long to be shown, and marks the cut with `…`. */
export function cutText(text: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
  if (text.length <= maxCharacters) return text;
  // A cut inside a surrogate pair would leave half a character.
  return `${text.slice(0, maxCharacters - 2).replace(/[\uD800-\uDBFF]$/, '')} …`;
}

/** Cuts a text that may contain a secret of the author in the wrong input: see `dropCutWord`. */
export function cutAtWord(text: string, maxCharacters: number): string {
  return dropCutWord(cutText(text, maxCharacters));
}

/**
 * Drops the word in which a text was cut. It may be a secret, and the runner masks only whole secrets.
 */
export function dropCutWord(text: string): string {
  return text.replace(/\S+ …$/, '…');
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
  return cutText(breakCommands(stripInvisible(text)));
}

/** Joins the lines of a text to one line. */
export function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
