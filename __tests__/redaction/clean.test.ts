import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Redactor } from '../../src/redaction/clean.ts';
import { evaluate } from '../support/evaluate.ts';
import { ENCODERS } from '../properties/encodings.ts';

function makeRedactor(...secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.learn(secret);
  return redactor;
}

function redact(text: string, ...secrets: readonly string[]): string {
  return makeRedactor(...secrets).redact(text);
}

describe('Redactor', () => {
  test.each([
    ['longer secrets first', 'x token-long y token', ['token', 'token-long'], 'x *** y ***'],
    ['secrets that resemble patterns', 'a.c abc $& $1 (', ['a.c', '$&', '('], '*** abc *** $1 ***'],
    ['secrets that overlap or touch once', 'x abcdefcdefg y', ['abcd', 'cdef'], 'x ***g y'],
    ['a secret of asterisks once', 'a ** b', ['*'], 'a *** b'],
    ['only invisible characters without secrets', 'te\u200bxt', ['\u200b', '', ' '], 'text'],
    ['secrets that are divided by them', 's3\u0000c\u200bret', ['s3cret'], '***'],
    ['secrets that have them', 's3c\u200bret', ['s3c\u200bret'], '***'],
    ['no white space of a long secret', ' '.repeat(40), [`y${' '.repeat(99)}z`], ' '.repeat(40)],
  ])('replaces %s', (_, text, secrets, redacted) => {
    expect(redact(text, ...secrets)).toBe(redacted);
  });

  test('replaces secrets that it learns later', () => {
    const redactor = makeRedactor('token');
    expect(redactor.redact('token-long')).toBe('***-long');
    redactor.learn('token-long');
    expect(redactor.redact('token-long')).toBe('***');
  });

  test.each(['-', '"\u{1f511}+/'])('replaces a secret of 64 KiB with %s in it', (between) => {
    const secret = Array.from({ length: 13_000 }, (_, index) => index.toString(36)).join(between);
    const redactor = makeRedactor(secret);
    for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret)]) {
      expect(redactor.redact(`a ${form} b`)).toMatch(/^a "?[*]{3}"? b$/);
    }
    expect(redactor.redact(Buffer.from(secret).toString('base64'))).toBe('***');
  });

  test('masks any 8 characters of a long secret, and no fewer', () => {
    const secret = Array.from({ length: 40 }, (_, index) => index.toString(36)).join('=');
    const redactor = makeRedactor(secret);
    for (let start = 0; start + 8 <= secret.length; start += 1) {
      expect(redactor.redact(`(${secret.slice(start, start + 8)})`)).toBe('(***)');
      expect(redactor.redact(`(${secret.slice(start, start + 7)})`)).not.toContain('*');
    }
  });

  test('leaves no half of a character where a part of a secret ends', () => {
    const secret = `${'x'.repeat(31)}\u{1f511}${'y'.repeat(40)}`;
    expect(redact(`${secret.slice(0, 33)}z`, secret)).toBe('***z');
    // Another character begins with the same half.
    expect(redact(`${secret.slice(0, 32)}\ud83d\udd12z`, secret)).toBe('***z');
  });
});

describe('Redactor with encoded secrets', () => {
  const PUNCTUATED = {
    'all punctuation': 'a!b"c#d$e%f&g\'h(i)j*k+l,m-n.o/p:q;r<s=t>u?v@w[x\\y]z^A_B`C{D|E}F~G H\tI',
    'ISO 8859-1': 's\u00e9cret\u00c9-\u00ff\u00bd\u00a0\u00ad/\u00c3\u00a9"x',
    'characters beyond': 'p\u{1f511}ss/"\u6f22 w\u00f6rd&',
    'escapes of all kinds': 'a%2Fb\\u0041&amp;c\\/"\'<%',
    'escapes that are not whole': '\\&/"aaaaaa\\',
    '40 backslashes': '\\'.repeat(40),
    '40 backslashes and more': `${'\\'.repeat(40)}"x'/\u00e9`,
    '4 KiB': 'token/+"&<=%\'\\\u00e9\u{1f511}'.repeat(290),
  };

  describe.each(Object.entries(PUNCTUATED))('with %s', (_, secret) => {
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
    ['a part of a text that is escaped', '%22a%2Fb%22', 'a/b'],
    ['escapes of invisible characters in JSON', String.raw`s3c\u200br\u00ADet`, 's3cret'],
    ['escapes of invisible characters in URLs', 's3c%00ret', 's3cret'],
    ['escapes of invisible characters in HTML', 's3c&#8203;r&shy;e&#xFE0F;t', 's3cret'],
    ['a secret with escapes of a URL that were undone', 's:a+b', 's%3Aa%2bb'],
    ['UTF-8 whose escapes were undone', 'p\u00e4ss\u00a0w\u00f6rd', 'p%C3%A4ss%C2%A0w%c3%b6rd'],
    ['any white space', 'a\u00a0b\u2003c\u0085d', 'a b c d'],
    ['carriage returns in escapes of URLs', 'a%0D%0Ab%0Dc', 'a\rb c'],
    ['carriage returns in JSON', String.raw`a\rb\r\nc`, 'a\rb c'],
    ['escapes of halves', String.raw`p\ud83d\udd11\u00ads`, 'p\u{1f511}\u00ads'],
    ['escapes of line ends', String.raw`a\r\nb\tc`, 'a\r\nb\tc'],
  ])('recognises %s', (_, text, secret) => {
    expect(redact(text, secret)).toMatch(/^(?:%22)?\*\*\*(?:%22)?$/);
  });

  test.each([
    ['escapes around a secret', '%41%73%2f%74%42 &#115;/&#x74;&amp;', 's/t', '%41***%42 ***&amp;'],
    ['unknown references', '&unknown; &nbspx; &; &#1114112; &#x110000;', 's/t', undefined],
    ['escapes that are not whole', '% %4 %zz \\u00 \\x4 \\', 's/t', undefined],
    ['what it has masked', '%2561%252Fb ***', 'a/b', undefined],
    ['escapes of escapes', '%2561%252Fb &amp;#97;&#47;b', 'a/b', undefined],
  ])('keeps %s', (_, text, secret, redacted = text) => {
    expect(redact(text, secret)).toBe(redacted);
    expect(redact(redacted, secret)).toBe(redacted);
  });

  test.each([
    ['of one kind', 'a%2Fb%2Fc', ['a/b', 'b/c']],
    ['as they are and in escapes', 'a%2Fb%2Fc', ['a/b', 'b%2Fc']],
    ['in different escapes', String.raw`a%2Fb\u002fc`, ['a/b', String.raw`b\u002fc`]],
    ['one inside the other', 'user%3Apassword%2F', ['password', 'user:password/']],
    // The end of one looks like the start of an escape.
    ['after each other', String.raw`&lt;s3cret\\u003cs3cret\\`, ['<s3cret\\']],
  ])('masks secrets %s once', (_, text, secrets) => {
    expect(redact(`x ${text} y`, ...secrets)).toBe('x *** y');
  });

  test('masks secrets in three kinds of escapes in a text', () => {
    const text = String.raw`%41 a\/%b\\c, a%2F%25b%5cc; a&sol;&percnt;b&bsol;c a/&#37;b\c \n`;
    expect(redact(text, 'a/%b\\c')).toBe('%41 ***, ***; *** *** \\n');
  });

  test('does not search for parts of Base64 below 8 characters, which could occur by chance', () => {
    expect(redact('YWJj YWJjZA', 'abc', 'abcd')).toBe('*** ***');
    expect(redact('FiY FhYm', 'abc')).toBe('FiY FhYm');
    // The part of the secret in it has 8 characters.
    const encoded = Buffer.from('-s3cret7-').toString('base64');
    expect(redact(encoded, 's3cret7')).toMatch(/^.{2}\*{3}.{2}$/);
  });
});

describe('Redactor with parts of secrets', () => {
  const TOKEN = 'sk_live_4fQ9xZ+/2mN7Tq"Lk8=Rt5vB3wY6 uE1pXo0jHa&Gd5Sc2Vb9';
  const BASE64 = Buffer.from(TOKEN).toString('base64');
  const BASE64_LINES = BASE64.replace(/.{20}/g, '$&\r\n');

  test.each([
    ['cut at its end', TOKEN.slice(0, 41)],
    ['cut at its start', TOKEN.slice(17)],
    ['shortened in the middle', `${TOKEN.slice(0, 25)}...${TOKEN.slice(-24)}`],
    ['cut in Base64', BASE64.slice(11, 50)],
    ['cut in an escape', JSON.stringify(encodeURIComponent(TOKEN)).slice(0, 42)],
    ['joined with other words', `token${TOKEN}end`],
    ['in a comment', `<!--${TOKEN.slice(9, 30)}-->${TOKEN.slice(30)}`],
    ['in quoted-printable', TOKEN.replaceAll('=', '=3D').replace(/^.{20}/, '$&=\n')],
    ['with doubled quotes', TOKEN.replaceAll('"', '""')],
    ['in wrapped Base64', BASE64_LINES],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(TOKEN))],
    ['divided by tags', TOKEN.replace(/.{10}/g, '$&<wbr>')],
    ['in two lines', TOKEN.replace(' ', '\n    ')],
    ['in two lines of JSON', JSON.stringify(TOKEN.replace(' ', '\r\n\t'))],
    ['in two lines of HTML', TOKEN.replace('&', '&amp;').replace(' ', '&#10; ')],
    ['in lower case', TOKEN.toLowerCase()],
    ['encoded twice', encodeURIComponent(encodeURIComponent(TOKEN))],
  ])('shows no 8 characters of a secret that is %s', (_, part) => {
    const shown = redact(`(${part})`, TOKEN);
    const starts = Array.from(shown, (_unit, start) => shown.slice(start, start + 8));
    const known = [TOKEN, TOKEN.toLowerCase(), BASE64].join('\n');
    // `sk_live_` only says of what kind it is.
    const found = starts.filter((each) => each.length === 8 && known.includes(each));
    expect(found.filter((each) => each !== 'sk_live_')).toEqual([]);
    expect(shown).toContain('***');
  });

  test('shows what a secret has in common with the words of a text', () => {
    const texts =
      'production my-team trivy-report.json scan-upload application/json Scan upload us-east-1 sk_live_x github_pat_';
    const words = ['correct-horse-battery-staple-production', 'my-team-trivy-report-key-01'];
    const secrets = [...words, 'scan-upload-2f8c1e7a', 'github_pat_11ABCDEFG0', 'Scan upload KEY'];
    expect(redact(texts, ...secrets)).toBe(texts);
    for (const secret of secrets) expect(redact(`(${secret})`, ...secrets)).toBe('(***)');
  });

  test.each([
    ['a word whole, also inside of another', 'productions', ['production'], '***s'],
    ['16 characters of words', 'horse-battery-st', ['correct-horse-battery-staple'], '***'],
    ['words of two that touch', 'horsebatterystap', ['1horsebat2', '3terystap4'], '***'],
    ['no 15 characters', 'horse-battery-s', ['correct-horse-battery-staple'], 'horse-battery-s'],
    ['letters of two cases', 'a eFgHiJkL b', ['aBcDeFgHiJkL'], 'a *** b'],
  ])('masks %s', (_, text, secrets, redacted) => {
    expect(redact(text, ...secrets)).toBe(redacted);
  });

  test('knows the latest 32 temporary secrets by their parts, and all others whole', () => {
    const redactor = new Redactor();
    const secrets = Array.from({ length: 150 }, (_, index) => hash('sha512', `${index}`, 'base64'));
    for (const secret of secrets) redactor.learn(secret, 'temporary');
    for (const secret of secrets) expect(redactor.redact(`(${secret})`)).toBe('(***)');
    const parts = secrets.map((secret) => redactor.redact(secret.slice(0, 12)));
    expect(parts.slice(-32)).toEqual(Array.from({ length: 32 }, () => '***'));
    expect(parts[0]).toBe(secrets[0]?.slice(0, 12));
  });

  test.each<[string, string, string | undefined]>([
    ['application', 'application/json', undefined],
    ['Scan upload service', 'Scan upload failed', undefined],
    ['Scan upload service', 'the Scan upload service', 'the ***'],
    ['v1.2.3-b', 'v1.2.3-b v1.2.3-', '*** v1.2.3-'],
    ['application/octet-stream', 'octet-stream application/oct', undefined],
    ['4fQ9xZ2mN7TqLk8Rt5', '4fQ9xZ2mN7TqLk8 4fQ9xZ2mN7TqLk8R', '4fQ9xZ2mN7TqLk8 ***'],
  ])('removes what is no word of a possible secret: row %#', (secret, text, redacted = text) => {
    const redactor = new Redactor();
    redactor.learn(secret, 'possible');
    expect(redactor.redact(text)).toBe(redacted);
  });

  test.each<[string, string, string]>([
    ['AKIA4fQ9/20260101/us-east-1/s3/aws4_request', 'https://s3.us-east-1.example/', 'us-east-1'],
    ['my-team-trivy-report-key-01', 'my-team-trivy-report-*.json', 'my-team-trivy-report-x.json'],
    ['team2-scans-9f8e7d6c', '/home/runner/team2-scans', 'team2-scans'],
    // Whole secrets in a wrong input.
    ['4fQ9xZ2mN7TqLk8Rt5', '4fQ9xZ2mN7TqLk8Rt5', '***'],
    ['4fQ9/xZ2mN7TqLk8Rt5', 'https://a:4fQ9%2FxZ2mN7TqLk8Rt5@b', '***'],
    ['correct-horse-battery-staple', 'a/correct-horse-battery-staple.json', '***'],
    [`${TOKEN}${TOKEN}`, `${TOKEN}${TOKEN}`.slice(0, -1), '***'],
  ])('shows what is public of a secret: row %#', (secret, text, shown) => {
    const redactor = makeRedactor(secret);
    redactor.keepPublic(text);
    expect(redactor.redact(`(${shown === '***' ? secret.slice(1) : shown})`)).toBe(`(${shown})`);
    expect(redactor.redact(`(${secret})`)).toBe('(***)');
  });
});

/** How many texts are changed, in a process that is killed after 15 s: any other time would be minutes. */
function countChanged(cases: readonly string[]): string {
  const change = `(([secrets, text]) => {
    const redactor = new m.Redactor();
    for (const secret of secrets) redactor.learn(secret);
    return redactor.redact(text) !== text;
  })`;
  const listed = cases.map((each) => `[${each}]`).join();
  return evaluate('redaction/clean.ts', `[${listed}].filter(${change}).length`);
}

describe('Redactor takes linear time', () => {
  test('for backslashes, percent signs, references, braces and secrets that are not whole', () => {
    const pieces = ['\\', '%25', '&amp;', '&#0', '&a', '\\u00', '+/=+/='].map((piece) =>
      JSON.stringify(piece),
    );
    const secrets = JSON.stringify(['+/=\\"%&'.repeat(9)]);
    expect(countChanged(pieces.map((piece) => `${secrets}, ${piece}.repeat(1e5)`))).toBe('0');
  });

  test('for many secrets of which a part is in the text, or which overlap in it', () => {
    const secrets = [
      [60, "'a'.repeat(30).concat('b').repeat(250) + index"],
      [60, "'b' + index + 'a'.repeat(20)"],
      [2000, "'a'.repeat(8 + (index % 24)) + 'b' + index"],
      [40_000, "index.toString(36).padStart(4, '-')"],
      [60, "'a'.repeat(16_000 + index)"],
    ].map(([length, secret]) => `Array.from({ length: ${length} }, (_, index) => ${secret})`);
    expect(countChanged(secrets.map((each) => `${each}, 'a'.repeat(65_536)`))).toBe('4');
  });
});
