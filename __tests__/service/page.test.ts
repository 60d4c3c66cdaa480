import { describe, expect, test } from '@jest/globals';
import { makeResponse } from '../support/attempts.ts';

function explainPage(status: number, body: string): readonly string[] {
  const page = `<!DOCTYPE html>\n<html lang="en"><style>p { a b }</style>${body}</html>`;
  return makeResponse({ status, body: page }).says;
}

const INLINE = 'a abbr b cite code em font i ins kbd small span strong tt u'.split(' ');
const IN_LINE = INLINE.map((name) => `<${name}>x</${name.toUpperCase()}>`).join('');
const NGINX = '<title>403 Forbidden</title><h1>403 Forbidden</h1><hr>nginx/1.22.1';

const BLOCKED =
  '<title>Blocked</title><p>Go back<p>The request is refused.<p>It ended.<p>Your support ID is: 17';
const BANNER = '<title>Stop</title><p>Please accept cookies.<h1>You may not send this</h1>x';
const REPEATED =
  '<h1>Error 503 Scans are off</h1>Scans are off<p>It is so for these reasons:<p>It ended.';
const REPEATS = '503 Scans are off | It ended.';
const REPORT =
  '<title>HTTP Status 400</title><p>Type Exception Report<p><b>Message</b> Invalid character found in it';
const DETAILED =
  '<title>IIS Error - 404.13 - Not Found</title><h3>HTTP Error 404.13 - Not Found</h3>A rule denies the request.';

describe('readExplanation of a page', () => {
  test.each<[string, number, string, string]>([
    ['nginx', 403, NGINX, ''],
    ['title and line', 409, '<title>Scan</title><h1>Scan</h1>It\nended.<p>x', 'Scan | It ended.'],
    ['Rails', 404, '<h2>It isn&#39;t here (404)</h2><h1>x y</h1>', "It isn't here (404)"],
    ['a stack', 500, '<div>E: It\n  ended\n  at a.f(a.js:1)\n\tat /b.js:2</div>', 'E: It ended'],
    ['Tomcat', 409, 'HTTP Status 409 – Conflict<p><b>Message</b> It ended.', 'Message It ended.'],
    ['IIS', 403, '<h2>403 - Forbidden: No access.</h2>', '403 - Forbidden: No access.'],
    ['no sentence', 404, '<title>404</title><h1>Oops</h1>Nope', 'Oops'],
    ['a firewall', 403, BLOCKED, 'Blocked | The request is refused. | Your support ID is: 17'],
    ['what is below the main heading', 403, BANNER, 'Stop | You may not send this'],
    [
      'IIS with its code',
      404,
      DETAILED,
      'IIS Error - 404.13 - Not Found | A rule denies the request.',
    ],
    ['what repeats the title', 503, `<title>503 Scans are off</title>${REPEATED}`, REPEATS],
    ['Tomcat with its report', 400, REPORT, 'Message Invalid character found in it'],
    ['comments', 409, '<!-- a b --><script>"<p>a"</script>It ended. 3 < 4', 'It ended. 3 < 4'],
    ['elements in a line', 409, `It ${IN_LINE}`, `It ${'x'.repeat(15)}`],
  ])('reads %s', (_, status, body, said) => {
    expect(explainPage(status, body).join(' | ')).toBe(said);
  });

  test('reads nothing of words that repeat the status', () => {
    const words =
      'http https status error code server a an has occurred message type report detail nginx/1.2';
    for (const word of words.split(' ')) {
      expect([word, explainPage(400, `<p>400 Bad Request<p>${word}`)]).toEqual([word, []]);
    }
  });
});

test.each([
  ['&amp;&lt;&gt;&quot;&apos;&nbsp;&AMP;', '&<>"\' &'],
  ['&#65 &#x41 &#65b &#xD83D;&#xDD11;', 'A A Ab 🔑'],
  ['We&rsquo;ll &mdash; &copy;&hellip; &Eacute;&eacute;&ETH;&yuml;&iexcl;', 'We’ll — ©… ÉéÐÿ¡'],
  ['& &; &#; &#x; &amp &alpha; &#1114112;', '& &; &#; &#x; &amp &alpha; &#1114112;'],
  // No member of an object.
  ['&constructor;', '&constructor;'],
])('the references of a page are decoded: %s', (body, text) => {
  expect(makeResponse({ status: 400, body: `<html>${body}` }).text.trim()).toBe(text);
});
