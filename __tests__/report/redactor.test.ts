import { describe, expect, test } from '@jest/globals';
import { Redactor } from '../../src/report/redactor.ts';
import { evaluate } from '../support/evaluate.ts';
import { ENCODERS } from '../properties/encodings.ts';

function makeRedactor(...secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.learn(secret);
  return redactor;
}

/** Redacts a text with these secrets. */
function redact(text: string, ...secrets: readonly string[]): string {
  return makeRedactor(...secrets).redact(text);
}

describe('Redactor', () => {
  test.each([
    ['every occurrence', 'a s3cret, b s3crets3cret', ['s3cret'], 'a ***, b ******'],
    ['longer secrets first', 'x token-long y token', ['token', 'token-long'], 'x *** y ***'],
    ['longer secrets, learned first', 'token-long token', ['token-long', 'token'], '*** ***'],
    ['secrets that resemble patterns', 'a.c abc $& $1 (', ['a.c', '$&', '('], '*** abc *** $1 ***'],
    ['nothing without secrets, but removes invisible characters', 'te\u200bxt', [], 'text'],
    ['secrets that are divided by invisible characters', 's3\u0000c\u200bret', ['s3cret'], '***'],
    ['secrets with invisible characters', 's3c\u200bret', ['s3c\u200bret'], '***'],
  ])('replaces %s', (_, text, secrets, redacted) => {
    expect(redact(text, ...secrets)).toBe(redacted);
  });

  test('replaces secrets that it learns later', () => {
    const redactor = makeRedactor('token');
    expect(redactor.redact('token-long')).toBe('***-long');
    redactor.learn('token-long');
    expect(redactor.redact('token-long')).toBe('***');
  });

  test.each([
    ['plain characters', '-'],
    ['characters that are escaped', '"\u{1f511}+/'],
  ])('replaces a secret of 64 KiB of %s', (_name, between) => {
    const secret = Array.from({ length: 13_000 }, (_, index) => index.toString(36)).join(between);
    for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret)]) {
      expect(redact(`a ${form} b`, secret)).toMatch(/^a "?[*]{3}"? b$/);
    }
    expect(redact(Buffer.from(secret).toString('base64'), secret)).toBe('***');
  });
});

describe('Redactor with encoded secrets', () => {
  const SECRET = 'a+b<c>&\'"/= \t(!)é\u{1f511}~`';

  test.each(Object.entries(ENCODERS))('recognises %s', (_, encode) => {
    expect(redact(`x ${encode(SECRET)} y`, SECRET)).toBe('x *** y');
  });

  test.each(['hex', 'HEX'])('recognises hexadecimal digits (%s)', (letters) => {
    const digits = Buffer.from(SECRET).toString('hex');
    expect(redact(letters === 'HEX' ? digits.toUpperCase() : digits, SECRET)).toBe('***');
  });

  test('does not search for short parts of Base64, which could occur by chance', () => {
    expect(redact('YWJj', 'abc')).toBe('***');
    expect(redact('FiY FhYm', 'abc')).toBe('FiY FhYm');
  });

  test.each([
    ['backslashes', '\\'],
    ['percent signs', '%25'],
    ['references', '&amp;'],
    ['references that never end', '&#0'],
    ['secrets without their last characters', '+/=+/='],
  ])('takes linear time for %s', (_, piece) => {
    const secret = JSON.stringify('+/=\\"%&'.repeat(9));
    const text = `${JSON.stringify(piece)}.repeat(2e5)`;
    const known = `(() => { const known = new m.Redactor(); known.learn(${secret}); return known; })()`;
    const expression = `${known}.redact(${text}).length`;
    expect(Number(evaluate('report/redactor.ts', expression))).toBe(piece.length * 2e5);
  });
});
