import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
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
