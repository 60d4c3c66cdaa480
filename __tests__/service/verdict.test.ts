import { expect, test } from '@jest/globals';
import { makeResponse } from '../support/attempts.ts';
import { evaluate, KIB, MIB } from '../support/workspace.ts';

function judge(type: string, body: string) {
  return makeResponse({ headers: { 'content-type': type }, body });
}

const PROBLEM = 'application/problem+json';

/** Examples of the rule in docs/interface.md: bodies that confirm, and bodies that do not. */
test.each<[type: string, confirms: readonly string[], others: readonly string[]]>([
  ['', [' ', 'Failed checks: 12. Stored.'], ['<h1>Sign in</h1>', '{"id":17', '[{"id":1}']],
  ['', ['Error: 0', 'Error: none, 3 stored'], ['Error: unknown key', 'Error: none has it']],
  ['', ['No error', 'Forbidden words: 3'], ['Forbidden', 'Upload failed.', 'Error\u00a0!: x']],
  ['', ['true', '[false]', '[{"error":"x"}]'], ['false', '"false"', '" false "']],
  [
    '',
    ['"Stored"', '"\\"Error\\""'],
    ['"{\\"success\\":false}"', '"Error"', '"<h1>Sign in"', '"{x"'],
  ],
  ['text/html', ['OK', '{"id":17}'], ['<!doctype html>']],
  ['', ['{"id":"a\u2028b"}'], ['{"id":"a\u2028b","ok":false}']],
  ['', ['{"error":{"code":0,"message":"Fine"}}', '{"error":{"high":3}}'], ['{"hasErrors":true}']],
  ['', ['{"status":"failed","status":"ok"}'], ['{"status":"failed","Status":"ok"}']],
  [
    '',
    ['OK\0', '{"id":17}\0', '\u001b[0mStored', '\u001b[32m{"id":17}'],
    ['{"err or":"x"}', '{"error":"\u200bx"}', '{"err\u200bor":"x"}', '{"status":"fail\\u200bed"}'],
  ],
  ['', ['{"title":"Scan","detail":"Stored"}'], ['{"title":null,"status":null,"detail":null}']],
  [
    '',
    ['{"type":"scan","title":"a","detail":"b"}', '{"type":"a:b","Type":"a:b","title":"c"}'],
    ['{"type":"validation","title":"a","detail":"b","instance":"/1"}'],
  ],
  [PROBLEM, ['{"status":"stored"}', '[{"title":"No"}]'], ['{"title":"No"}']],
  ['text/xml', ['<receipt/>', '<r><error>x</error></r>', '<errors/>'], ['<a:Error/>', '<html/>']],
  [
    'text/xml',
    ['<!DOCTYPE x><receipt/>'],
    ['<!DOCTYPE x><error>', '<!DOCTYPE x [<!ELEMENT y>]><html>'],
  ],
  ['text/xml', ['<éa/>'], ['<éerror/>', '<a-é:error/>', '<!DOCTYPE error>']],
])(
  'a body of a 2xx that is declared %j confirms if it is one of %j, not of %j',
  (type, confirms, others) => {
    const isConfirmed = (body: string): boolean => judge(type, body).kind === 'success';
    expect([...confirms, ...others].filter(isConfirmed)).toEqual(confirms);
  },
);

test.each([
  '\u001b[0m',
  '\u001b[1;31m',
  '\u001b(B\u001b[m',
  '\u001b',
  '\u001b]0;a\u0007',
  '\u0007 \u009b',
])('what follows %j decides, as it is shown', (start) => {
  const bodies = ['<html>', '{"success":false}', 'Error: x'].map((body) => start + body);
  const all = [...bodies, ...bodies.map((body) => JSON.stringify(body))];
  expect(all.filter((body) => judge('', body).kind === 'success')).toEqual([]);
});

test('an error is found at any depth', () => {
  const body = `{"error":${'['.repeat(1e5)}"x"${']'.repeat(1e5)}}`;
  expect(judge('', body).statedFailure).toBe('says `error`');
});

const PAGE = '<!doctype html>\n<title>Sign in</title><form method="post"></form>';
const BLANK = ' '.repeat(100 * KIB);
const XML = '<?xml version="1.0"?>';

/** Bodies of a 2xx by kind and media type; '' is none. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'web-page': {
    '': [
      PAGE,
      `${BLANK}<h1>Sign in</h1>`,
      '</p>',
      '\0\u200b <p>',
      '"\u200b<p>"',
      '<!-- a -- b > c --> <!-- d -->\n<p>',
      '<!-- never closed <html>',
      '<?php echo "?><html>',
      `${XML}\n<!DOCTYPE html>`,
      `${XML}<!-- a --><xh:html xmlns:xh="x">`,
    ],
    'text/xml; charset=utf-8': ['<!doctype  HTML><h1/>', '<!doctype html '],
    'application/json': [PAGE],
    'text/html': ['Sign in\nfirst', 'Sign in\rfirst', 'x'.repeat(201), '{"id":1,\n"a"'],
    'text/html charset=utf-8': ['Sign in\nfirst'],
    'text/html,text/html; charset=utf-8': ['Sign in\nfirst'],
    'Application/XHTML+XML': ['<p/>'],
    'text/plain; x=application/xml': ['<p/>'],
  },
  success: {
    '': ['< 3 ms', 'stored --> <html>', `${XML}<x:html.report/>`, `${XML}<r><html/></r>`],
    'text/xml': ['<!-- a --><h1/>', '1 stored'],
    'image/svg+xml': ['<svg/>'],
    'text/html; charset=utf-8': [
      '',
      'x'.repeat(200),
      `"${'x'.repeat(200)}"`,
      '{"id":\n17}',
      'See <b>',
    ],
    'application/problem+json': ['{"type":"a","status":200}'],
    'application/json': ['12', '""', 'null', 'stored', '[]', '[1,\n'],
    'text/plain; was=text/html': ['a\nb'],
  },
  other: {
    '': ['{x', '\u200b{x', '[ [', '[\n"a"', '[ {}, '],
    'text/plain': ['{key} is stored'],
  },
  problem: {
    '': [
      '\ufeff{"Type":"a:b","Title":"x","Detail":"y"}',
      '{"title":"x","status":" 404 "}',
      '{"Type":"about:blank","Title":"x","Instance":"/a"}',
      '{"title":"x","status":200,"detail":"y"}',
    ],
    'text/plain': ['{"type":null,"title":"Bad Request","status":null,"detail":null}'],
    'text/html': ['{"detail":"x","success":false}'],
    ' Application/Problem+JSON; charset=utf-8': ['{"Title":"No","ok":true}', '{"detail":null}'],
  },
};

function listRows() {
  return Object.entries(SAMPLES).flatMap(([kind, types]) =>
    Object.entries(types).flatMap(([type, bodies]) =>
      bodies.map((body) => [kind, type, body.slice(0, 40), body] as const),
    ),
  );
}

test.each(listRows())('a 2xx is a %s: %s %j', (kind, type, _, body) => {
  expect(judge(type, body)).toMatchObject({ kind });
});

test.each([
  ['', '{"title":null,"detail":null,"status":null}', 'is a problem'],
  ['', 'false', 'says `false`'],
  ['', '{"a":1,"Status-Code":"503","ok":false}', 'says `Status-Code: 503`'],
  ['', '{"errors":{"key":["is unknown"],"toString":1}}', 'says `errors`'],
  ['', `{"error":"${'x'.repeat(93)}"}`, `says \`error: ${'x'.repeat(93)}\``],
  ['', `{"error":"${'x'.repeat(94)}"}`, 'says `error`'],
  ['', '" {\\"ok\\":false}"', 'says `ok: false`'],
  ['', '" Upload failed "', 'says `Upload failed`'],
  ['', 'Error: no\nkey', 'says `Error: no`'],
  ['text/xml', 'Error: x', 'says `Error: x`'],
  ['text/html', ' Forbidden! ', 'says `Forbidden!`'],
  ['', `${XML}<!DOCTYPE r:problem><r:problem/>`, 'is <r:problem>'],
  ['', `${XML}<!-- <r> --><soap:Fault/>`, 'is <soap:Fault>'],
  ['text/xml', '<uploadError/>', 'is <uploadError>'],
])('of a 2xx the first failure is named: %s %j', (type, body, statedFailure) => {
  expect(judge(type, body)).toHaveProperty('statedFailure', statedFailure);
});

const FLAGS = 'success Succeeded successful ok isSuccess is_successful IS-VALID'.split(' ');
const CODES = 'status statusCode httpStatus code error_code'.split(' ');
const STATES = 'status State outcome result'.split(' ');
const FAILURES =
  'error fail Failed failure rejected refused denied unauthorized FORBIDDEN invalid'.split(' ');
const SUCCESS_WORDS =
  'ok success succeeded accepted created received stored uploaded queued pending processing processed Done COMPLETED'.split(
    ' ',
  );
const SOFT = 'errors errorMessage error-messages validation_errors'.split(' ');
const HARD = 'error exception Fault'.split(' ');
const NOTHING =
  ' |-|0|none|null|False|no|ok|Success|n/a|No errors.|NO_ERROR|no-error|noError'.split('|');

/** Each name with each value, and the same other members. */
function cross(names: readonly string[], values: readonly unknown[], more = {}) {
  return names.flatMap((name) => values.map((value) => ({ [name]: value, ...more })));
}

/** Objects that are warned of only if one of their members is a success. */
function besideErrors(names: readonly string[], values: readonly unknown[]) {
  return cross(names, values, { errors: ['x y'] });
}

/** The bodies of which this is said. */
function listStated(objects: readonly object[]): readonly object[] {
  return objects.filter((each) => judge('', JSON.stringify(each)).statedFailure !== undefined);
}

test.each<[string, readonly object[]]>([
  ['flags', cross(FLAGS, [false, 'false', ' False ', 0, '0', 'Failed', ...FAILURES])],
  ['a status that is false', [{ status: false }, { status: 'False' }]],
  ['codes', cross(CODES, [400, '404', 599])],
  ['states', cross(STATES, FAILURES)],
  ['flags of errors', cross(['isError', 'has_error', 'hasErrors'], [true])],
  ['errors', cross([...SOFT, ...HARD], [true, 'x', ['x'], { a: [{ b: 'x' }] }, { code: 'E1' }])],
  ['errors that begin as none', cross(HARD, ['No such key', 'None of the keys', 'nothing'])],
  ['errors in a list of which one is good', [{ error: [{ code: 0, a: 'x' }, { a: 'x' }] }]],
  [
    'what a success does not overrule',
    cross(HARD, ['x', { message: 'quota' }, { code: 'E1' }, [{ detail: 'quota' }]], { ok: true }),
  ],
  ['an error that says none, without a success', cross(HARD, [{ code: 'E.None', message: 'x' }])],
  ['the class of an error without a success', cross(HARD, [{ type: 'E', message: '' }])],
  ['a failure beside a success', cross(['status', 'success'], [false], { ok: true })],
  [
    'errors beside no success',
    [
      ...besideErrors(['ok'], [1]),
      ...besideErrors(['result'], ['ok']),
      ...besideErrors(['status'], [200]),
    ],
  ],
])('JSON reports a failure by %s', (_, objects) => {
  expect(listStated(objects)).toEqual(objects);
});

test.each<[string, readonly object[]]>([
  ['nothing', [{}, [], [{ success: false }]]],
  ['other values of flags', cross(FLAGS, [true, 1, null, 'no', [false]])],
  ['other codes', cross(CODES, [0, 200, 399, 600, '4000', [500], null, { toString: 1 }])],
  ['other states', cross(STATES, ['passed', 'failed checks', ['failed'], 'in-valid'])],
  ['other flags of errors', cross(['isError', 'hasErrors'], [false, 0, 1])],
  ['errors that say nothing', cross([...SOFT, ...HARD], [...NOTHING, null, 7, false])],
  ['lists and objects without a text', cross(HARD, [[], {}, [1, true], { critical: 3 }])],
  ['errors with a good code', cross(HARD, [{ code: 0, message: 'x' }, [{ Code: '200', a: 'x' }]])],
  [
    'an error of no class beside a success',
    cross(HARD, [{ code: 'Error.None', x: 'y' }], { ok: 1, code: 0 }),
  ],
  [
    'an error beside a success that says nothing',
    ['message', 'Description', 'detail', 'details', 'title'].flatMap((name) =>
      cross(HARD, [{ [name]: '', code: '', type: 'Failure' }], { isSuccess: true }),
    ),
  ],
  ['what is deeper', [{ data: { success: false } }, { files: [{ error: 'x' }] }]],
  ['other names', cross(['scanStatus', 'codes', 'errorCount', 'valid'], [500, 'failed', false])],
  ['warnings beside a flag', besideErrors(FLAGS, [true, 'true'])],
  ['warnings beside a state', besideErrors(['status', 'state', 'outcome'], SUCCESS_WORDS)],
  [
    'warnings beside a code',
    besideErrors(['statusCode', 'httpStatus', 'code', 'errorCode'], [0, '204']),
  ],
  ['each warning', cross(['result', ...SOFT], ['failed'], { ok: true })],
  ['two members of a problem', [{ title: 'x', detail: 'y' }]],
  ['a problem with another type', cross(['type'], ['scan', 7], { title: 'x', detail: 'y' })],
  ['a problem with another status', [{ status: 'new', title: 'x', detail: 'y' }]],
  ['a problem and a success', [{ title: 'x', detail: 'y', status: null, success: true }]],
])('JSON reports no failure by %s', (_, objects) => {
  expect(listStated(objects)).toEqual([]);
});

test('a text reports a failure by words alone or before a colon', () => {
  const words =
    'Error|failed|FAILURE|exception|unauthorized|forbidden|denied|rejected|Access denied|permission denied|upload failed';
  for (const word of words.split('|')) {
    const failures = [word, `${word}.`, `${word}!`, `${word}: x`, `${word} : x: 0`];
    const others = [`${word}: 0`, `${word} :None, 3 stored`, `${word} checks: 1`, `No ${word}`];
    const stated = [...failures, ...others].filter((line) => judge('', line).statedFailure);
    expect(stated).toEqual(failures);
  }
});

test('a 2xx is read in time for many repetitions', () => {
  const bodies = [
    "'<!---->'.repeat(n / 7) + 'x'",
    "'<!--'.repeat(n / 4)",
    "' '.repeat(n) + 'x'",
    "'<?xml ?>'.repeat(n / 8) + 'x'",
    "'<?xml ?><!doctype' + ' '.repeat(n) + 'x'",
    "'<?xml ?><' + 'html:'.repeat(n / 5)",
    "'error' + ' '.repeat(n) + 'x'",
    "'error:' + ' '.repeat(n)",
    "'['.repeat(n)",
    `'{"errors":' + '['.repeat(n / 2) + ']'.repeat(n / 2) + '}'`,
  ];
  const fixed = 'status: 200, headers: {}, complete: true';
  const judged = bodies.map((text) => `m.readResponse({ ${fixed}, text: ${text} }).kind`).join();
  const given = evaluate('service/response.ts', `((n) => [${judged}])(${MIB})`);
  expect(given).toBe(
    'web-page,web-page,success,success,success,success,success,other,other,success',
  );
});
