import { describe, expect, test } from '@jest/globals';
import { makeResponse } from '../support/attempts.ts';
import { evaluate } from '../support/workspace.ts';

function explain(status: number, body: unknown, headers = {}): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return makeResponse({ status, headers, body: text }).says;
}

const BARE = { status: 400, error: 'Bad Request' };
const LOC = ['body', 'Bom', 0, { toString: 1 }];
const FIELD_ERRORS = { title: 'T.', detail: 'D.', errors: { a: ['b', 'c'] } };

const LONG = 'a.'.repeat(51);
const DEEP = `${'['.repeat(3e4)}"x"${']'.repeat(3e4)}`;

describe('readExplanation of JSON', () => {
  test.each<[string, unknown, string]>([
    ['a problem', FIELD_ERRORS, 'D. | a: b | a: c'],
    ['a problem with only its status', { title: 'Bad Request', status: 400 }, ''],
    ['Spring Boot', { ...BARE, message: 'It is closed.', path: '/v1' }, 'It is closed.'],
    ['a stack', { ...BARE, trace: 'E: x\n\tat a.B(C:1)', message: 'away\n\tat a.B(C:1)' }, 'away'],
    ['a title beside a detail', { title: 'T.', detail: 'D.' }, 'D.'],
    ['a title alone', { title: 'T.', errors: {} }, 'T.'],
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
    ['no request line, no time', { instance: 'a b', a: 'POST /v1', b: '2026-01-02 03:04' }, ''],
    ['no type', { type: 'https://scan.example/a b', x: 'c d' }, 'c d'],
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

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const XML = { 'content-type': 'application/xml' };
const DENIED = '<?xml version="1.0"?><E><Code>Denied</Code><Message>It ended.</Message></E>';
const CHALLENGE = { 'www-authenticate': 'Bearer error="x", error_description="It ended.", a="y"' };

test.each<[number, string, readonly string[], object]>([
  [400, ' \r\n ', [], {}],
  [400, 'Bad Request\nThis port requires TLS.\n', ['This port requires TLS.'], {}],
  [400, '\u001b[31m\u200b\nInvalid\u202e key', ['Invalid key'], {}],
  [400, '<bom> is missing', ['<bom> is missing'], {}],
  [404, 'HTTP/1.1 404 Not Found\nURI: /v1\nSTATUS: 404\nMESSAGE: Not Found', ['URI: /v1'], {}],
  [400, 'a b\na b\nc d\ne f', ['a b', 'c d'], {}],
  [400, '"a b\\nc d\\ne f"', ['a b', 'c d'], {}],
  [400, '"<p>It ended.</p>"', ['It ended.'], {}],
  [403, 'error code: 1020', ['error code: 1020'], {}],
  [524, 'error code: 524', [], {}],
  [400, '[] is too short', ['[] is too short'], {}],
  [403, DENIED, ['Denied', 'It ended.'], {}],
  [
    403,
    '<x:problem xmlns:x="u"><x:type>urn:a</x:type><x:instance>POST /v1</x:instance><traceId>00-1</traceId><title>No</title>',
    ['No'],
    XML,
  ],
  [403, '<instance/><instance />It ended.<type-name>x</type-name>', ['It ended.', 'x'], XML],
  [404, 'No such scan.\nmore <b>', ['No such scan.', 'more <b>'], HTML],
  [401, 'x y', ['x y', 'It ended.'], CHALLENGE],
])('readExplanation reads for a %i %j', (status, body, lines, headers) => {
  expect(explain(status, body, headers)).toEqual(lines);
});

describe('readExplanation of a hostile body', () => {
  const PIECES =
    '<title|<p>x y |<!--|<script>|<a "|&#|\n at |<br>at |{"a":|[|HTTP 400 |HTTP::|error: ';

  test('takes linear time for one that repeats a piece', () => {
    const fixed = "status: 400, headers: { 'content-type': 'text/html' }, complete: true";
    const fill = 'piece.repeat(2 ** 20).slice(0, 2 ** 20)';
    const response = `m.readResponse({ ${fixed}, text: ${fill} })`;
    const pieces = JSON.stringify(PIECES.split('|'));
    const isRead = `(piece) => ${response}.says.length < 3`;
    expect(evaluate('service/response.ts', `${pieces}.every(${isRead})`)).toBe('true');
  });

  test.each([
    '`<!doctype ${"a".repeat(2 ** 18)}`',
    '`<title>${"ab".repeat(2 ** 17)}</title>${"<p>bb".repeat(2 ** 16)}`',
  ])('takes linear time for %s', (text) => {
    const response = `m.readResponse({ status: 200, headers: {}, complete: true, text: ${text} })`;
    expect(evaluate('service/response.ts', `${response}.kind`)).toBe('web-page');
  });

  test.each([
    // The same name in many spellings.
    '`{"ok":true,${Array.from({ length: 2 ** 18 }, (_, index) => `"errors${index.toString(2).replaceAll("0", "-").replaceAll("1", "_")}":"x y"`)}}`',
    // A long name, and many texts below it.
    ...['errors', 'message'].map(
      (name) => `\`{"ok":true,"${name}\${"_".repeat(2 ** 19)}":[\${'"x y",'.repeat(2 ** 16)}0]}\``,
    ),
  ])('takes linear time for %s', (text) => {
    const response = `m.readResponse({ status: 200, headers: {}, complete: true, text: ${text} })`;
    expect(evaluate('service/response.ts', `${response}.kind`)).toBe('success');
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

  test('cuts an error of a field or of a list after 200 characters', () => {
    const cut = expect.stringMatching(/^.{199}…$/);
    const [whole, longer] = ['x'.repeat(197), 'x'.repeat(201)];
    expect(explain(400, { errors: { k: [whole, longer] } })).toEqual([`k: ${whole}`, cut]);
    expect(explain(400, { errors: [longer], detail: longer })).toEqual([longer, cut]);
    expect(explain(422, { detail: [{ loc: ['k'], msg: longer }] })).toEqual([cut]);
  });
});
