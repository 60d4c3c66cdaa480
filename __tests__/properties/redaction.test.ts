import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { MAX_SHOWN_CHARACTERS, showText, stripInvisible } from '../../src/report/clean.ts';
import { listForms } from '../support/encodings.ts';
import { anyText, around, hostileText, secret, secretForm, characterOf } from './arbitraries.ts';
import { makeLog } from './written.ts';

const MASK = '***';
/** Shorter pieces of Base64 are not looked for. */
const MIN_PIECE_CHARACTERS = 8;

/**
 * Any text, but for one that ends inside of an escape: that escape would take the first character of
 * an encoded secret behind it for its own, as `%b` does with `bad%21`, which is not looked for.
 */
function wholeText(): Arbitrary<string> {
  return anyText(20).filter((text) => !/(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&#?\w*)$/i.test(text));
}

/** A secret, and a text with some form of it in it. */
const TOLD = secret().chain((known) =>
  fc.record({
    known: fc.constant(known),
    text: secretForm(known).chain((form) => around(form, wholeText())),
  }),
);

/** Encodings written down independently of the ones that are looked for. */
const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'percent encoding': (text) => encodeURIComponent(text),
  'form encoding': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'form encoding as URLSearchParams writes it': (text) =>
    new URLSearchParams({ a: text }).toString().slice('a='.length),
  'JSON as System.Text.Json writes it': writeLikeDotNet,
  Base64: (text) => Buffer.from(text).toString('base64'),
  HTML: (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
};

/** JavaScriptEncoder.Default: what is not ASCII, and what HTML gives a meaning, as \\uXXXX. */
function writeLikeDotNet(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return escaped.replace(/[^\x20-\x7e]|["&'+<>`]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16).toUpperCase();
    return `\\u${code.padStart(4, '0')}`;
  });
}

/** Puts something invisible between every two characters. */
function interleave(text: string, invisible: string): string {
  return Array.from(text).join(invisible);
}

describe('Log.clean', () => {
  test('leaves no form of a secret, whichever was in the text', () => {
    fc.assert(
      fc.property(TOLD, ({ known, text }) => {
        const cleaned = makeLog(known).clean(text);
        expect(listForms(known).filter((form) => cleaned.includes(form))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('leaves no form of a secret in what is shown either', () => {
    // What breaks a command or tells of a cut may happen to spell such a secret; it tells nothing.
    const marks = [': :', '## [', '…'];
    fc.assert(
      fc.property(TOLD, ({ known, text }) => {
        fc.pre(!marks.some((mark) => known.includes(mark)));
        const shown = showText(makeLog(known).clean(text));
        expect(listForms(known).filter((form) => shown.includes(form))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('leaves no form of any of several secrets', () => {
    const several = fc.tuple(secret(), secret(), hostileText(6)).map(([one, other, between]) => ({
      known: [one, other, `${one}${other}`],
      text: `${one}${between}${other}${one}${other}${between}${other}`,
    }));
    fc.assert(
      fc.property(several, ({ known, text }) => {
        const cleaned = makeLog(...known).clean(text);
        for (const hidden of known) expect(cleaned).not.toContain(hidden);
      }),
      { numRuns: 400 },
    );
  });

  test.each(Object.entries(ENCODERS))('knows %s', (_, encode) => {
    fc.assert(
      fc.property(secret(), wholeText(), anyText(), (known, before, after) => {
        expect(makeLog(known).clean(`${before}${encode(known)}${after}`)).not.toContain(
          encode(known),
        );
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ['!', '%21'],
    ["'", '%27'],
    ['(', '%28'],
    ['~', '%7E'],
  ])('knows a secret with %s in form encoding (%s)', (character, code) => {
    expect(makeLog(`s3c${character}ret`).clean(`a=s3c${code}ret`)).toBe('a=***');
  });

  test.each([
    ['"', '\\u0022'],
    ['é', '\\u00E9'],
    ['+"', '\\u002B\\u0022'],
  ])('knows a secret with %s in JSON of System.Text.Json (%s)', (character, code) => {
    expect(makeLog(`s3c${character}ret`).clean(`"s3c${code}ret"`)).toBe('"***"');
  });

  test.each([
    ['+', '&#x2B;'],
    ["'", '&#x27;'],
  ])('knows a secret with %s in HTML of ASP.NET Core (%s)', (character, code) => {
    expect(makeLog(`s3c${character}ret`).clean(`<p>s3c${code}ret</p>`)).toBe('<p>***</p>');
  });

  test('knows Base64 wherever in the encoded text the secret stood', () => {
    const near = fc.string({ unit: 'grapheme-ascii', maxLength: 12 });
    fc.assert(
      fc.property(secret(9), near, near, (known, before, after) => {
        const encoded = Buffer.from(`${before}${known}${after}`).toString('base64');
        const start = Buffer.byteLength(before);
        const end = start + Buffer.byteLength(known);
        const inner = encoded.slice(Math.ceil((start * 8) / 6), Math.floor((end * 8) / 6));
        expect(inner.length).toBeGreaterThanOrEqual(MIN_PIECE_CHARACTERS);
        const cleaned = makeLog(known).clean(`a ${encoded} b`);
        expect(cleaned).not.toContain(inner);
        // Nothing is left but what stood around it, and the seams.
        const outside = encoded.length - inner.length;
        expect(cleaned.length).toBeLessThanOrEqual(`a  b${MASK}`.length + outside);
      }),
      { numRuns: 750 },
    );
  });

  test('is not deceived by what nobody sees', () => {
    const invisible = fc.constantFrom('\u200b', '\0', '\u202e', '\u001b[31m', '\ufe0f', '\ud800');
    fc.assert(
      fc.property(secret(2), invisible, anyText(), (known, hidden, near) => {
        fc.pre(stripInvisible(known) === known);
        const cleaned = makeLog(known).clean(`${near}\n${interleave(known, hidden)}\n${near}`);
        expect(cleaned).not.toContain(known);
      }),
      { numRuns: 400 },
    );
  });

  test('changes nothing any more the second time', () => {
    fc.assert(
      fc.property(TOLD, ({ known, text }) => {
        const log = makeLog(known);
        const cleaned = log.clean(text);
        expect(log.clean(cleaned)).toBe(cleaned);
      }),
      { numRuns: 750 },
    );
  });

  test('leaves a text that has no form of the secret', () => {
    const plain = fc.string({ unit: characterOf('abcXYZ019'), minLength: 3 });
    fc.assert(
      fc.property(plain, anyText(), (known, text) => {
        const stripped = stripInvisible(text);
        const shown = [text, stripped];
        fc.pre(!listForms(known).some((form) => shown.some((each) => each.includes(form))));
        expect(makeLog(known).clean(text)).toBe(stripped);
      }),
      { numRuns: 500 },
    );
  });

  test('puts the mask exactly where the secret stood', () => {
    const other = fc.string({ unit: characterOf('xyz \n'), maxLength: 30, size: 'max' });
    const known = fc.string({ unit: characterOf('ABC(.+"%'), minLength: 1 });
    fc.assert(
      fc.property(known, other, other, (hidden, before, after) => {
        const cleaned = makeLog(hidden).clean(`${before}${hidden}${after}`);
        expect(cleaned).toBe(`${before}${MASK}${after}`);
      }),
      { numRuns: 250 },
    );
  });

  test('comes before the cut, so that no part of a secret is left at it', () => {
    const known = fc.string({
      unit: characterOf('ABC$^"+/%&'),
      minLength: 1,
      maxLength: 60,
      size: 'max',
    });
    const placed = known.chain((hidden) =>
      fc.record({
        hidden: fc.constant(hidden),
        form: fc.constantFrom(...listForms(hidden).filter((form) => !/[a-z]/.test(form))),
        before: fc.integer({ min: -5, max: 200 }),
      }),
    );
    fc.assert(
      fc.property(placed, ({ hidden, form, before }) => {
        const text = `${'x'.repeat(MAX_SHOWN_CHARACTERS - before)}${form}${'y'.repeat(300)}`;
        expect(showText(makeLog(hidden).clean(text))).toMatch(/^x*[*]{0,3}y*(?: …)?$/);
      }),
      { numRuns: 250 },
    );
  });

  test('never throws for a secret, not even for half a character', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (known, text) => {
        expect(() => makeLog(known).clean(`${text}${known}`)).not.toThrow();
      }),
    );
  });
});
