import { describe, expect, test } from '@jest/globals';
import { Redactor } from '../../src/report/redactor.ts';

/** One text after it was redacted by one who knows the secrets. */
function redact(text: string, secrets: readonly string[]): string {
  return makeRedactor(secrets).redact(text);
}

function makeRedactor(secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.learn(secret);
  return redactor;
}

describe('Redactor', () => {
  test('replaces every secret wherever it stands', () => {
    expect(redact('a s3cret, b s3crets3cret', ['s3cret'])).toBe('a ***, b ******');
  });

  test.each([[['token', 'token-long']], [['token-long', 'token']]])(
    'replaces longer ones first: %j',
    (secrets) => {
      expect(redact('x token-long y token', secrets)).toBe('x *** y ***');
    },
  );

  test('also those that it learns later', () => {
    const redactor = makeRedactor(['token']);
    expect(redactor.redact('token-long')).toBe('***-long');
    redactor.learn('token-long');
    expect(redactor.redact('token-long')).toBe('***');
  });

  test('takes secrets and replacement as they are', () => {
    expect(redact('a.c abc $& $1', ['a.c', '$&'])).toBe('*** abc *** $1');
    expect(redact('(((', ['('])).toBe('*********');
  });

  test('removes only the invisible without secrets', () => {
    expect(redact('te\u200bxt', [])).toBe('text');
  });

  test('puts no secret together from what it removes', () => {
    expect(redact('s3\u0000c\u200bret', ['s3cret'])).toBe('***');
  });

  test.each([
    ['plain characters', '-'],
    ['characters that are escaped', '"\u{1f511}+/'],
  ])('takes out a secret of 64 KiB of %s', (_name, between) => {
    const secret = Array.from({ length: 13_000 }, (_, index) => index.toString(36)).join(between);
    for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret)]) {
      expect(redact(`a ${form} b`, [secret])).toMatch(/^a "?[*]{3}"? b$/);
    }
    const encoded = Buffer.from(secret).toString('base64');
    expect(redact(encoded, [secret])).toBe('***');
  });

  test('knows what it has learnt', () => {
    expect(makeRedactor(['a']).knows('a')).toBe(true);
    expect(makeRedactor(['a']).knows('b')).toBe(false);
  });
});
