import { HTML_REFERENCE, parseCode, readReference } from '../html.ts';

/** A text whose escapes of one kind are undone. */
interface Reading {
  readonly text: string;
  /** Where each of its characters begins in the original, and at the end the length of the original. */
  readonly starts: readonly number[];
}

/** What a match stands for; undefined if it is no escape. */
type Undo = (match: RegExpExecArray) => string | undefined;

/** JSON's letters; before other characters, a backslash is only dropped. */
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const SYNTAXES: readonly (readonly [pattern: RegExp, undo: Undo])[] = [
  // JSON and strings of programming languages.
  [
    /\\(?:u([\da-f]{4})|[ux]\{([\da-f]+)\}|x([\da-f]{2})|([0-3][0-7]{2})|(.))/gis,
    ([, unit, braced, byte, octal, rest]) =>
      parseCode(unit ?? braced ?? byte, 16) ?? parseCode(octal, 8) ?? CONTROLS[rest ?? ''] ?? rest,
  ],
  // URLs and forms. A byte becomes the character with its number, like an `x` in strings.
  [/%(?:u([\da-f]{4})|([\da-f]{2}))/gi, ([, unit, byte]) => parseCode(unit ?? byte, 16)],
  [HTML_REFERENCE, ([, decimal, hex, name]) => readReference(decimal, hex, name)],
];

/**
 * Returns a text as it is, and without the escapes of each kind. Each kind is undone alone and once, because a
 * text without escapes of one kind may contain the characters of another one. The time is linear.
 */
export function listReadings(text: string): readonly Reading[] {
  const asIs = undoEscapes(text, /(?!)/g, () => undefined);
  const readings = SYNTAXES.map(([pattern, undo]) => undoEscapes(text, pattern, undo));
  return [asIs, ...readings.filter((reading) => reading.text !== text)];
}

function undoEscapes(text: string, pattern: RegExp, undo: Undo): Reading {
  const starts: number[] = [];
  let plain = '';
  let end = 0;
  const keep = (until: number): void => {
    plain += text.slice(end, until);
    for (; end < until; end += 1) starts.push(end);
  };
  for (const match of text.matchAll(pattern)) {
    const undone = undo(match);
    if (undone === undefined) continue;
    keep(match.index);
    plain += undone;
    for (let unit = 0; unit < undone.length; unit += 1) starts.push(match.index);
    end += match[0].length;
  }
  keep(text.length);
  return { text: plain, starts: [...starts, text.length] };
}
