import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { listForms } from '../support/encodings.ts';

/** Pieces of runner commands, line ends, and what hides in a text without being seen. */
const HOSTILE_PIECES = [
  '::',
  ':',
  '#',
  '##[',
  '##',
  '[',
  ']',
  '::error::',
  '::error title=a::b',
  '::stop-commands::x',
  '::add-mask::x',
  '##[error]',
  '##[group]',
  '##[set-output name=uploaded]true',
  '\r',
  '\n',
  '\r\n',
  '\t',
  '\v',
  '\f',
  ' ',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u00a0',
  '\u3000',
  '\0',
  '\u0007',
  '\u001b',
  '\u001b[0m',
  '\u001b[31m',
  '\u001b]0;x\u0007',
  '\u009b31m',
  '\u007f',
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufe0f',
  '\ufeff',
  '\ud800',
  '\udfff',
  '\u{e0041}',
  '\u{1f50d}',
  '%',
  '%0A',
  '%0D',
  '%25',
  '%3A%3A',
  '=',
  ',',
  ';',
  'error',
  'a',
] as const;

/** Any text: mostly of what a runner or a terminal would trip over. */
export function hostileText(maxPieces = 30): Arbitrary<string> {
  const piece = fc.oneof(
    { arbitrary: fc.constantFrom(...HOSTILE_PIECES), weight: 6 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }), weight: 1 },
    { arbitrary: utf16(), weight: 1 },
  );
  return fc.array(piece, { maxLength: maxPieces, size: 'max' }).map((pieces) => pieces.join(''));
}

/** Any text at all, halves of characters included. */
export function anyText(maxLength = 40): Arbitrary<string> {
  return fc.oneof(
    hostileText(),
    fc.string({ unit: 'binary', maxLength, size: 'max' }),
    fc.array(utf16(), { maxLength, size: 'max' }).map((units) => units.join('')),
  );
}

/** One UTF-16 code unit, of which a third are halves of characters or nearly so. */
function utf16(): Arbitrary<string> {
  return fc
    .oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 }))
    .map((unit) => String.fromCharCode(unit));
}

/** A text that is far longer than what is shown of one. */
export function longText(): Arbitrary<string> {
  return fc
    .tuple(hostileText(20), fc.integer({ min: 1, max: 1500 }), hostileText(10))
    .map(([piece, times, end]) => `${piece.repeat(times)}${end}`.slice(0, 20_000));
}

/** Characters that patterns, encodings and quotation give a meaning. */
const SECRET_CHARACTERS = [
  ...Array.from('aZ09+/=.^$|?()[]{}\\"\'`<>&%:;,# _-~@!'),
  '\u00e9',
  '\u00ff',
  '\u6f22',
  '\u{1f511}',
];

/**
 * A secret as inputs hand it over: one line, trimmed, not blank. Without the mask's own character,
 * since no replacement could be told from such a secret.
 */
export function secret(minLength = 1, maxLength = 24): Arbitrary<string> {
  const unit = fc.oneof(
    fc.constantFrom(...SECRET_CHARACTERS),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  return fc
    .string({ unit, minLength, maxLength, size: 'max' })
    .filter((text) => text === text.trim() && text.length >= minLength && !text.includes('*'));
}

/** How a service, a log or a page may write a text; each takes it to its encoded form. */
export function secretForm(text: string): Arbitrary<string> {
  return fc.constantFrom(...listForms(text));
}

/** A text with `core` somewhere in it, next to anything. */
export function around(core: string, filler: Arbitrary<string> = anyText(20)): Arbitrary<string> {
  return fc.tuple(filler, filler).map(([before, after]) => `${before}${core}${after}`);
}

/** Each of these characters, with the same chance. */
export function characterOf(characters: string): Arbitrary<string> {
  return fc.constantFrom(...Array.from(characters));
}

/** A text in which every letter may have either case. */
export function anyCase(text: string): Arbitrary<string> {
  return fc.mixedCase(fc.constant(text));
}

/** A string with `inserted` at any place of it. */
export function insertedInto(text: string, inserted: Arbitrary<string>): Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 0, max: text.length }), inserted)
    .map(([place, piece]) => `${text.slice(0, place)}${piece}${text.slice(place)}`);
}
