import { describe, expect, test } from '@jest/globals';
import { Redactor } from '../../src/report/redactor.ts';
import { listForms } from '../support/encodings.ts';
import { evaluate } from '../support/evaluate.ts';

const SECRET = `to"ken+with/<odd> & 'characters'=`;

/** What is left of a text once the secret is taken out. */
function strip(text: string, secret = SECRET): string {
  const redactor = new Redactor();
  redactor.learn(secret);
  return redactor.redact(text);
}

describe('a secret in its encodings', () => {
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
    ['in Base64 for URLs', Buffer.from(SECRET).toString('base64url'), '***'],
    ['in hexadecimal digits', Buffer.from(SECRET).toString('hex').toUpperCase(), '***'],
  ])('knows a secret %s', (_, text, left) => {
    expect(strip(text)).toBe(left);
  });

  test.each(listForms('a+b<c>&\'"/= é\u{1f511}~!'))('knows the form %s', (form) => {
    expect(strip(`x${form}y`, 'a+b<c>&\'"/= é\u{1f511}~!')).toBe('x***y');
  });

  test('knows a tab and what else JSON has a letter for', () => {
    expect(strip('a\\tb\\nc', 'a\tb\nc')).toBe('***');
  });

  test('knows form encoding', () => {
    expect(strip('q=a+b%26c', 'a b&c')).toBe('q=***');
  });

  test.each(['', 'x', 'Bearer ', 'user:', 'longer user name:'])(
    'knows a secret in the Base64 of a text that begins with "%s"',
    (prefix) => {
      const secret = 'token-4711-0815';
      const text = Buffer.from(`${prefix}${secret}!?`).toString('base64');
      expect(strip(text, secret)).toContain('***');
      expect(strip(text, secret).length).toBeLessThanOrEqual(text.length - 18 + 3);
    },
  );

  test('looks for no short piece of Base64, which would be found by chance', () => {
    expect(strip('YWJj', 'abc')).toBe('***');
    expect(strip('FiY FhYm', 'abc')).toBe('FiY FhYm');
  });

  test.each(['abc', 'Abc', 'a.b', 'a b', 'a&b', 'ab%'])('leaves %s alone', (text) => {
    expect(strip(text, 'a-b')).toBe(text);
    expect(strip(text, 'ab')).toBe(text === 'ab%' ? '***%' : text.replace('ab', '***'));
  });

  test.each([
    ['backslashes', '\\'],
    ['percent signs', '%25'],
    ['references', '&amp;'],
    ['references that never end', '&#0'],
    ['secrets but for their ends', '+/=+/='],
  ])('is not slowed down by %s', (_, piece) => {
    const secret = JSON.stringify('+/=\\"%&'.repeat(9));
    const text = `${JSON.stringify(piece)}.repeat(2e5)`;
    const known = `(() => { const known = new m.Redactor(); known.learn(${secret}); return known; })()`;
    const expression = `${known}.redact(${text}).length`;
    expect(Number(evaluate('report/redactor.ts', expression))).toBe(piece.length * 2e5);
  });
});
