import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { makeResponse } from '../support/attempts.ts';
import { evaluate } from '../support/evaluate.ts';

function explain(status: number, body: unknown, headers = {}): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return makeResponse({ status, headers, body: text }).says;
}

function explainPage(status: number, body: string): readonly string[] {
  return explain(status, `<!DOCTYPE html>\n<html lang="en"><style>p { a b }</style>${body}</html>`);
}

const BARE = { status: 400, error: 'Bad Request' };
const LOC = ['body', 'Bom', 0, { toString: 1 }];
const FIELD_ERRORS = { title: 'T.', detail: 'D.', errors: { a: ['b', 'c'] } };

const LONG = 'a.'.repeat(51);
const DEEP = `${'['.repeat(3e4)}"x"${']'.repeat(3e4)}`;

describe('readExplanation of JSON', () => {
  test.each<[string, unknown, string]>([
    ['a problem', FIELD_ERRORS, 'D. | a: b | a: c | T.'],
    ['a problem with only its status', { title: 'Bad Request', status: 400 }, ''],
    ['Spring Boot', { ...BARE, message: 'It is closed.', path: '/v1' }, 'It is closed.'],
    ['a stack', { ...BARE, trace: 'E: away\n\tat a.B', message: 'away\n\tat a.B' }, 'away'],
    ['fields with names of texts', { errors: { title: ['x'], k: 'y' } }, 'title: x | k: y'],
    ['errors without a field', { errors: { '': ['The form is bad.'] } }, 'The form is bad.'],
    ['Rails', { errors: ['Key is bad', 'File is blank'] }, 'Key is bad | File is blank'],
    ['FastAPI', { detail: [{ loc: LOC, msg: 'is old', ctx: {} }] }, 'body.Bom.0: is old'],
    ['Django REST', { a: { b: ['Bad.'], c: [{}, { d: ['No.'] }] } }, 'a.b: Bad. | a.c.d: No.'],
    ['JSON:API', { errors: [{ source: { pointer: '/a' }, title: 'is bad' }] }, '/a: is bad'],
    ['Micronaut', { message: 'Bad Request', _embedded: { errors: [{ message: 'm' }] } }, 'm'],
    ['a line like a stack', { detail: 'It needs\nat least one' }, 'It needs\nat least one'],
    ['a detail with tags', { detail: '<a> ends: expected </a>' }, '<a> ends: expected </a>'],
    ['JSON in a JSON text', '"{\\"message\\":\\"It ended.\\"}"', 'It ended.'],
    ['texts that repeat', { message: 'It ended.', error: 'It ended.' }, 'It ended.'],
    ['sentences of others', { id: 'x', a: { b: 'a b', c: 'c d' }, d: 'e f' }, 'a b | c d'],
    ['no long word among them', { a: `b ${'x'.repeat(40)}`, c: 'd e' }, 'd e'],
    ['no credential among them', { accessToken: 'It ended.', a: { 'api-key': 'a b' } }, ''],
    ['a long path', { errors: { [LONG]: ['x'] } }, `${LONG.slice(0, 98)} …: x`],
    ['nothing of 30,000 lists in each other', DEEP, ''],
    ['no truncated object', '{"message":"the da', ''],
    ['no truncated list', '[{"message":"x', ''],
    ['no stream of objects', '{"a":1}\n{"a":2}', ''],
  ])('reads %s', (_, body, said) => {
    expect(explain(400, body).join(' | ')).toBe(said);
  });

  test.each<[string, string, (name: string) => object, string]>([
    [
      'lists of errors',
      'errors errorMessages validationErrors violations invalid-params modelState fieldErrors issues constraints',
      (name) => ({ [name]: { k: 'is bad' } }),
      'k: is bad',
    ],
    [
      'texts',
      'detail title message msg defaultMessage error error_description errorMessage description reason details',
      (name) => ({ [name]: 'Ended' }),
      'Ended',
    ],
    [
      'fields',
      'field path instancePath propertyPath propertyName property param loc pointer name',
      (name) => ({ errors: [{ [name]: 'f', message: 'is bad' }] }),
      'f: is bad',
    ],
  ])('knows the names of %s', (_, names, make, said) => {
    for (const name of names.split(' ')) {
      expect([name, ...explain(400, make(name))]).toEqual([name, said]);
    }
  });
});

const INLINE = 'a abbr b cite code em font i ins kbd small span strong tt u'.split(' ');
const IN_LINE = INLINE.map((name) => `<${name}>x</${name.toUpperCase()}>`).join('');
const NGINX = '<title>403 Forbidden</title><h1>403 Forbidden</h1><hr>nginx/1.22.1';

const BLOCKED =
  '<title>Blocked</title><p>Go back<p>The request is refused.<p>It ended.<p>Your support ID is: 17';
const REPEATED =
  '<h1>Error 503 Scans are off</h1>Scans are off<p>It is so for these reasons:<p>It ended.';
const REPEATS = '503 Scans are off | It ended.';
const REPORT =
  '<title>HTTP Status 400</title><p>Type Exception Report<p><b>Message</b> Invalid character found in it';

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

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const DENIED = '<?xml version="1.0"?><E><Code>Denied</Code><Message>It ended.</Message></E>';
const CHALLENGE = { 'www-authenticate': 'Bearer error="x", error_description="It ended.", a="y"' };

test.each<[number, string, readonly string[], object]>([
  [400, ' \r\n ', [], {}],
  [400, 'Bad Request\nThis port requires TLS.\n', ['This port requires TLS.'], {}],
  [400, '\u001b[31m\u200b\nInvalid\u202e key', ['Invalid key'], {}],
  [400, '<bom> is missing', ['<bom> is missing'], {}],
  [404, 'HTTP/1.1 404 Not Found\nURI: /v1\nSTATUS: 404\nMESSAGE: Not Found', ['URI: /v1'], {}],
  [400, 'a b\na b\nc d\ne f', ['a b', 'c d'], {}],
  [403, 'error code: 1020', ['error code: 1020'], {}],
  [524, 'error code: 524', [], {}],
  [400, '[] is too short', ['[] is too short'], {}],
  [403, DENIED, ['Denied', 'It ended.'], {}],
  [404, 'No such scan.\nmore <b>', ['No such scan.', 'more <b>'], HTML],
  [401, 'x y', ['x y', 'It ended.'], CHALLENGE],
])('readExplanation reads for a %i %j', (status, body, lines, headers) => {
  expect(explain(status, body, headers)).toEqual(lines);
});

const SIX = Array.from({ length: 6 }, () => 'a b');
const MEMBERS = '{"id":17,"State":"new","x":"y","result":"late","code":"7x","Message":"Stored"}';

test.each<[string, string, readonly string[], readonly string[]]>([
  ['two lines of a text', 'a b\n\nc d\ne f', ['a b', 'c d'], []],
  ['nothing of an empty body', '', [], []],
  ['nothing of a state that repeats it', '{"status":"OK","code":200}', [], []],
  [
    'known members',
    MEMBERS,
    ['id: 17', 'State: new', 'result: late', 'code: 7x', 'Message: Stored'],
    [],
  ],
  ['sentences of others', '{"text":"d d","name":"i","at":["e e"]}', ['d d'], []],
  ['no object in a member', '{"message":{"a":["x y"]},"id":null,"description":"d d"}', ['d d'], []],
  ['no credential', '{"accessToken":"a b","set_cookie":"c d","Api-Key":"e f"}', [], []],
  ['no long word', `Stored as ${'x'.repeat(40)}.\n${'x'.repeat(39)}`, ['x'.repeat(39)], []],
  ['no long id', `{"id":"${'x'.repeat(40)}"}`, [], []],
  ['six lines', `{"message":"${'a b\\n'.repeat(7)}"}`, SIX, []],
  ['warnings', '{"warnings":["w w",7,"w"],"a":["b b"]}', [], ['w w']],
  ['errors that a yes overrules', '{"ok":true,"Errors":{"part":["v v"]}}', [], ['v v']],
  ['no credential in a warning', '{"warnings":[{"token":"a b"}]}', [], []],
  ['six lines of warnings', `{"warnings":["${'a b\\n'.repeat(7)}"]}`, [], SIX],
])('readConfirmation reads %s', (_, body, says, warnings) => {
  expect(makeResponse({ body })).toMatchObject({ kind: 'success', says, warnings });
  expect(makeResponse({ body, status: 400 }).warnings).toEqual([]);
});

describe('readExplanation of a hostile body', () => {
  const PIECES =
    '<title|<p>x y |<!--|<script>|<a "|&#|\n at |<br>at |{"a":|[|HTTP 400 |HTTP::|error: ';

  test('takes linear time for one that repeats a piece', () => {
    const fixed = "status: 400, headers: { 'content-type': 'text/html' }, complete: true";
    const fill = 'piece.repeat(65536).slice(0, 65536)';
    const response = `m.readResponse({ ${fixed}, text: ${fill} })`;
    const pieces = JSON.stringify(PIECES.split('|'));
    const isRead = `(piece) => ${response}.says.length < 3`;
    expect(evaluate('service/response.ts', `${pieces}.every(${isRead})`)).toBe('true');
  });

  test('reads each of nested members once', () => {
    const names = JSON.stringify('detail errors message violations a'.split(' '));
    const text = '`{"${name}":`.repeat(31) + 1 + "}".repeat(31)';
    const response = `m.readResponse({ status: 400, headers: {}, complete: true, text: ${text} })`;
    const says = `${names}.map((name) => ${response}.says.length)`;
    expect(evaluate('service/response.ts', says)).toBe('0,0,0,0,0');
  });

  test('cuts a text after 1,500 characters', () => {
    expect(explain(400, { detail: 'x'.repeat(1500) })).toEqual(['x'.repeat(1500)]);
    expect(explain(400, { detail: 'x'.repeat(1501) })).toEqual([expect.stringMatching(/…$/)]);
  });
});

/** The problem of a refusal; undefined if there is none. */
function readProblem(body: string, type?: string) {
  const headers = type === undefined ? {} : { 'content-type': type };
  const { problem } = makeResponse({ status: 400, headers, body });
  return (
    problem && { traceId: problem.serviceTraceId, members: JSON.parse(problem.json) as unknown }
  );
}

describe('the problem of a refusal', () => {
  test.each([7, ' \t\n', '\u200b\0', 'a'])(
    'has every member, and a traceId unless it is %j',
    (traceId) => {
      const members = { title: 'T.', detail: null, status: '400', errors: { key: ['x'] }, traceId };
      const problem = readProblem(`\ufeff \n${JSON.stringify(members)}\ufeff`, 'text/plain');
      expect(problem).toMatchObject({ traceId: traceId === 'a' ? 'a' : undefined });
      expect(problem?.members).toEqual({
        ...members,
        traceId: traceId === '\u200b\0' ? '' : traceId,
      });
    },
  );

  test.each([
    [{ status: 400 }, true],
    [{ title: null, message: 'text' }, true],
    [{ type: 'text' }, true],
    [{}, false],
    [{ status: 500, error: 'Internal Server Error', path: '/v1' }, false],
    [{ message: 'text', Title: 'text' }, false],
  ])('is known by its members, or by its media type: %j %s', (members, isKnown) => {
    const text = JSON.stringify(members);
    for (const type of [undefined, 'text/plain; was=application/problem+json']) {
      expect(readProblem(text, type) !== undefined).toBe(isKnown);
    }
    const declared = ' Application/Problem+JSON; charset=utf-8';
    expect(readProblem(text, declared)).toMatchObject({ members });
  });

  test.each(['[{"title":"t"}]', '{"title":"t","detail":"cu', '"title"'])('is not %j', (text) => {
    expect(readProblem(text, 'application/problem+json')).toBeUndefined();
  });

  test('has no secret in a number, and no other number as a text', () => {
    hide('1234');
    const problem = readProblem('{"title":"t","pin":1234,"list":[71234,9007199254740991]}');
    const list = ['7***', Number.MAX_SAFE_INTEGER];
    expect(problem).toMatchObject({ members: { title: 't', pin: '***', list } });
  });
});

test.each([
  ['&amp;&lt;&gt;&quot;&apos;&nbsp;&AMP;', '&<>"\' &'],
  ['&#65 &#x41 &#65b &#xD83D;&#xDD11;', 'A A Ab 🔑'],
  ['& &; &#; &#x; &amp &eacute; &#1114112;', '& &; &#; &#x; &amp &eacute; &#1114112;'],
  // No member of an object.
  ['&constructor;', '&constructor;'],
])('the references of a page are decoded: %s', (body, text) => {
  expect(makeResponse({ status: 400, body: `<html>${body}` }).text.trim()).toBe(text);
});
