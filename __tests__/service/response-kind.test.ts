import { describe, expect, test } from '@jest/globals';
import { tryJson } from '../../src/json.ts';
import { readRefusal, readSuccess } from '../../src/service/response-kind.ts';
import type { ResponseKind } from '../../src/service/response-kind.ts';
import { evaluate } from '../support/evaluate.ts';
import { KIB, MIB } from '../support/samples.ts';
import { readText } from '../support/workflows.ts';

/** Bodies by their media type; '' is none. */
type Samples = Readonly<Record<string, readonly (string | undefined)[]>>;

const PAGE = '<!doctype html>\n<title>Sign in</title><form method="post"></form>';
const BLANK = ' '.repeat(100 * KIB);
const XML = '<?xml version="1.0"?>';
const LONG = 'r'.repeat(290);
const NESTED = `${'['.repeat(9000)}"x"${']'.repeat(9000)}`;

function judge(judgeBody: typeof readSuccess, type: string, text?: string, refresh?: string) {
  const headers = { 'content-type': type, ...(refresh !== undefined && { refresh }) };
  return judgeBody({ headers, text, value: tryJson(text?.trim() ?? '') });
}

const SUCCESSES: Readonly<Partial<Record<ResponseKind, Samples>>> = {
  problem: {
    '': ['\ufeff \n{"status":599} ', `${BLANK}{"status":" 404 "}`],
    'text/html': ['{"status":500}'],
    'Application/Problem+JSON; charset=utf-8': ['{"type":"a","status":200}'],
  },
  refusal: {
    '': [
      `{"errors":${NESTED}}`,
      `{"data":${NESTED}}`,
      '{"success":true,"Success":false}',
      '"\\"{\\\\\\"ok\\\\\\":false}\\""',
      'Forbidden\nby rule 4',
      '502\r\nBad Gateway',
      `${XML}<e:Envelope><e:Body><e:Fault><code>1</code></e:Fault></e:Body></e:Envelope>`,
      `${XML}<!-- <a> --><?b <c> ?><r x='>'><error y="</error>">x</error></r>`,
    ],
    'text/html': ['{"error":"<b>"}', ' Upload failed '],
    'Application/Problem+XML; charset=utf-8': ['<problem><title>x</title></problem>'],
    'text/xml': ['<error><a/>', '<r><error>x</r>'],
  },
  'web-page': {
    '': [
      PAGE,
      `${BLANK}<h1>Sign in</h1>`,
      '<report/>',
      '</p>',
      '<!-- a -- b > c --> <!-- d -->\n<p>',
      '<!-- never closed <html>',
      '<?php echo "?><html>',
      `<p>${XML}</p>`,
      ` ${XML.toUpperCase()}<HTML>`,
      `${XML}\n<!DOCTYPE html>`,
      `${XML}<!-- a --><xh:html xmlns:xh="x">`,
    ],
    'text/xml; charset=utf-8': ['<!doctype  HTML><h1/>'],
    'image/svg+xml': ['<html/>'],
    'application/json': [PAGE],
    'text/plain; x=application/xml': ['<p/>'],
    'text/html': ['Sign in\nfirst', 'Sign in\rfirst', 'x'.repeat(201)],
    '"text / html"': ['x <b>'],
    'application/xhtml+xml': [`${XML}<p/>`],
  },
  success: {
    '': [
      'stored --> <html>',
      '< 3 ms',
      `${XML}<report><html/></report>`,
      `${XML}<!DOCTYPE report><html-a/>`,
      `${XML}<!-- <html> --><x:html.report/>`,
      `${XML}<r><error>${' '.repeat(2000)}</error></r>`,
    ],
    'text/xml': ['<!-- a --><h1/>', `<${LONG}><error>0</error></${LONG}>`],
    'image/png': [''],
    ' text/plain ': ['Stored; 0 findings of <error> level'],
    'application/atom+xml; type=entry': ['<entry/>'],
    'text/html; charset=utf-8': ['', ` ${'é'.repeat(198)}🎉🎉\r\n`, '{"id":"<b>\\n"}'],
    'text/plain; was=text/html': ['o\nk', 'accepted <html>'],
    'plain/text': ['ok'],
    'application/json': [
      'x'.repeat(200),
      '12',
      '""',
      '{"error":" \\n"}',
      '{"status":"no error"}',
      '{"html":"<html>","nul":"\\u0000"}',
      '{"status":4000}',
      '{"status":[500]}',
      '{"status":{"toString":1}}',
      '{"__proto__":{"error":"x"}}',
    ],
  },
  other: {
    '': ['o\0k', undefined, '['.repeat(500 * KIB), '[1,', '[\n"a"', ')]}\', {"ok":true}', 'x [ {}'],
    'application/json': ['x'.repeat(201), 'o\nk', 'a [1]', 'a {b}'],
    'application/pdf': ['%PDF-1.4'],
    'image/png': ['x'],
    'text/event-stream': ['event: ping'],
    'text/json': ['a\nb', 'a\rb', '🎉'.repeat(201)],
    'text/plain': ['for(;;);["x"]', 'x\n["e"]', '"{\\"error\\":\\"x"', 'x [[1]]', '[', '[]x', '{x'],
    'text/xml': [
      '<r><msg>a < b</msg><error>bad</error></r>',
      '<r><status>ok</status><error',
      `<?xml version="1.0"?>\nError: x`,
      '<!-- x -->\nError: x',
      '<!-- a -->',
    ],
  },
};

const REFUSALS: Readonly<Partial<Record<ResponseKind, Samples>>> = {
  problem: { '': ['{"detail":"no"}'] },
  json: { 'text/html': ['{"message":"no"}', '[{"title":"no"}]', '[]'] },
  'web-page': { '': [PAGE, ' \n<p>'], 'text/html': ['a\nb'] },
  other: { '': ['', 'no', undefined], 'text/html': ['no'] },
};

function listRows(samples: Readonly<Partial<Record<ResponseKind, Samples>>>) {
  return Object.entries(samples).flatMap(([kind, types]) =>
    Object.entries(types).flatMap(([type, bodies]) =>
      bodies.map((body) => ({ kind, type, body, name: JSON.stringify(body)?.slice(0, 40) })),
    ),
  );
}

/** What is in backticks. */
function spans(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]*)`/g), ([, text = '']) => text);
}

/** Bodies of the tables in docs/interface.md, with their media types and the results that they have there. */
function listExamples() {
  const [chapter = ''] = (PAGE_TEXT.split('### Successes')[1] ?? '').split('### Refusals');
  const rows = chapter.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    const [, first = '', second = '', third = ''] = row.split(/ *\| */);
    const type = first.includes('XML') ? 'text/xml' : (spans(first)[0] ?? '');
    const name = (result: string) => (body: string) => [type, body, result] as const;
    if (first === '-' || first.startsWith('`'))
      return spans(second).map(name(spans(third)[0] ?? ''));
    return [...spans(second).map(name('rejected')), ...spans(third).map(name('success'))];
  });
}

const PAGE_TEXT = readText('docs', 'interface.md');
const SUCCEEDED =
  'ok success succeeded accepted created received stored uploaded queued pending processing processed done completed'.split(
    ' ',
  );
const FAILED =
  'error fail failed failure rejected refused denied unauthorized forbidden invalid'.split(' ');
const FINDINGS = ['fail', 'Failed', 'in-valid'];
const FLAGS =
  'success succeeded successful isSuccess is_successful ok accepted uploaded is-valid'.split(' ');
const NUMERIC = ['success', 'ok', 'isSuccess'];
const NO_ERRORS =
  'null|false|0|ok|success|none|None at all|no|NO_ERROR|no errors|no  exceptions|no fault|no failures|no issue|no problems|No warnings'.split(
    '|',
  );
const BEGINNINGS =
  'Error|failed|failure|exception|unauthorized|forbidden|denied|rejected|Access denied|permission denied|upload failed'.split(
    '|',
  );
const STATUSES =
  'Not Found (404)|422 Unprocessable Content|413 - Request Entity Too Large|HTTP/1.1 504 Gateway Time-out|HTTP 404 Not Found|413 Content Too Large|Request-URI Too Large|408 Request Time-out|Service Temporarily Unavailable|Authorization Required.|599'.split(
    '|',
  );
const RESULTS: Readonly<Record<ResponseKind, readonly string[]>> = {
  success: ['success'],
  problem: ['problem', 'rejected'],
  refusal: ['rejected'],
  'web-page': ['web-page'],
  other: ['unconfirmed'],
  json: [],
  endless: [],
};

/** JSON that is a success only if the member is a yes. */
const yes = (member: string): string => `{${member},"errors":["x"]}`;
const no = (member: string): string => `{${member}}`;

describe('readSuccess', () => {
  test.each(listRows(SUCCESSES))('returns $kind for $type $name', ({ kind, type, body }) => {
    expect(judge(readSuccess, type, body)).toBe(kind);
  });

  test.each(listExamples())('as docs/interface.md says: row %#', (type, body, result) => {
    expect(RESULTS[judge(readSuccess, type, body.trim())]).toContain(result);
  });

  test.each<[ResponseKind, readonly string[], (word: string) => string]>([
    ['success', SUCCEEDED, (word) => yes(`"state":"${word}"`)],
    ['refusal', FAILED, (word) => no(`"outcome":"${word}"`)],
    ['success', FINDINGS, (word) => no(`"data":{"status":"${word}"}`)],
    ['success', FLAGS, (name) => yes(`"${name}":true`)],
    ['refusal', FLAGS, (name) => yes(`"${name}":false`)],
    ['refusal', NUMERIC, (name) => no(`"${name}":0`)],
    ['success', NUMERIC, (name) => yes(`"${name}":1`)],
    ['refusal', ['accepted', 'uploaded', 'isValid'], (name) => yes(`"${name}":1`)],
    ['refusal', ['isError', 'hasError', 'hasErrors', 'isFailed'], (name) => no(`"${name}":true`)],
    ['refusal', ['isError', 'hasError', 'isFailed'], (name) => no(`"data":{"${name}":true}`)],
    ['refusal', ['file', 'name', 'part'], (name) => no(`"files":[{"${name}":"a","status":422}]`)],
    ['success', ['filename', 'rule'], (name) => no(`"files":[{"${name}":"a","status":422}]`)],
    ['success', NO_ERRORS, (text) => no(`"exception":"${text}"`)],
    ['refusal', ['No such key', 'nope', 'not found', 'nones'], (text) => no(`"error":"${text}"`)],
    ['refusal', BEGINNINGS, (word) => `${word} by rule 4`],
    ['success', BEGINNINGS, (word) => `${word}-free`],
    ['success', BEGINNINGS, (word) => `${word} : none, 3 stored`],
    ['refusal', STATUSES, (line) => `${line}\nmore`],
    ['refusal', ['BAD_REQUEST', 'NotFound', 'not found'], (word) => no(`"status":"${word}"`)],
  ])('is %s for each word of row %#', (kind, words, make) => {
    for (const word of words) {
      expect([word, judge(readSuccess, '', make(word))]).toEqual([word, kind]);
    }
  });

  test.each<[ResponseKind, string]>([
    ['refusal', '{"errors":{"Code":["The code is required."]}}'],
    ['refusal', '{"errors":{"code":{"message":"is bad"}}}'],
    ['refusal', '{"error":{"code":200,"errors":[{"message":"bad key"}]}}'],
    ['success', '{"error":{"code":200,"message":"fine"}}'],
    ['success', '{"error":{"code":false,"count":3}}'],
    ['success', '{"error":{"code":""}}'],
    ['refusal', '{"ok":true,"result":{"code":403}}'],
    ['success', '{"ok":true,"result":{"failed":true,"status":"invalid"}}'],
    ['refusal', '{"ok":true,"result":{"status":"error"}}'],
    ['success', '{"exception":404}'],
    ['success', '{"errorMessage":404}'],
    ['success', '{"state":false}'],
    ['success', '{"scanStatus":"failed","states":"failed","scanCode":500,"codes":500}'],
    ['success', '{"files":["{\\"ok\\":false}"],"results":{"success":false}}'],
    ['refusal', '{"files":{"a.json":{"ok":false}}}'],
    ['success', '{"data":{"results":[{"status":"failed"}]}}'],
    ['success', '{"data":{"response":{"failed":true}}}'],
    ['refusal', `{"a":1,"d":${'{"d":'.repeat(50)}{"ok":false}${'}'.repeat(50)}}`],
    ['success', '{"error":"none\\nof them"}'],
    ['success', '{"error":"None were\\nfound"}'],
  ])('is %s for JSON in row %#', (kind, body) => {
    expect(judge(readSuccess, '', body)).toBe(kind);
  });

  test.each<[ResponseKind, string]>([
    ['refusal', '<a:MultiStatus><x><Status>403 x</Status></x></a:MultiStatus>'],
    ['refusal', '<multistatus><status>http/1.1\t403 x</status></multistatus>'],
    ['success', '<multistatus><status>x 403</status><laststatus>403</laststatus></multistatus>'],
    ['success', '<other><status>403</status></other>'],
    ['success', '<r><code>404</code><x><error>x</error></x></r>'],
    ['success', `<r>${'<a>'.repeat(9)}<error>x</error>${'</a>'.repeat(9)}</r>`],
  ])('is %s for XML in row %#', (kind, body) => {
    expect(judge(readSuccess, 'text/xml', body)).toBe(kind);
  });

  test('is a problem by its members in any case if it is declared as one', () => {
    const body = '{"Title":"Unknown","Detail":"x"}';
    expect(judge(readSuccess, 'application/problem+json', body)).toBe('problem');
    expect(judge(readSuccess, 'application/json', body)).toBe('success');
  });

  test.each(['text/plain', 'application/json', 'text/json'])(
    'is a problem for one of the interface whose status is null, as %s',
    (type) => {
      const body = { type: null, title: 'Bad Request', status: null, detail: null, instance: null };
      expect(judge(readSuccess, type, JSON.stringify(body))).toBe('problem');
    },
  );

  test.each([
    [{ type: 'scan', title: 'A', detail: 'stored' }],
    [{ title: 'A', status: 'stored', detail: 'x' }],
    [{ title: 'A', status: 200, detail: 'x' }],
    [{ status: null, detail: 'stored' }],
  ])('is no problem for %j', (body) => {
    expect(judge(readSuccess, 'application/json', JSON.stringify(body))).toBe('success');
  });

  test('finds all examples', () => {
    expect(listExamples().length).toBeGreaterThan(150);
  });

  test.each([
    ['', '', 'web-page'],
    ['text/html', 'OK', 'web-page'],
    ['text/plain', 'OK', 'success'],
  ])('returns for %j with Refresh and %j: %s', (type, body, kind) => {
    expect(judge(readSuccess, type, body, '0; url=/login')).toBe(kind);
  });

  test('returns in time for many repetitions', () => {
    const bodies = [
      "'<!---->'.repeat(n / 7) + 'x'",
      "'<!--'.repeat(n / 4)",
      "' '.repeat(n) + 'x'",
      "'<?xml ?>'.repeat(n / 8) + 'x'",
      "'<?xml ?><!doctype' + ' '.repeat(n) + 'x'",
      "'<?xml ?><' + 'html:'.repeat(n / 5)",
    ];
    const judged = bodies.map((text) => `m.readSuccess({ headers: {}, text: ${text} })`).join();
    const given = evaluate('service/response-kind.ts', `((n) => [${judged}])(${MIB})`);
    expect(given).toBe('other,web-page,success,other,other,other');
  });
});

describe('readRefusal', () => {
  test.each(listRows(REFUSALS))('returns $kind for $type $name', ({ kind, type, body }) => {
    expect(judge(readRefusal, type, body)).toBe(kind);
  });
});
