import { describe, expect, test } from '@jest/globals';
import { listForms } from '../../src/report/secret-forms.ts';

const SECRET = `to"ken+with/<odd> & 'characters'=`;

/** What is left of a text once every form of the secret is taken out. */
function strip(text: string): string {
  return listForms(SECRET)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, form) => left.replaceAll(form, '***'), text);
}

describe('listForms', () => {
  test.each([
    ['as it is', SECRET, '***'],
    ['in JSON', JSON.stringify({ a: SECRET }), '{"a":"***"}'],
    ['in JSON with escaped slashes', JSON.stringify(SECRET).replaceAll('/', '\\/'), '"***"'],
    ['percent-encoded', `?a=${encodeURIComponent(SECRET)}&b`, '?a=***&b'],
    [
      'percent-encoded in lower case',
      encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
      '***',
    ],
    ['in HTML', 'to&quot;ken+with/&lt;odd&gt; &amp; &#39;characters&#39;=', '***'],
    ['in Base64', Buffer.from(SECRET).toString('base64'), '***'],
  ])('knows a secret %s', (_, text, left) => {
    expect(strip(text)).toBe(left);
  });

  test('knows JSON as .NET writes it', () => {
    const text = 'a\\u002Bb\\u003Cc\\u003E\\u0026\\u0027';
    expect(listForms(`a+b<c>&'`)).toContain(text);
  });

  test('knows form encoding', () => {
    expect(listForms('a b&c')).toContain('a+b%26c');
  });

  test.each(['', 'x', 'Bearer ', 'user:', 'longer user name:'])(
    'knows a secret in the Base64 of a text that begins with "%s"',
    (prefix) => {
      const secret = 'token-4711-0815';
      const text = Buffer.from(`${prefix}${secret}!?`).toString('base64');
      const found = listForms(secret).filter((form) => text.includes(form));
      expect(found).not.toEqual([]);
      expect(Math.max(...found.map((form) => form.length))).toBeGreaterThanOrEqual(18);
    },
  );

  test('looks for no short piece of Base64, which would be found by chance', () => {
    expect(listForms('abc')).toEqual(['abc', 'YWJj']);
  });
});
