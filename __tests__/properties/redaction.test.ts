import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Redactor } from '../../src/redaction/clean.ts';
import { showText } from '../../src/redaction/gate.ts';
import { findCommands } from '../support/report.ts';
import { anyText, secret } from './arbitraries.ts';
import { listForms } from './encodings.ts';

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

test('no form of a secret is left in a text', () => {
  fc.assert(
    fc.property(REPEATED, ({ known, text }) => {
      const redactor = new Redactor();
      redactor.learn(known);
      const cleaned = redactor.redact(text);
      expect(listForms(known).filter((form) => cleaned.includes(form))).toEqual([]);
      expect(redactor.redact(cleaned)).toBe(cleaned);
    }),
    RUNS,
  );
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
