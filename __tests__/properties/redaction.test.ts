import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { stripInvisible } from '../../src/text.ts';
import { anyText, secret, wholeText } from './arbitraries.ts';
import { escapeUnits, listForms } from './encodings.ts';
import { Redactor } from '../../src/redaction/clean.ts';

const MASK = '***';
/** Shorter pieces of Base64 are not redacted. */
const MIN_PIECE_CHARACTERS = 8;

/** A function that removes these secrets. */
function makeClean(...secrets: readonly string[]): (text: string) => string {
  const redactor = new Redactor();
  for (const each of secrets) redactor.learn(each);
  return (text) => redactor.redact(text);
}

function findForms(known: string, text: string): readonly string[] {
  return listForms(known).filter((form) => text.includes(form));
}

/** Whether a part of a secret is made of ordinary words: letters of one case or capitalised, between marks. */
function isWords(part: string): boolean {
  return /^(?:(?:\p{L}?[\p{Ll}\p{M}]*|\p{Lu}*)(?:[\s_./-]|$))*$/u.test(part);
}

/** Whether a secret has only characters that a reader sees, and no white space that is read as one space. */
function isReadAsIs(text: string): boolean {
  return stripInvisible(text) === text && !/\s\s/.test(text);
}

/** Ways to write one character, of which a text may have some as they are. */
const ESCAPERS: readonly ((character: string) => string)[] = [
  (character) => escapeUnits(character, /[^]/g),
  (character) =>
    `%${Buffer.from(character)
      .toString('hex')
      .replace(/\B(?=(?:..)+$)/g, '%')}`,
  (character) => `&#${character.codePointAt(0)};`,
];

/** Writes some characters of a text in one kind of escapes: some of a pattern, and those with a meaning. */
const ESCAPE = fc
  .tuple(fc.constantFrom(...ESCAPERS), fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }))
  .map(([escape, pattern]) => (text: string) => {
    const characters = Array.from(text, (character, index) => {
      const isEscaped = pattern[index % pattern.length] || /[^ -~]|[\\%&]/u.test(character);
      return isEscaped ? escape(character) : character;
    });
    return characters.join('');
  });
const RUNS = { numRuns: 400 };

/** A secret, and a text that contains a form of it. */
const REPEATED = secret().chain((known) =>
  fc.record({
    known: fc.constant(known),
    text: fc
      .tuple(wholeText(), fc.constantFrom(...listForms(known)), wholeText())
      .map((parts) => parts.join('')),
  }),
);

describe('Redactor', () => {
  test('leaves no form of a secret', () => {
    fc.assert(
      fc.property(REPEATED, ({ known, text }) => {
        const clean = makeClean(known);
        const cleaned = clean(text);
        expect(findForms(known, cleaned)).toEqual([]);
        expect(clean(cleaned)).toBe(cleaned);
      }),
      RUNS,
    );
  });

  test('masks any part of 8 characters and more, as it is and in escapes, unless it is words', () => {
    const known = secret(8, 60).filter(isReadAsIs);
    fc.assert(
      fc.property(known, fc.nat(), fc.nat(), ESCAPE, (hidden, place, end, escape) => {
        const characters = Array.from(hidden);
        const start = place % characters.length;
        const part = characters.slice(start, start + 4 + (end % characters.length)).join('');
        // Bytes in escapes are read as ISO 8859-1, of which some characters are invisible.
        const forms = [part, stripInvisible(Buffer.from(part).toString('latin1'))];
        fc.pre(forms.every((form) => form.length >= 8 && !isWords(form)));
        // What stands around it is in no secret.
        expect(makeClean(hidden)(`*${escape(part)}*`)).toBe('*****');
      }),
      RUNS,
    );
  });

  test('recognises secrets that overlap, as they are and in escapes', () => {
    // The escape of an invisible character at the edge of a secret stays, which says nothing of it.
    const side = secret(1, 50).filter(
      (text) => stripInvisible(text) === text && !/[()]/.test(text),
    );
    const sides = fc.record({ left: side, shared: side, right: side });
    fc.assert(
      fc.property(sides, ESCAPE, ({ left, shared, right }, escape) => {
        const clean = makeClean(`${left}${shared}`, `${shared}${right}`);
        expect(clean(`(${escape(`${left}${shared}${right}`)})`)).toBe('(***)');
      }),
      RUNS,
    );
  });

  test('recognises Base64 at any position of the secret in the encoded text', () => {
    const near = fc.string({ unit: 'grapheme-ascii', maxLength: 12 });
    fc.assert(
      fc.property(secret(9), near, near, (known, before, after) => {
        const encoded = Buffer.from(`${before}${known}${after}`).toString('base64');
        const start = Buffer.byteLength(before);
        const end = start + Buffer.byteLength(known);
        const inner = encoded.slice(Math.ceil((start * 8) / 6), Math.floor((end * 8) / 6));
        expect(inner.length).toBeGreaterThanOrEqual(MIN_PIECE_CHARACTERS);
        const cleaned = makeClean(known)(`a ${encoded} b`);
        expect(cleaned).not.toContain(inner);
        // Only the text around the secret is left, and characters at its edges.
        const outside = encoded.length - inner.length;
        expect(cleaned.length).toBeLessThanOrEqual(`a  b${MASK}`.length + outside);
      }),
      RUNS,
    );
  });

  test('does not change a text without a form of the secret', () => {
    const unit = fc.constantFrom(...Array.from('abcXYZ019'));
    const plain = fc.string({ unit, minLength: 3, maxLength: 7 });
    fc.assert(
      fc.property(plain, anyText(), (known, text) => {
        const stripped = stripInvisible(text);
        fc.pre(findForms(known, `${text}\n${stripped}`).length === 0);
        expect(makeClean(known)(text)).toBe(stripped);
      }),
      RUNS,
    );
  });
});
