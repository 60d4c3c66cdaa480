import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { listForms } from './encodings.ts';

/** Characters that end a line, that nobody sees, or that are halves of others. */
export const CONCEALED = [
  ...Array.from('\r\n\t\v\f\0\u0001\u0007\u001b\u007f\u0085\u009b\u00ad\u034f\u115f\u200b\u200d'),
  ...Array.from('\u200f\u2028\u2029\u202e\u2066\u2069\ufe0f\ufeff\u{e0041}'),
  '\ud800',
  '\udfff',
];

/** Pieces of runner commands and of what a terminal obeys. */
const COMMAND_PIECES = [
  ...Array.from(':#[]%=,; \u00a0\u3000\u{1f50d}a'),
  '::',
  '##[',
  '##',
  '::error::',
  '::error title=a::b',
  '::stop-commands::x',
  '##[error]',
  '##[set-output name=uploaded]true',
  '\r\n',
  '\u001b[31m',
  '\u001b]0;x\u0007',
  '\u009b31m',
  '%0A',
  '%3A%3A',
  'error',
];

/** What markdown takes for structure, and what GitHub or Gitea make links of. */
export const MARKUP_PIECES = [
  ...Array.from('|\\`<>_&\n\r\t'),
  '\\|',
  '``',
  '```',
  '~~~',
  '<img src=x>',
  '</code>',
  '<!--',
  '![a](b)',
  '[a](javascript:b)',
  '[a]: b',
  '[^1]: a',
  '[[x]]',
  'https://evil.example',
  'www.evil.example',
  'a@evil.example',
  '**',
  '# ',
  '> ',
  '- ',
  '- [ ] ',
  '---',
  '===',
  '* ',
  '1. ',
  '    ',
  '@someone',
  '#12',
  'GH-12',
  'ABC-12',
  '!12',
  'deadbeef',
  'a/b@2c26b46b68ff',
  ':smile:',
  '$x$',
  '&lt;',
  '&#64;octocat',
  'a`|`b',
  'word',
];

/** Any text: mostly of what a runner or a terminal would trip over. */
export function hostileText(maxPieces = 30): Arbitrary<string> {
  const piece = fc.oneof(
    { arbitrary: fc.constantFrom(...COMMAND_PIECES), weight: 4 },
    { arbitrary: fc.constantFrom(...CONCEALED), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }), weight: 1 },
    { arbitrary: utf16(), weight: 1 },
  );
  return fc.array(piece, { maxLength: maxPieces, size: 'max' }).map((pieces) => pieces.join(''));
}

/** A text of markup and links. */
export function markupText(): Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...MARKUP_PIECES), { maxLength: 12, size: 'max' })
    .map((pieces) => pieces.join(''));
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
const SECRET_CHARACTERS = Array.from(
  'aZ09+/=.^$|?()[]{}\\"\'`<>&%:;,# _-~@!\u00e9\u00ff\u6f22\u{1f511}',
);

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

/** A text in one of its encodings. */
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

/** A host as a URL names it, and a port with its colon, or none. */
export const HOST = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom('localhost', 'LOCALHOST', '127.0.0.1', '[::1]', 'host', 'bücher.example'),
);
export const PORT = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
);
