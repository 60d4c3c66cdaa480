import { describe, expect, test } from '@jest/globals';
import { Redactor } from '../../src/redaction/clean.ts';
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
    ['every occurrence', 'a s3cret, b s3cret', ['s3cret'], 'a ***, b ***'],
    ['longer secrets first', 'x token-long y token', ['token', 'token-long'], 'x *** y ***'],
    ['longer secrets, learned first', 'token-long token', ['token-long', 'token'], '*** ***'],
    ['secrets that resemble patterns', 'a.c abc $& $1 (', ['a.c', '$&', '('], '*** abc *** $1 ***'],
    ['secrets that overlap or touch once', 'x abcdefcdefg y', ['abcd', 'cdef'], 'x ***g y'],
    ['a secret of asterisks once', 'a ** b', ['*'], 'a *** b'],
    ['nothing without secrets, but removes invisible characters', 'te\u200bxt', [], 'text'],
    ['secrets that are divided by invisible characters', 's3\u0000c\u200bret', ['s3cret'], '***'],
    ['nothing for a secret of invisible characters', 'a b', ['\u200b', '', ' '], 'a b'],
    [
      'no white space of a long secret',
      `x${' '.repeat(40)}`,
      [`y${' '.repeat(99)}z`],
      `x${' '.repeat(40)}`,
    ],
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
    const redactor = makeRedactor(secret);
    for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret)]) {
      expect(redactor.redact(`a ${form} b`)).toMatch(/^a "?[*]{3}"? b$/);
    }
    expect(redactor.redact(Buffer.from(secret).toString('base64'))).toBe('***');
  });
});

describe('Redactor with encoded secrets', () => {
  const SECRETS = {
    'all punctuation': 'a!b"c#d$e%f&g\'h(i)j*k+l,m-n.o/p:q;r<s=t>u?v@w[x\\y]z^A_B`C{D|E}F~G H\tI',
    'ISO 8859-1': 's\u00e9cret\u00c9-\u00ff\u00bd\u00a0\u00ad/\u00c3\u00a9"x',
    'characters beyond': 'p\u{1f511}ss/"\u6f22 w\u00f6rd&',
    'escapes of all kinds': 'a%2Fb\\u0041&amp;c\\/"\'<%',
    'escapes that are not whole': '\\&/"aaaaaa\\',
    '40 backslashes': '\\'.repeat(40),
    '40 backslashes and more': `${'\\'.repeat(40)}"x'/\u00e9`,
    '4 KiB': 'token/+"&<=%\'\\\u00e9\u{1f511}'.repeat(290),
  };

  describe.each(Object.entries(SECRETS))('with %s', (_, secret) => {
    const redactor = makeRedactor(secret);

    test.each(Object.entries(ENCODERS))('recognises %s', (_name, encode) => {
      expect(redactor.redact(`x ${encode(secret)} y`)).toBe('x *** y');
    });
  });

  test.each([
    ['references without a semicolon', 'a&#47b&#x2Fg', 'a/b/g'],
    ['references with zeros', '&#0047;&#x002f;', '//'],
    ['a reference in upper case', 'a&#X2F;b', 'a/b'],
    ['escapes of different kinds', 'a\\/b\\u0027c\\x22', 'a/b\'c"'],
    ['a part of a text that is escaped', 'q=%22a%2Fb%22', 'a/b'],
    ['escapes of invisible characters in JSON', String.raw`s3c\u200br\u00ADet`, 's3cret'],
    ['escapes of invisible characters in URLs', 's3c%00ret', 's3cret'],
    ['escapes of invisible characters in HTML', 's3c&#8203;r&shy;e&#xFE0F;t', 's3cret'],
    ['escapes of them in a secret that has them', 'p\\ud83d\\udd11\\u00ads', 'p\u{1f511}\u00ads'],
  ])('recognises %s', (_, text, secret) => {
    expect(redact(text, secret)).toContain('***');
  });

  test.each([
    ['unknown names', '&unknown; &nbspx; &;'],
    ['numbers that are no character', '&#1114112; &#x110000; &#99999999999999999999;'],
    ['escapes that are not whole', '% %4 %zz \\u00 \\x4 \\'],
    ['escapes around a secret', '%41***%42\\n'],
  ])('changes nothing else: %s', (_, text) => {
    expect(redact(text, 's3cret')).toBe(text);
  });

  test('masks exactly the escapes of a secret', () => {
    expect(redact('%41%73%2f%74%42 &#115;/&#x74;&amp;', 's/t')).toBe('%41***%42 ***&amp;');
  });

  test.each([
    ['of one kind', 'x a%2Fb%2Fc y', ['a/b', 'b/c']],
    ['as they are and in escapes', 'x a%2Fb%2Fc y', ['a/b', 'b%2Fc']],
    ['in different escapes', String.raw`x a%2Fb\u002fc y`, ['a/b', String.raw`b\u002fc`]],
    ['one inside the other', 'x user%3Apassword%2F y', ['password', 'user:password/']],
  ])('masks secrets that overlap %s once', (_, text, secrets) => {
    expect(redact(text, ...secrets)).toBe('x *** y');
  });

  test.each([
    ['in two kinds of escapes', String.raw`%41 a\/%b\\c, a/%25b%5Cc \n`, '%41 ***, *** \\n'],
    ['in three kinds', String.raw`a\/%b\\c a%2F%25b%5cc a&sol;&percnt;b&bsol;c`, '*** *** ***'],
    ['partly in escapes', 'a%2F%b\\c; a/&#37;b\\c', '***; ***'],
    [
      'next to escapes of invisible characters',
      '%1B]a%2F%25b%5Cc%07 \\u200b',
      '%1B]*** \\u200b',
    ],
  ])('masks exactly a secret %s', (_, text, redacted) => {
    expect(redact(text, 'a/%b\\c')).toBe(redacted);
  });

  test('masks nothing twice', () => {
    const redactor = makeRedactor('a/b');
    const once = redactor.redact('%2561%252Fb a%2Fb &amp;#97;&#47;b');
    expect(once).toBe('%2561%252Fb *** &amp;#97;&#47;b');
    expect(redactor.redact(once)).toBe(once);
  });

  test('masks 32 characters that a long secret has from a multiple of 32, or at its end', () => {
    const secret = Array.from({ length: 40 }, (_, index) =>
      index.toString(36).padStart(2, '-'),
    ).join('');
    const redactor = makeRedactor(secret);
    for (const part of [secret.slice(0, 32), secret.slice(32, 64), secret.slice(-32), secret])
      expect(redactor.redact(`(${part})`)).toBe('(***)');
    expect(redactor.redact(secret.slice(1, 32))).toBe(secret.slice(1, 32));
  });

  test('masks an escaped secret after one that ends like the start of an escape', () => {
    expect(redact(String.raw`(&lt;s3cret\\u003cs3cret\\)`, '<s3cret\\')).toBe('(***)');
  });

  test('leaves no half of a character where a part of a secret ends', () => {
    const secret = `${'x'.repeat(31)}\u{1f511}${'y'.repeat(40)}`;
    expect(redact(`${secret.slice(0, 33)}z`, secret)).toBe('***z');
    expect(redact(secret, secret)).toBe('***');
  });

  test('does not search for short parts of Base64, which could occur by chance', () => {
    expect(redact('YWJj', 'abc')).toBe('***');
    expect(redact('FiY FhYm', 'abc')).toBe('FiY FhYm');
  });
});

describe('Redactor takes linear time', () => {
  const MADE =
    '(secrets, made = new m.Redactor()) => (secrets.forEach((one) => made.learn(one)), made)';

  /** Texts that are changed, in a process that is killed after 30 s: any other time would be minutes. */
  function listChanged(cases: readonly string[]): string {
    const listed = cases.map((each) => `[${each}]`).join();
    const change = `([secrets, text]) => (${MADE})(secrets).redact(text) !== text`;
    return evaluate('redaction/clean.ts', `[${listed}].filter(${change}).length`);
  }

  test('for backslashes, percent signs, references, braces and secrets that are not whole', () => {
    const pieces = ['\\', '%25', '&amp;', '&#0', '&a', '\\u00', '+/=+/='].map((piece) =>
      JSON.stringify(piece),
    );
    const secrets = JSON.stringify(['+/=\\"%&'.repeat(9)]);
    expect(listChanged(pieces.map((piece) => `${secrets}, ${piece}.repeat(2e5)`))).toBe('0');
  });

  test('for many secrets of which a part is in the text', () => {
    const secrets = [
      [60, "'a'.repeat(30).concat('b').repeat(500) + index"],
      [60, "'b' + index + 'a'.repeat(20)"],
      [2000, "'a'.repeat(8 + (index % 24)) + 'b' + index"],
      [40_000, "index.toString(36).padStart(4, '-')"],
    ].map(([length, secret]) => `Array.from({ length: ${length} }, (_, index) => ${secret})`);
    expect(listChanged(secrets.map((each) => `${each}, 'a'.repeat(65_536)`))).toBe('0');
  });

  test('for a text of nothing but secrets that overlap', () => {
    const secrets = "Array.from({ length: 60 }, (_, index) => 'a'.repeat(16_000 + index))";
    expect(evaluate('redaction/clean.ts', `(${MADE})(${secrets}).redact('a'.repeat(65_536))`)).toBe(
      '***',
    );
  });
});
