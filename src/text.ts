/** A text as one line: any run of white space becomes one space. */
export function joinWhiteSpace(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim();
}

/** The lines of a text; they may end with LF, CR LF or CR. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** The lines of a text that are not blank, without white space around them. */
export function listLines(text: string): readonly string[] {
  return splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
/** ANSI escape sequences: CSI, OSC with its end, and charsets. Of any other, only the escape is removed, as invisible. */
const ANSI = new RegExp(
  `${ESC}(?:\\[[\\d:;?]*[a-z]?|\\][^\\r\\n${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[()]\\w)`,
  'gi',
);
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

/** The lines of a text as one, with a space between them. */
export function joinLines(text: string): string {
  return listLines(stripInvisible(text)).join(' ');
}

/** Joins texts, without those that are empty. */
export function joinTexts(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== '').join(separator);
}

/** Cuts a text that is too long to be shown, and marks the cut with `…`. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  // A cut inside a surrogate pair would leave half a character.
  return `${text.slice(0, maxCharacters - 2).replace(/[\uD800-\uDBFF]$/, '')} …`;
}

/**
 * Cuts a text of the author, which may contain a secret in the wrong input that nobody else knows: never in a word,
 * since the runner masks only whole secrets.
 */
export function cutWhole(text: string, maxCharacters: number): string {
  const cut = cutText(text, maxCharacters);
  return cut === text ? text : `${cut.slice(0, -2).replace(/\S+$/, '')}…`;
}

/** A line is left out rather than cut to fewer characters than this. */
const MIN_LINE_CHARACTERS = 20;

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

/** The first lines as `cutLines` returns them, and how many more there are. */
export function limitLines(
  lines: readonly string[],
  maxCharacters: number,
  cut?: typeof cutText,
): readonly string[] {
  const shown = cutLines(lines, maxCharacters, cut);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `And ${more} more.`] : shown;
}

/** The first `most` texts, and how many more there are: `a, b and 3 more`. */
export function listSome(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** RFC 9110, section 5.5: visible characters, spaces and tabs, but no line breaks. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** Whether a text can be sent as a header field's value. */
export function isFieldValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}

/** Where the text after `before` begins, for people: `line 3, column 1`. The column counts UTF-16 code units. */
export function formatPlace(before: string): string {
  return `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`;
}

const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size for people: `512 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < SIZE_UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${SIZE_UNITS[unit]}`;
}

/** A part of a size for people, in the unit of the whole: `9 of 30.5 MiB`. */
export function formatShare(bytes: number, all: number): string {
  const [size = '', unit = ''] = formatBytes(all).split(' ');
  const part = (bytes / all) * Number(size);
  return `${Number(part.toFixed(1))} of ${Number(size)} ${unit}`;
}

/** A duration for people: `40 ms`, `7.5 s`, `75 s`, `over a day`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds > 86_400) return 'over a day';
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

/** A time to wait, for people: `1 minute`, `30 minutes`, `over a day`. */
export function formatMinutes(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes > 24 * 60) return 'over a day';
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** A number with separators: `1,204`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A number of things: `1 attempt`, `1,204 attempts`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}
