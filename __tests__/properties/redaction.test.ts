import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { stripInvisible } from '../../src/text.ts';
import { anyText, secret } from './arbitraries.ts';
import { listForms } from './encodings.ts';
import { Redactor } from '../../src/redaction/clean.ts';
import { showText } from '../../src/redaction/gate.ts';
import { findCommands } from '../support/report.ts';

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

function listWindows(part: string): readonly string[] {
  return part
    .split('')
    .map((_, start) => part.slice(start, start + 8))
    .slice(0, -7);
}

/** Whether a part of a secret is made of ordinary words: lower-case letters or capitalised, between marks. */
function isWords(part: string): boolean {
  return part.split(/[\s_./:-]/).every((word) => /^\p{Lu}?\p{Ll}*$/u.test(word));
}

/** Whether a secret has only characters that a reader sees. */
function isReadAsIs(text: string): boolean {
  return stripInvisible(text) === text;
}

const RUNS = { numRuns: 400 };

/** A secret, and a text that contains a form of it. */
const REPEATED = secret().chain((known) =>
  fc.record({
    known: fc.constant(known),
    text: fc
      .tuple(anyText(20), fc.constantFrom(...listForms(known)), anyText(20))
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

  test('masks any part of 8 characters and more, unless it is words that may stay', () => {
    const known = secret(8, 60).filter(isReadAsIs);
    fc.assert(
      fc.property(known, fc.nat(), fc.nat(), fc.boolean(), (hidden, place, end, mayBeWords) => {
        const characters = Array.from(hidden);
        const start = place % characters.length;
        const part = characters.slice(start, start + 4 + (end % characters.length)).join('');
        fc.pre(part.length >= 8 && !(mayBeWords && listWindows(part).some(isWords)));
        const redactor = new Redactor();
        redactor.learn(hidden, mayBeWords);
        // What stands around it is in no secret.
        expect(redactor.redact(`*${part}*`)).toBe('*****');
      }),
      RUNS,
    );
  });

  test('masks secrets that overlap once', () => {
    const side = secret(1, 50).filter((text) => isReadAsIs(text) && !/[()]/.test(text));
    const sides = fc.record({ left: side, shared: side, right: side });
    fc.assert(
      fc.property(sides, ({ left, shared, right }) => {
        const clean = makeClean(`${left}${shared}`, `${shared}${right}`);
        expect(clean(`(${left}${shared}${right})`)).toBe('(***)');
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

test('no text that is shown has a command, and showing it again changes nothing', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const shown = showText(text);
      expect(findCommands(shown)).toEqual([]);
      expect(showText(shown)).toBe(shown);
    }),
    RUNS,
  );
});
