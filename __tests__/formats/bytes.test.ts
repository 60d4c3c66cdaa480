import { describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { findKind } from '../../src/formats/bytes.ts';
import type { Kind } from '../../src/formats/content.ts';
import { findProblem, inspectEnds, latin1 } from '../support/documents.ts';
import { evaluate } from '../support/evaluate.ts';

describe('a text that is not UTF-8', () => {
  test.each(['\xff', '\xc3\xa9\xc3', 'a\xed\xa0\x80', 'a\xf0\x9f\x98', 'a\xef\xbfb'])(
    'is %j',
    (text) => {
      expect(findProblem(latin1(`"${text}"`))).toBe('is not valid UTF-8');
    },
  );

  test.each(['', 'é', '\ufffd', '😀'])('is not %j', (text) => {
    expect(findProblem(Buffer.from(`"${text}"`))).toBeUndefined();
  });

  test.each(['é', '€', '😀'])('is not a head that ends inside %s', (character) => {
    const bytes = Buffer.from(`["aaaa${character}`);
    for (let end = bytes.length - Buffer.byteLength(character); end <= bytes.length; end += 1) {
      expect(inspectEnds(bytes.subarray(0, end), ']').problem).toBeUndefined();
    }
    // The beginning of a character is no text after JSON.
    const half = Buffer.from(`[]\n${character}`).subarray(0, 4);
    expect(inspectEnds(half, ']').problem).toBeUndefined();
    const invalid = Buffer.concat([latin1('["\xff",'), bytes]);
    expect(inspectEnds(invalid, ']').problem).toBe('is not valid UTF-8');
  });
});

/** What bytes are that are neither JSON nor XML. */
function classify(content: string | Buffer): Kind {
  const bytes = Buffer.from(content);
  return findKind({ bytes, text: bytes.toString() });
}

describe('findKind', () => {
  test.each<[Kind, string | Buffer]>([
    ['gzip', gzipSync('{}')],
    ['zip', latin1('PK\x03\x04\0\0{}')],
    ['binary', latin1('BZh91AY\xff')],
    ['html', '<!DOCTYPE html><html></html>'],
    ['html', ' \n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">'],
    ['html', '<html lang="en">'],
    ['html', `${' '.repeat(5000)}<html>`],
    ['html', '<!-- a -->\n<!----><!-- > -->\t<html>'],
    ['text', '<!-- a -->b<html>'],
    ['text', '<!--><html>'],
    ['text', '<!DOCTYPE htmlx>'],
    ['text', '日本語 😀'],
    ['text', `${'a'.repeat(1024)}\0`],
    ['binary', `${'a'.repeat(1023)}\0`],
    ['binary', latin1('caf\xe9 au lait')],
  ])('recognises %s (row %#)', (kind, content) => {
    expect(classify(content)).toBe(kind);
  });

  test('accepts a character across the end of the first KiB', () => {
    for (const character of ['é', '€', '😀']) {
      for (let before = 1020; before <= 1024; before += 1) {
        expect(classify('a'.repeat(before) + character.repeat(10))).toBe('text');
      }
    }
  });

  test('reads many comments in linear time', () => {
    const text = "'<!---->'.repeat(140) + 'x'";
    const expression = `m.findKind({ bytes: Buffer.from(${text}), text: ${text} })`;
    expect(evaluate('formats/bytes.ts', expression)).toBe('text');
  });
});
