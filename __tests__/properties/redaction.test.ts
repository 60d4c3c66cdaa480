import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Redactor } from '../../src/redaction/clean.ts';
import { show } from '../../src/redaction/show.ts';
import { findCommands } from '../support/report.ts';
import { anyText } from './arbitraries.ts';
import { ENCODINGS } from './encodings.ts';

test('no text that is shown has a command, and showing it again changes nothing', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const shown = show(text);
      expect(findCommands(shown)).toEqual([]);
      expect(show(shown)).toBe(shown);
    }),
    { numRuns: 400 },
  );
});

test('no secret is shown in any encoding, even if it has what looks like an escape', () => {
  const escapes = String.raw`%41 %2b &amp; &#39; \" \u0041 \t \\ %% && ab 🔑`.split(' ');
  const piece = fc.oneof(fc.string({ minLength: 3, maxLength: 3 }), fc.constantFrom(...escapes));
  const secrets = fc.array(piece, { minLength: 9 }).map((pieces) => `(${pieces.join('')})`);
  // What stands at the edges of Base64 belongs to other characters too.
  const encodings = Object.keys(ENCODINGS).filter((name) => !name.startsWith('Base64'));
  fc.assert(
    fc.property(secrets, fc.constantFrom(...encodings), (secret, name) => {
      const redactor = new Redactor();
      redactor.learn(secret);
      expect(redactor.redact(`é${ENCODINGS[name]?.encode(secret)}é`)).toBe('é***é');
    }),
    { numRuns: 400 },
  );
});
