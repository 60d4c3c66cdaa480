/** How much of one text is shown; the runner cuts annotations at 4,096 characters. */
export const MAX_SHOWN_CHARACTERS = 4000;
/** How much of what happened is shown: most of it may be foreign text. */
export const MAX_HEADLINE_CHARACTERS = 1000;

/** Less of a line than this says nothing. */
const MIN_LINE_CHARACTERS = 20;

const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
/** ANSI escape sequences: CSI and OSC as a whole, any other escape with the character after it. */
const ANSI = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*|${ESC}.?`, 'gs');
/** Whatever starts a new line for the runner or for a reader. */
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;
/**
 * C0 and C1 controls, bidi, zero-width and other format characters, lone surrogates, and all that is
 * ignored by default: the runner compares by culture, and takes `:`, such a character, `:` for `::`.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes what a terminal or a reader's eye could be tricked with; lines end in \n alone. */
export function stripInvisible(text: string): string {
  return text.replace(ANSI, '').replace(LINE_BREAK, '\n').replace(INVISIBLE, '');
}

/**
 * Breaks what the runner would take for a command: `::name::` at the start of a line, white space
 * before it notwithstanding, and `##[name]` anywhere in a line.
 */
export function breakCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/** Cuts a text that is too long to be shown and says so. */
export function cutText(text: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
  if (text.length <= maxCharacters) return text;
  // A cut inside a surrogate pair would leave half a character.
  return `${text.slice(0, maxCharacters - 2).replace(/[\uD800-\uDBFF]$/, '')} …`;
}

/** The first of many lines that have at most `maxCharacters` together with their breaks; the last may be cut. */
export function cutLines(lines: readonly string[], maxCharacters: number): readonly string[] {
  let room = maxCharacters;
  return lines.flatMap((line) => {
    if (room < MIN_LINE_CHARACTERS && line.length > room) return [];
    const shown = cutText(line, room);
    room -= shown.length + 1;
    return [shown];
  });
}

/** A text as it may be written anywhere: nothing invisible, no runner command, not endless. */
export function showText(text: string): string {
  return cutText(breakCommands(stripInvisible(text)));
}

/** Makes one line of a text, for places that have room for one. */
export function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
